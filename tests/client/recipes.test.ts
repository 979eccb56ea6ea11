/** The recipes for frameworks. */
import { describe, expect, it, vi } from 'vitest';
import { signWebhook } from '../../client/src/webhooks.ts';
import { requestExamples, webhookExamples } from '../../generated/examples.ts';
import { RECIPES } from './mount-recipes.ts';

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

  it('verifies an event and responds with 204', async () => {
    const statuses: string[] = [];
    const { deliver } = await start((status) => statuses.push(status));
    expect((await deliver()).status).toBe(204);
    expect(statuses).toEqual(['FAILED']);
  });

  it('keeps every byte of the body', async () => {
    const { deliver } = await start(() => {});
    const body = `\uFEFF{ "transaction_id":"₹",\n  "status": "SUCCESS", "amount": 1.0e2, "amount": 1 }\n`;
    expect((await deliver(await signWebhook({ body, secret: SECRET }))).status).toBe(204);
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
