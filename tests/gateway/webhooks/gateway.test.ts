import { describe, expect, it } from 'vitest';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { createGateway } from '../../../gateway/src/server.ts';
import { addMerchant, paymentRequest } from '../harness/fixtures.ts';
import { createCaller } from '../harness/gateway.ts';
import { afterwards, openTestSqlite, startTestGateway } from '../harness.ts';
import { startReceiver } from './receiver.ts';

describe('the webhooks of a gateway', () => {
  it("have the body of the status endpoint, and the machine's time, while payments have the database's", async () => {
    const aheadMs = 3 * 3_600_000;
    const receiver = await startReceiver();
    const store = { ...(await openTestSqlite()), serverTime: async () => Date.now() + aheadMs };
    const gateway = await createGateway({
      ...{ store, publicUrl: () => '', methods: sandboxMethods, callbackAllow: ['127.0.0.0/8'] },
      metrics: { cachedMs: 0 },
    });
    afterwards(() => gateway.close());
    const merchant = await addMerchant(store);
    await store.unit((db) => createSigningSecret(db, merchant.id, Date.now()));
    const { key } = await store.unit((db) => createApiKey(db, merchant.id, Date.now()));
    const call = createCaller(gateway, key);
    const { body } = await call('POST', '/payments', paymentRequest({ callback_url: receiver.address }));
    expect(Date.parse(body.created_at) - Date.now()).toBeCloseTo(aheadMs, -5);
    await receiver.received(1);
    const signedAt = Number(receiver.requests[0]?.headers['webhook-timestamp']) * 1_000;
    expect(Math.abs(signedAt - Date.now())).toBeLessThan(60_000);
    expect(receiver.requests[0]?.body).toBe((await call('GET', `/payments/${body.transaction_id}`)).text);
    await gateway.idle();
    expect((await call('GET', '/metrics')).text).toContain('gateway_webhook_attempts_total{outcome="delivered"} 1\n');
  });

  it('do not reach loopback unless a setting allows it', async () => {
    const receiver = await startReceiver();
    const { call, gateway } = await startTestGateway();
    await call('POST', '/payments', paymentRequest({ callback_url: receiver.address }));
    await gateway.idle();
    const [event] = await gateway.store.read.all('select last_result from events');
    expect(event?.['last_result']).toBe('127.0.0.1 is refused: loopback');
    expect(receiver.requests).toEqual([]);
  });
});
