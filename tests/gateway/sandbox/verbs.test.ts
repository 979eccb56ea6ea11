import { describe, expect, it } from 'vitest';
import { type RunningGateway, SandboxError, startGateway } from '../../../gateway/src/index.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { afterwards } from '../harness/afterwards.ts';

async function started(): Promise<RunningGateway> {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  return gateway;
}

async function create({ url, key, webhooks }: RunningGateway, path: string, body: object): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, callback_url: webhooks.url }),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { transaction_id: string }).transaction_id;
}

const PAYMENT = requestExamples.createPayment['h2h-upi'].body;
const PAYOUT = requestExamples.createPayout['imps-inr'].body;

describe('the verbs of startGateway', () => {
  it('retry a refused webhook when it is due', async () => {
    const gateway = await started();
    gateway.webhooks.respondWith(500, 503);
    await create(gateway, '/payments', PAYMENT);
    await gateway.clock.advance('10m');
    const { id } = await gateway.webhooks.next('PAY_CONFIRMATION_NEEDED');
    expect(id).toMatch(/^evt_/);
  });

  it('fund the wallet that a payout then empties', async () => {
    const gateway = await started();
    await gateway.wallets.fund('INR', PAYOUT.amount);
    await create(gateway, '/payouts', PAYOUT);
    await gateway.webhooks.next('SUCCESS');
    const { balances } = await gateway.wallets.drain('INR');
    expect(balances).toContainEqual({ currency: 'INR', available: 0, pending: 0 });
  });

  it('list the legal events after an illegal one', async () => {
    const gateway = await started();
    await gateway.channels.set('payment', 'UPI_IN', 'manual');
    const id = await create(gateway, '/payments', PAYMENT);
    const refused = await gateway.payments.succeed(id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SandboxError);
    expect((refused as SandboxError).message).toContain(
      'Legal now: ask-for-data, ask-for-confirmation, pay, decline, expire.',
    );
  });

  it('isolate merchants', async () => {
    const gateway = await started();
    const other = await gateway.addMerchant({ available: { INR: 5_000 } });
    await gateway.clock.advance('1d');
    expect((await other.clock.read()).ahead_ms).toBe(0);
    expect((await other.wallets.drain('INR', 5_000)).balances).toContainEqual({
      currency: 'INR',
      available: 0,
      pending: 0,
    });
  });
});
