import { expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { createApiKey, DEMO_KEY, insertDemoKey } from '../../../gateway/src/merchants/api-keys.ts';
import { paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { describeOnEachDriver } from '../harness/stores.ts';
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

describeOnEachDriver('the reset of a merchant', (open) => {
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

  it('drops a webhook in flight, without an error', async () => {
    const store = await open();
    let respond = () => undefined as unknown;
    const { test, receiver, logged } = await busy(store, (response) => response.writeHead(204).end());
    receiver.respondWith((response) => {
      respond = () => response.writeHead(410).end();
    });
    const callback_url = receiver.address;
    const before = receiver.requests.length;
    await test.call('POST', '/payments', paymentRequest({ callback_url, customer: { id: 'decline-BANK_REJECTED' } }));
    await receiver.received(before + 1);
    await test.call('POST', '/sandbox/merchant/reset');
    respond();
    await finish(test);
    expect(logged).toEqual([]);
  });

  it('refunds the demo merchant', async () => {
    const store = await open();
    const test = await startTestGateway({ store, sandbox: true, keyPolicy: { demo: true } });
    await store.unit((db) => insertDemoKey(db, test.merchant.id, 0));
    await test.call('POST', '/sandbox/wallets/INR/fund', { amount: 7 });
    expect((await test.call('POST', '/sandbox/merchant/reset')).status).toBe(200);
    const { body } = await test.call('GET', '/merchant/balance', undefined, { authorization: `Bearer ${DEMO_KEY}` });
    expect(body.balances).toContainEqual(expect.objectContaining({ currency: 'INR', available: 100_000_000 }));
  });
});

describeOnEachDriver('the deletion of a merchant', (open) => {
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
    await finish(test);
    expect(logged).toEqual([]);
  });

  it('never reuses its number', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: true });
    await test.call('DELETE', '/sandbox/merchant');
    const other = await test.addMerchant('Other');
    expect(other.merchant.id).toBeGreaterThan(test.merchant.id);
  });

  it('is refused for the demo merchant', async () => {
    const store = await open();
    const test = await startTestGateway({ store, sandbox: true, keyPolicy: { demo: true } });
    await store.unit((db) => insertDemoKey(db, test.merchant.id, 0));
    const { status: code, body } = await test.call('DELETE', '/sandbox/merchant');
    expect({ code, detail: body.detail }).toEqual({ code: 409, detail: expect.stringContaining('/reset') });
    expect((await test.call('GET', '/merchant/balance')).status).toBe(200);
  });
});
