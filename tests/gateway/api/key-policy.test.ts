/** API keys accepted by different gateways on the same database. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { demoMerchant } from '../../../gateway/src/commands/demo.ts';
import { createApiKey, hashKey, listApiKeys, revokeApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createMerchant, disableMerchant, enableMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { KeyRing, NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { createGateway, type GatewayOptions } from '../../../gateway/src/server.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import LIVE_CARRIERS from '../harness/live.config.ts';
import { afterwards, describeOnEachStore, inject, startTestGateway } from '../harness.ts';

/** A live gateway encrypts its secrets. */
const SECRET_KEYS = new KeyRing([randomBytes(32)]);

describeOnEachStore('a gateway', (_open, database) => {
  /** A function that starts a gateway on one database, and returns the status for each key. */
  async function gateways() {
    const { connect } = await database();
    return async (keyPolicy: GatewayOptions['keyPolicy']) => {
      const store = connect();
      const gateway = await createGateway({
        store,
        publicUrl: () => '',
        secretKeys: SECRET_KEYS,
        ...(keyPolicy && { keyPolicy }),
        ...(keyPolicy?.live && LIVE_CARRIERS),
      });
      afterwards(() => gateway.close());
      const statusOf = async (key: string) => {
        const headers = { authorization: `Bearer ${key}` };
        return (await inject(gateway, { url: '/merchant/balance', headers })).statusCode;
      };
      return { store, gateway, statusOf };
    };
  }

  it('accepts the demo key only while it runs as a demo', async () => {
    const start = await gateways();
    const demo = await start({ demo: true });
    const { key } = await demoMerchant(demo.store, SECRET_KEYS);
    expect(await demo.statusOf(key)).toBe(200);
    await demo.gateway.close();
    for (const keyPolicy of [undefined, { demo: false }])
      expect(await (await start(keyPolicy)).statusOf(key)).toBe(401);
    expect(await (await start({ demo: true })).statusOf(key)).toBe(200);
  });

  it.each([
    { live: false, other: `sk_live_${'x'.repeat(32)}` },
    { live: true, other: `sk_test_${'x'.repeat(32)}` },
  ])('with live $live accepts no key of the other kind, even if its hash is stored', async ({ live, other }) => {
    const { store, statusOf } = await (await gateways())({ live });
    const key = await store.unit(async (db) => {
      const { id } = await createMerchant(db, 'Shop', START);
      await db.run(
        "insert into api_keys (id, merchant_id, hash, hint, created_at, live) values ('key_other', ?, ?, '', 0, ?)",
        ...[id, hashKey(other), live ? 1 : 0],
      );
      return (await createApiKey(db, id, START, { live })).key;
    });
    expect(key).toMatch(live ? /^sk_live_/ : /^sk_test_/);
    expect([await statusOf(key), await statusOf(other)]).toEqual([200, 401]);
  });
});

describeOnEachStore('the demo merchant', (open) => {
  it('is the same at every start, and regains its revoked key', async () => {
    const store = await open();
    const first = await demoMerchant(store, NO_KEYS);
    const [{ id = '' } = {}] = await listApiKeys(store.read, first.merchantId);
    await store.unit((db) => revokeApiKey(db, first.merchantId, id, START));
    expect(await demoMerchant(store, NO_KEYS)).toEqual(first);
    expect((await listApiKeys(store.read, first.merchantId)).map(({ revoked }) => revoked)).toEqual([false]);
  });
});

describeOnEachStore('a disabled merchant', (open) => {
  it('gets 401 until it is enabled, while its open transactions continue', async () => {
    const { gateway, call, merchant } = await startTestGateway({ store: await open() });
    const { store } = gateway;
    const balance = async () => (await call('GET', '/merchant/balance')).status;
    const { body } = await call('POST', '/payments', paymentRequest());
    expect(await store.unit((db) => disableMerchant(db, merchant.id, START))).toBe(true);
    expect(await store.unit((db) => disableMerchant(db, merchant.id, START))).toBe(false);
    // A recently used key is cached for a second.
    await expect.poll(balance).toBe(401);
    await gateway.idle();
    const events = await store.read.all('select body from events where transaction_id = ?', body.transaction_id);
    expect(events.map((event) => JSON.parse(String(event['body'])).status)).toEqual(['PAY_CONFIRMATION_NEEDED']);
    expect(await store.unit((db) => enableMerchant(db, merchant.id))).toBe(true);
    expect(await store.unit((db) => enableMerchant(db, merchant.id))).toBe(false);
    expect(await balance()).toBe(200);
  });
});
