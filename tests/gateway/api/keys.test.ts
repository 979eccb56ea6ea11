/** API keys and the policies that accept them. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoMerchant } from '../../../gateway/src/commands/demo.ts';
import { KeyHolders } from '../../../gateway/src/http/key-holders.ts';
import { createApiKey, hashKey, revokeApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createMerchant, disableMerchant, enableMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import { createGateway, type GatewayOptions } from '../../../gateway/src/server.ts';
import { fund, paymentRequest, START } from '../harness/fixtures.ts';
import LIVE_CARRIERS from '../harness/live.config.ts';
import {
  afterwards,
  inject,
  sqliteDatabase,
  startTestGateway,
  type TestGateway,
  type TestMerchant,
} from '../harness.ts';

describe('a merchant', () => {
  let test: TestGateway;
  let other: TestMerchant;

  beforeAll(async () => {
    test = await startTestGateway();
    other = await test.addMerchant('Other merchant');
    await fund(test.gateway.store, test.merchant, 1_000_000);
  });

  it('is recognized by a case-insensitive scheme, and by each unrevoked key', async () => {
    const { store } = test.gateway;
    const { id, key } = await store.unit((db) => createApiKey(db, test.merchant.id, test.clock.now()));
    const balance = (authorization: string) => test.call('GET', '/merchant/balance', undefined, { authorization });
    expect((await balance(`bearer ${test.key}`)).body.merchant_id).toBe(test.merchant.id);
    const { key: unused, id: unusedId } = await store.unit((db) =>
      createApiKey(db, test.merchant.id, test.clock.now()),
    );
    expect((await balance(`Bearer ${key}`)).body.merchant_id).toBe(test.merchant.id);
    expect(await store.unit((db) => revokeApiKey(db, other.merchant.id, unusedId, test.clock.now()))).toBe(false);
    expect(await store.unit((db) => revokeApiKey(db, test.merchant.id, unusedId, test.clock.now()))).toBe(true);
    expect((await balance(`Bearer ${unused}`)).status).toBe(401);
    expect(await store.unit((db) => revokeApiKey(db, test.merchant.id, id, test.clock.now()))).toBe(true);
    expect((await balance(`Bearer ${test.key}`)).status).toBe(200);
  });

  const MISSING = 'Missing API key. Send `Authorization: Bearer <key>`.';
  it.each([
    ['text after the key', (key: string) => `Bearer ${key} x`, MISSING],
    ['a longer key', (key: string) => `Bearer ${key}${'x'.repeat(300)}`, MISSING],
    ['no key', () => 'Bearer ', MISSING],
    ['an unknown key', () => 'Bearer sk_test_unknown', /^Invalid API key\. Check that it is complete/],
  ])('is refused with %s, and told the reason', async (_what, header, detail) => {
    const authorization = header(test.key);
    const { status, headers, body } = await test.call('GET', '/merchant/balance', undefined, { authorization });
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(body.detail).toMatch(detail);
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

it('a disabled merchant gets 401 until it is enabled, while its open transactions continue', async () => {
  const { gateway, call, merchant } = await startTestGateway();
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

describe('the cached holder of a key', () => {
  const refusals = { missing: 'missing', invalid: 'invalid' };

  it('is not cached by a lookup that began before it was forgotten', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const holders = new KeyHolders({
      rates: { countUnknownKey: () => () => undefined },
      find: () => promise,
      refusals,
    });
    const found = holders.find('key', '127.0.0.1');
    holders.forget(() => true);
    resolve('merchant');
    expect(await found).toBe('merchant');
    expect(holders.remembered('key')).toBeUndefined();
  });

  it('is cached until it is forgotten, or too many are cached', async () => {
    const rates = { countUnknownKey: () => () => undefined };
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
