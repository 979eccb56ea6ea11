/** The gateway without a server, from its sources. */
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../client/src/webhooks.ts';
import { type RunningSandbox, type StartSandboxOptions, startSandbox } from '../../../gateway/src/page.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { afterwards } from '../harness.ts';

async function started(options?: StartSandboxOptions): Promise<RunningSandbox> {
  const sandbox = await startSandbox(options);
  afterwards(() => sandbox.close().catch(() => undefined));
  return sandbox;
}

const { body: payment } = requestExamples.createPayment['h2h-upi'];

async function pay(sandbox: RunningSandbox, order = {}): Promise<{ transaction_id: string }> {
  const response = await sandbox.fetch('/payments', {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...payment, callback_url: sandbox.webhooks.url, ...order }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { transaction_id: string };
}

describe('startSandbox', () => {
  it('starts at a given time, so that the same orders have the same ids', async () => {
    const ids = async () => {
      const sandbox = await started({ seed: 'seed', now: new Date('2026-03-02T09:00:00Z') });
      expect(Date.parse((await sandbox.clock.read()).now) - Date.parse('2026-03-02T09:00:00Z')).toBeLessThan(60_000);
      await sandbox.clock.freeze(new Date('2026-03-02T10:00:00Z'));
      const { transaction_id: id } = await pay(sandbox, { merchant_order_id: 'order-1' });
      expect((await sandbox.payments.inspect(id)).resource.created_at).toBe('2026-03-02T10:00:00.000Z');
      return id;
    };
    expect(await ids()).toBe(await ids());
  });

  it('passes webhooks of other addresses to a function, which must respond with success', async () => {
    const attempts = [Promise.withResolvers<Request>(), Promise.withResolvers<Request>()] as const;
    let made = 0;
    const sandbox = await started({
      onWebhook(request) {
        attempts[made]?.resolve(request.clone());
        return new Response(null, { status: made++ === 0 ? 500 : 204 });
      },
    });
    await sandbox.channels.set('payment', 'UPI_IN', 'manual');
    const { transaction_id: id } = await pay(sandbox, { callback_url: 'https://shop.example/webhooks?from=payments' });
    await sandbox.payments.askForConfirmation(id);
    const first = await attempts[0].promise;
    // After the first delay between attempts.
    await sandbox.clock.advance('10s');
    const second = await attempts[1].promise;
    expect([first.url, second.url]).toEqual(Array(2).fill('https://shop.example/webhooks?from=payments'));
    expect(second.headers.get('webhook-id')).toBe(first.headers.get('webhook-id'));
    const verified = await verifyWebhook({ body: await first.text(), headers: first.headers, secret: sandbox.secret });
    expect(verified).toMatchObject({ id: first.headers.get('webhook-id'), data: { transaction_id: id } });
  });

  it('refuses a URL other than an http or https URL without query and password', async () => {
    for (const url of ['payments', 'ftp://shop.example', 'https://shop.example/?a=1', 'https://a:b@shop.example'])
      await expect(startSandbox({ url })).rejects.toThrow(`url: '${url}' is not an http or https URL`);
  });

  it('is reached only below the path of its URL', async () => {
    const sandbox = await started({ url: 'https://shop.example/api/' });
    expect(sandbox.url).toBe('https://shop.example/api');
    const headers = { authorization: `Bearer ${sandbox.key}` };
    expect((await sandbox.fetch('https://shop.example/api/merchant/balance', { headers })).status).toBe(200);
    expect((await sandbox.fetch('/merchant/balance', { headers })).status).toBe(200);
    for (const url of ['https://shop.example/apis/merchant/balance', 'https://other.example/merchant/balance']) {
      await expect(sandbox.fetch(url, { headers })).rejects.toThrow('is not below https://shop.example/api');
    }
    const { redirect_url: page } = (await pay(sandbox, { return_url: 'https://shop.example/done' })) as never;
    expect(page).toMatch(/^https:\/\/shop\.example\/api\/checkout\//);
    expect(await (await sandbox.fetch(page)).text()).toContain('<title>');
  });
});
