/** Creation, reset and deletion of a sandbox's merchants. */
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { readApiDocument } from '../../../gateway/src/http/gateway-apis.ts';
import { startGateway } from '../../../gateway/src/index.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { createApiKey, DEMO_KEY, insertDemoKey } from '../../../gateway/src/merchants/api-keys.ts';
import { listMerchants } from '../../../gateway/src/merchants/merchants.ts';
import { paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import type { TestGatewayOptions } from '../harness.ts';
import { type Respond, startReceiver, status } from '../webhooks/receiver.ts';

/** The number of a merchant's rows in each table with merchants, except empty ones. */
async function countRows({ kind, read }: Store, merchantId: number): Promise<Record<string, number>> {
  const columns =
    kind === 'sqlite'
      ? await read.all(
          "select m.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'merchant_id'",
        )
      : await read.all(
          "select table_name as name from information_schema.columns where table_schema = current_schema() and column_name = 'merchant_id'",
        );
  const counted: Record<string, number> = {};
  for (const { name } of columns) {
    const row = await read.get(`select count(*) as count from ${name} where merchant_id = ?`, merchantId);
    if (row?.['count'] !== 0) counted[String(name)] = Number(row?.['count']);
  }
  const orphans = await read.all(
    'select hash from search_keys where transaction_id not in (select id from transactions)',
  );
  if (orphans.length > 0) counted['search_keys'] = orphans.length;
  return counted;
}

/** A merchant with data of every kind. */
async function busy(store: Store, respond: Respond = status(500)) {
  const logged: object[] = [];
  const receiver = await startReceiver(respond);
  const line = (fields: object) => logged.push(fields);
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: line };
  const test = await startTestGateway({ store, sandbox: true, callbackAllow: ['127.0.0.0/8'], log: log as never });
  const callback_url = `${receiver.address}/hook`;
  await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 9_000_000 });
  await test.call('POST', '/sandbox/clock/advance', { by: '1d' });
  const pay = (id: string) => test.call('POST', '/payments', paymentRequest({ callback_url, customer: { id } }));
  for (const id of ['succeed', 'decline-BANK_REJECTED', 'manual']) expect((await pay(id)).status).toBe(200);
  await test.call('PUT', '/sandbox/channels/payout/IMPS_IN', { condition: 'manual' });
  expect((await test.call('POST', '/payouts', payoutRequest({ callback_url }))).status).toBe(201);
  await test.gateway.idle();
  return { test, receiver, logged };
}

async function finish(test: TestGateway): Promise<void> {
  await test.gateway.idle();
  await test.gateway.close();
}

describeOnEachStore('the reset of a merchant', (open) => {
  it('leaves the merchant with its key and secret, and empty wallets', async () => {
    const store = await open();
    const { test } = await busy(store);
    const other = await test.addMerchant('Other');
    await other.call('POST', '/sandbox/wallets/INR/fund', { amount: 5 });
    const { status: code, body } = await test.call('POST', '/sandbox/merchant/reset');
    expect({ code, body }).toMatchObject({ code: 200, body: { id: test.merchant.id, name: 'Test merchant' } });
    const left = await countRows(store, test.merchant.id);
    const kept = ['api_keys', 'sandbox_settings', 'signing_secrets', 'wallets'];
    // The reset request may itself be logged after the reset.
    expect(
      Object.keys(left)
        .filter((name) => name !== 'sandbox_requests')
        .sort(),
    ).toEqual(kept);
    const wallets = (await test.call('GET', '/merchant/balance')).body;
    expect(JSON.stringify(wallets)).not.toMatch(/"(available|pending|reserved)":[1-9]/);
    expect((await test.call('GET', '/sandbox/clock')).body.ahead_ms).toBe(0);
    expect((await other.call('GET', '/merchant/balance')).body.balances).toContainEqual(
      expect.objectContaining({ available: 5 }),
    );
    expect((await auditStore(store)).differences).toEqual([]);
    expect((await test.call('POST', '/payments', paymentRequest())).status).toBe(200);
  });

  it('keeps the books balanced during requests', async () => {
    const store = await open();
    const { test, logged, receiver } = await busy(store, status(204));
    // Each attempt of an undelivered webhook would stop the clock.
    const callback_url = `${receiver.address}/hook`;
    const going = Array.from({ length: 20 }, async () => {
      await test.call('POST', '/payments', paymentRequest({ callback_url, customer: { id: 'succeed' } }));
      await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 100 });
    });
    const reset = test.call('POST', '/sandbox/merchant/reset');
    await Promise.all([...going, reset]);
    expect((await reset).status).toBe(200);
    await test.gateway.idle();
    await test.call('POST', '/sandbox/clock/advance', { by: '7d' });
    expect((await auditStore(store)).differences).toEqual([]);
    expect(logged).toEqual([]);
  });
});

it('a reset drops a webhook in flight, without an error', async () => {
  const { test, receiver, logged } = await busy(await openTestSqlite(), status(204));
  const responding = Promise.withResolvers<() => void>();
  receiver.respondWith((response) => responding.resolve(() => response.writeHead(410).end()));
  const customer = { id: 'decline-BANK_REJECTED' };
  await test.call('POST', '/payments', paymentRequest({ callback_url: receiver.address, customer }));
  const respond = await responding.promise;
  await test.call('POST', '/sandbox/merchant/reset');
  respond();
  await finish(test);
  expect(logged).toEqual([]);
});

it('the demo merchant gets its money again by a reset, is not deleted, and sees its whole key', async () => {
  const test = await startTestGateway({ sandbox: true, keyPolicy: { demo: true } });
  const credentials = async () => (await test.call('GET', '/sandbox/merchant/credentials')).body;
  const keys = [{ id: expect.stringMatching(/^key_/), hint: `…${test.key.slice(-4)}` }];
  expect(await credentials()).toEqual({ secrets: [test.secret], keys });
  await test.gateway.store.unit((db) => insertDemoKey(db, test.merchant.id, test.clock.now()));
  expect((await credentials()).keys).toContainEqual(expect.objectContaining({ key: DEMO_KEY }));
  await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 7 });
  expect((await test.call('POST', '/sandbox/merchant/reset')).status).toBe(200);
  const { status: code, body } = await test.call('DELETE', '/sandbox/merchant');
  expect([code, body.detail]).toEqual([409, expect.stringContaining('/reset')]);
  const balance = await test.call('GET', '/merchant/balance', undefined, { authorization: `Bearer ${DEMO_KEY}` });
  expect(balance.body.balances).toContainEqual(expect.objectContaining({ currency: 'INR', available: 100_000_000 }));
});

describeOnEachStore('the deletion of a merchant', (open) => {
  it('deletes all its data, and refuses its keys immediately', async () => {
    const store = await open();
    const { test, logged } = await busy(store);
    const { id } = test.merchant;
    const second = await store.unit((db) => createApiKey(db, id, 0));
    const authorization = `Bearer ${second.key}`;
    expect((await test.call('GET', '/merchant/balance', undefined, { authorization })).status).toBe(200);
    const [deleted, meanwhile] = await Promise.all([
      test.call('DELETE', '/sandbox/merchant'),
      test.call('POST', '/payments', paymentRequest()),
    ]);
    expect(deleted.status).toBe(204);
    expect([200, 401]).toContain(meanwhile.status);
    for (const headers of [{}, { authorization }]) {
      expect((await test.call('GET', '/merchant/balance', undefined, headers)).status).toBe(401);
    }
    const left = await countRows(store, id);
    expect(Object.keys(left).filter((name) => name !== 'sandbox_requests')).toEqual([]);
    // Its number is never used again.
    expect((await test.addMerchant('Other')).merchant.id).toBeGreaterThan(id);
    await finish(test);
    expect(logged).toEqual([]);
  });
});

const SANDBOX_KEY = 'a-sandbox-key-of-enough-characters';
const DAY_MS = 24 * 60 * 60_000;

function start(sandboxMerchants: NonNullable<TestGatewayOptions['sandboxMerchants']>, store?: Store) {
  return startTestGateway({ sandbox: true, sandboxMerchants, ...(store && { store }) });
}

const create = ({ call }: Pick<TestGateway, 'call'>, authorization?: string) =>
  call('POST', '/sandbox/merchants', {}, { authorization });

it('the creation of a merchant requires the sandbox key if there is one', async () => {
  const test = await start({ sandboxKey: SANDBOX_KEY });
  for (const wrong of [undefined, `Bearer ${test.key}`, `Bearer ${SANDBOX_KEY}!`, 'Bearer x', SANDBOX_KEY]) {
    const refused = await create(test, wrong);
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(refused.body.detail).toContain('SANDBOX_KEY');
  }
  expect((await create(test, `Bearer ${SANDBOX_KEY}`)).status).toBe(201);
});

it('a gateway started by a test refuses anonymous merchants if others can reach it', async () => {
  await using gateway = Object.assign(await startGateway({ host: '0.0.0.0' }), {
    async [Symbol.asyncDispose]() {
      await gateway.close();
    },
  });
  expect((await gateway.addMerchant()).key).toMatch(/^sk_test_/);
  const response = await fetch(`${gateway.url}/sandbox/merchants`, { method: 'POST' });
  expect(response.status).toBe(401);
});

describeOnEachStore('merchants without an account', (open) => {
  it('are limited by the setting, unlike merchants of commands, even if many are created concurrently', async () => {
    const test = await start({ sandboxMerchantsMax: 5, sandboxMerchantDays: 7 }, await open());
    const created = await Promise.all(Array.from({ length: 20 }, () => create(test)));
    const [first, refused] = [201, 429].map((code) => created.filter((one) => one.status === code));
    expect([first?.length, refused?.length]).toEqual([5, 15]);
    expect(refused?.[0]).toMatchObject({
      headers: { 'retry-after': String((7 * DAY_MS) / 1_000) },
      body: { title: 'Too many requests', detail: expect.stringContaining('SANDBOX_MERCHANTS_MAX') },
    });
    const authorization = `Bearer ${first?.[0]?.body.key}`;
    expect((await test.call('DELETE', '/sandbox/merchant', undefined, { authorization })).status).toBe(204);
    expect((await create(test)).status).toBe(201);
  });

  it('are deleted with all their data when they expire', async () => {
    const store = await open();
    const test = await start({ sandboxMerchantDays: 2 }, store);
    const { body } = await create(test);
    expect(body.expires_at).toBe(new Date(START + 2 * DAY_MS).toISOString());
    const authorization = `Bearer ${body.key}`;
    const payment = paymentRequest({ customer: { id: 'manual' } });
    expect((await test.call('POST', '/payments', payment, { authorization })).status).toBe(200);
    test.clock.advance(2 * DAY_MS - 1);
    await test.gateway.idle();
    expect((await test.call('GET', '/merchant/balance', undefined, { authorization })).status).toBe(200);
    test.clock.advance(1);
    await expect
      .poll(async () => (await listMerchants(store.read, 0, 1_000)).map(({ id }) => id))
      .toEqual([test.merchant.id]);
    expect((await test.call('GET', '/merchant/balance', undefined, { authorization })).status).toBe(401);
    const left = await store.read.get('select count(*) as n from transactions where merchant_id = ?', body.merchant_id);
    expect(left).toEqual({ n: 0 });
    expect((await test.call('GET', '/merchant/balance')).status).toBe(200);
  });
});

const { operations, access } = readApiDocument('sandbox');

const CALLS = operations.map(({ id, method, path }) => ({
  id,
  method: method.toUpperCase() as 'GET',
  path: path.replaceAll(/\{\w+\}/g, 'x'),
}));

describe('an operation of the sandbox', () => {
  it("needs a merchant's key", async () => {
    const test = await startTestGateway({ sandbox: true });
    const operator = await addOperator(test);
    for (const { id, method, path } of CALLS.filter((call) => access.get(call.id)?.isOpen === false)) {
      expect((await test.call(method, path, undefined, { authorization: undefined })).status, id).toBe(401);
      expect((await operator.call(method, path)).status, id).toBe(401);
    }
    expect((await operator.call('GET', '/management/merchants')).status).toBe(200);
  });

  it('is missing without the sandbox, which a gateway with live keys refuses', async () => {
    const test = await startTestGateway();
    for (const { id, method, path } of CALLS) expect((await test.call(method, path)).status, id).toBe(404);
    const started = startTestGateway({ sandbox: true, keyPolicy: { live: true } });
    await expect(started).rejects.toThrow('a gateway with live keys must not have a sandbox');
  });
});
