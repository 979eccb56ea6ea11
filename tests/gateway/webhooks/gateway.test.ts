import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { createGateway } from '../../../gateway/src/server.ts';
import type { Received } from '../../tools/endpoint.ts';
import { addMerchant, paymentRequest } from '../harness/fixtures.ts';
import { createCaller } from '../harness/gateway.ts';
import { afterwards, openTestSqlite, startTestGateway, type TestGatewayOptions } from '../harness.ts';
import { startReceiver } from './receiver.ts';

const OPTIONS: TestGatewayOptions = { callbackAllow: ['127.0.0.0/8'] };

describe('the webhooks of a gateway', () => {
  it('have the same body as the status endpoint, byte for byte, and are signed', async () => {
    const receiver = await startReceiver();
    const { call, gateway, secret, clock } = await startTestGateway(OPTIONS);
    const { body } = await call('POST', '/payments', paymentRequest({ callback_url: `${receiver.address}/hook` }));
    const path = `/payments/${body.transaction_id}`;
    await receiver.received(1);
    await gateway.idle();
    const waiting = await call('GET', path);
    expect(waiting.body.status).toBe('PAY_CONFIRMATION_NEEDED');
    expect(receiver.requests[0]?.body).toBe(waiting.text);

    await call('POST', `${path}/confirm`, { confirm_data: { tid: '1', amount: String(body.amount) } });
    await receiver.received(2);
    const ended = await call('GET', path);
    expect(ended.body.status).toBe('SUCCESS');
    expect(receiver.requests[1]?.body).toBe(ended.text);

    vi.useFakeTimers({ toFake: ['Date'], now: clock?.now() ?? 0 });
    for (const request of receiver.requests as Received[]) {
      new Webhook(secret).verify(request.body, request.headers as Record<string, string>);
    }
    vi.useRealTimers();
    await gateway.idle();
    const metrics = (await call('GET', '/metrics')).text;
    expect(metrics.match(/gateway_webhook_attempts_total\{outcome="delivered"\} (\d+)/)?.[1]).toBe('2');
  });

  it("are signed with the machine's time, and payments expire by the database's", async () => {
    const aheadMs = 3 * 3_600_000;
    const receiver = await startReceiver();
    const store = { ...(await openTestSqlite()), serverTime: async () => Date.now() + aheadMs };
    const gateway = await createGateway({ ...OPTIONS, store, publicUrl: () => '', methods: sandboxMethods });
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
