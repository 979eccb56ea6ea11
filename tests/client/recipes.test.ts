/** The recipes for frameworks. */
import { describe, expect, it, vi } from 'vitest';
import { reconcile } from '../../client/recipes/reconcile.ts';
import { signWebhook, type TransactionState } from '../../client/src/webhooks.ts';
import { requestExamples, responseExamples, webhookExamples } from '../../generated/examples.ts';
import { RECIPES } from './mount-recipes.ts';
import { disconnected, json, problem, type Reply, serve } from './service.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const FAILED = webhookExamples.payoutFailed.declined;

describe.each(Object.entries(RECIPES))('the recipe for %s', (_name, mount) => {
  async function start(apply: (status: string) => unknown) {
    const log: string[] = [];
    const url = await mount({
      secret: SECRET,
      apply: ({ status }) => apply(status),
      log: (line) => log.push(line),
    });
    const signed = await signWebhook({ body: FAILED, secret: SECRET });
    const deliver = (changes: Partial<typeof signed> = {}) =>
      fetch(`${url}/webhooks/payments`, { method: 'POST', ...signed, ...changes });
    return { url, signed, deliver, log };
  }

  it('verifies every byte of an event, and responds with 204', async () => {
    const statuses: string[] = [];
    const { deliver } = await start((status) => statuses.push(status));
    const body = `\uFEFF{ "transaction_id":"₹",\n  "status": "SUCCESS", "amount": 1.0e2, "amount": 1 }\n`;
    expect((await deliver()).status).toBe(204);
    expect((await deliver(await signWebhook({ body, secret: SECRET }))).status).toBe(204);
    expect(statuses).toEqual(['FAILED', 'SUCCESS']);
  });

  it('responds with 400 to a forged event, and logs the reason', async () => {
    const { deliver, signed, log } = await start(() => Promise.reject(new Error('applied')));
    const response = await deliver({ body: signed.body.replace('FAILED', 'SUCCESS') });
    expect([response.status, await response.json()]).toEqual([400, { error: 'NO_MATCH' }]);
    expect(log).toEqual([expect.stringContaining('Webhook refused: NO_MATCH')]);
  });

  it('responds with 204 to an unknown kind of event without applying it', async () => {
    const { deliver } = await start(() => Promise.reject(new Error('applied')));
    const body = JSON.stringify({ ...FAILED, status: 'REVERSED' });
    expect((await deliver(await signWebhook({ body, secret: SECRET }))).status).toBe(204);
  });

  it('responds with 500 if the event is not applied, so that it is redelivered', async () => {
    const { deliver } = await start(() => Promise.reject(new Error('no database')));
    expect((await deliver()).status).toBe(500);
  });

  it("doesn't start without a signing secret", async () => {
    const starting = mount({ secret: process.env['WEBHOOK_SECRET_THAT_IS_NOT_SET'], apply: () => {} });
    await expect(starting).rejects.toThrow('The signing secret is missing');
  });

  it('leaves the JSON of other routes unchanged', async () => {
    const { url } = await start(() => {});
    const body = JSON.stringify(requestExamples.createPayment['h2h-upi'].body);
    const response = await fetch(`${url}/echo`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(await response.json()).toEqual(JSON.parse(body));
  });
});

it('passes errors to next in the recipe for Express, since Express 4 ignores rejections', async () => {
  const { paymentsWebhook } = await import('../../client/recipes/express.ts');
  const failed = new Error('no database');
  const router = paymentsWebhook({ secret: SECRET, apply: () => Promise.reject(failed) });
  const handler = router.stack[0]?.route?.stack.at(-1)?.handle as unknown as (...given: unknown[]) => Promise<void>;
  const next = vi.fn();
  await handler(await signWebhook({ body: FAILED, secret: SECRET }), {}, next);
  expect(next).toHaveBeenCalledExactlyOnceWith(failed);
});

const PAYMENT = responseExamples.findPayment[200].redirect;
const REQUEST = requestExamples.createPayout['imps-inr'].body;
const PAYOUT = responseExamples.getPayout[200].succeeded;

async function reconciled(reply: Reply) {
  const { client, requests } = serve([reply], { retry: { attempts: 1 } });
  const applied: TransactionState[] = [];
  const missing: unknown[] = [];
  const open = [
    { kind: 'payment', merchant_order_id: 'order/1' },
    { kind: 'payout', payout_id: 'out_1' },
    { kind: 'payout', request: REQUEST },
  ] as const;
  const failed = await reconcile({
    ...{ client, open },
    apply: (state) => void applied.push(state),
    missing: (order) => void missing.push(order),
  });
  const paths = requests.map(({ method, url }) => `${method} ${url.replace('http://service.test', '')}`);
  return { applied, missing, failed, paths, open };
}

describe('the recipe `reconcile`', () => {
  it('applies the state of each open order, and retries a payout without an ID', async () => {
    const { applied, missing, failed, paths } = await reconciled((request) =>
      json(request.url.includes('/payouts') ? PAYOUT : PAYMENT)(request),
    );
    expect(paths).toEqual(['GET /payments?merchant_order_id=order%2F1', 'GET /payouts/out_1', 'POST /payouts']);
    expect(applied).toEqual([{ data: PAYMENT }, { data: PAYOUT }, { data: PAYOUT }]);
    expect({ missing, failed }).toEqual({ missing: [], failed: [] });
  });

  it('reports unknown payments, and keeps payouts open', async () => {
    const { applied, missing, failed, open } = await reconciled(problem(404));
    expect({ applied, missing }).toEqual({ applied: [], missing: [open[0]] });
    expect(failed.map(({ order }) => order)).toEqual(open.slice(1));
  });

  it.each([
    ['refuses the request', problem(400), { status: 400 }],
    ['is unavailable', problem(503), { status: 503 }],
    ["doesn't respond", disconnected, { code: 'NETWORK' }],
  ])('keeps orders open if the service %s', async (_how, reply, error) => {
    const { applied, missing, failed, open } = await reconciled(reply);
    expect({ applied, missing }).toEqual({ applied: [], missing: [] });
    expect(failed).toMatchObject(open.map((order) => ({ order, error })));
  });
});
