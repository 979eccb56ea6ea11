/** API keys and the policies that accept them. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoMerchant } from '../../../gateway/src/commands/demo.ts';
import { KeyHolders } from '../../../gateway/src/http/key-holders.ts';
import { createApiKey, hashKey, revokeApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import { createGateway, type GatewayOptions } from '../../../gateway/src/server.ts';
import { START } from '../harness/fixtures.ts';
import LIVE_CARRIERS from '../harness/live.config.ts';
import { afterwards, inject, sqliteDatabase, startTestGateway, type TestGateway } from '../harness.ts';

describe('a merchant', () => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway();
  });

  it('is recognized by a case-insensitive scheme, and by each key that it has not revoked', async () => {
    const { gateway, merchant, clock, call } = test;
    const { merchant: other } = await test.addMerchant('Other merchant');
    const { id, key } = await gateway.store.unit((db) => createApiKey(db, merchant.id, clock.now()));
    const balance = (authorization: string) => call('GET', '/merchant/balance', undefined, { authorization });
    const revoke = (by: number) => gateway.store.unit((db) => revokeApiKey(db, by, id, clock.now()));
    expect((await balance(`bearer ${test.key}`)).body.merchant_id).toBe(merchant.id);
    expect(await revoke(other.id)).toBe(false);
    expect((await balance(`Bearer ${key}`)).body.merchant_id).toBe(merchant.id);
    expect(await revoke(merchant.id)).toBe(true);
    // A recently used key is cached for a second.
    await expect.poll(async () => (await balance(`Bearer ${key}`)).status, { timeout: 5_000 }).toBe(401);
    expect((await balance(`Bearer ${test.key}`)).status).toBe(200);
  });

  it.each([
    ['a longer key', (key: string) => `Bearer ${key}${'x'.repeat(300)}`, 'Send `Authorization: Bearer <key>`.'],
    ['an unknown key', () => 'Bearer sk_test_unknown', 'Invalid API key. Check that it is complete'],
  ])('is refused with %s, and told the reason', async (_what, header, detail) => {
    const authorization = header(test.key);
    const { status, headers, body } = await test.call('GET', '/merchant/balance', undefined, { authorization });
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(body.detail).toContain(detail);
  });

  it('has only hashes of its keys in the store', async () => {
    const rows = await test.gateway.store.read.all('select * from api_keys');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(test.key.slice(0, -4));
  });
});

/** A live gateway encrypts its secrets. */
const SECRET_KEYS = new KeyRing([randomBytes(32)]);

describe('a gateway', () => {
  /** A function that starts a gateway on one database, and returns the status for each key. */
  async function gateways() {
    const { connect } = await sqliteDatabase();
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
    const { key } = await demoMerchant(demo.gateway.store);
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

describe('the cached holder of a key', () => {
  const rates = { countUnknownKey: () => () => undefined };
  const refusals = { missing: 'missing', invalid: 'invalid' };

  it('is not cached by a lookup that began before it was forgotten', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const holders = new KeyHolders({ rates, find: () => promise, refusals });
    const found = holders.find('key', '127.0.0.1');
    holders.forget(() => true);
    resolve('merchant');
    expect(await found).toBe('merchant');
    expect(holders.remembered('key')).toBeUndefined();
  });

  it('is cached until it is forgotten, or too many are cached', async () => {
    const holders = new KeyHolders({ rates, find: async (key) => key, refusals });
    await holders.find('key', '127.0.0.1');
    holders.forget((holder) => holder === 'other');
    expect(holders.remembered('key')).toBe('key');
    holders.forget((holder) => holder === 'key');
    expect(holders.remembered('key')).toBeUndefined();
    await holders.find('first', '127.0.0.1');
    for (let number = 0; number < 10_000; number++) await holders.find(`key-${number}`, '127.0.0.1');
    expect(holders.remembered('first')).toBeUndefined();
    expect(holders.remembered('key-9999')).toBe('key-9999');
  });
});
