/** Merchants created without an account: who may create them, and limits on their number and lifetime. */
import { describe, expect, it } from 'vitest';
import { startGateway } from '../../../gateway/src/index.ts';
import { listMerchants } from '../../../gateway/src/merchants/merchants.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { describeOnEachStore, startTestGateway, type TestGateway, type TestGatewayOptions } from '../harness.ts';

const SANDBOX_KEY = 'a-sandbox-key-of-enough-characters';
const DAY_MS = 24 * 60 * 60_000;

type Policy = TestGatewayOptions['sandboxMerchants'];

function start(sandboxMerchants?: Policy, options: TestGatewayOptions = {}) {
  return startTestGateway({ sandbox: true, ...(sandboxMerchants && { sandboxMerchants }), ...options } as object);
}

const create = ({ call }: Pick<TestGateway, 'call'>, authorization?: string) =>
  call('POST', '/sandbox/merchants', {}, { authorization });

describe('the creation of a merchant', () => {
  it('requires the sandbox key if there is one', async () => {
    const test = await start({ sandboxKey: SANDBOX_KEY });
    for (const wrong of [undefined, `Bearer ${test.key}`, `Bearer ${SANDBOX_KEY}!`, 'Bearer x', SANDBOX_KEY]) {
      const refused = await create(test, wrong);
      expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
      expect(refused.body.detail).toContain('SANDBOX_KEY');
    }
    expect((await create(test, `Bearer ${SANDBOX_KEY}`)).status).toBe(201);
  });

  it('requires no key otherwise', async () => {
    expect((await create(await start())).status).toBe(201);
  });
});

describe('a gateway started by a test', () => {
  it('refuses anonymous merchants if others can reach it', async () => {
    await using gateway = Object.assign(await startGateway({ host: '0.0.0.0' }), {
      async [Symbol.asyncDispose]() {
        await gateway.close();
      },
    });
    expect((await gateway.addMerchant()).key).toMatch(/^sk_test_/);
    const response = await fetch(`${gateway.url}/sandbox/merchants`, { method: 'POST' });
    expect(response.status).toBe(401);
  });
});

describeOnEachStore('merchants without an account', (open) => {
  it('are limited by the setting, unlike merchants of commands', async () => {
    const test = await start({ sandboxMerchantsMax: 2, sandboxMerchantDays: 7 }, { store: await open() });
    const [first] = [await create(test), await create(test)];
    test.clock.advance(DAY_MS);
    const refused = await create(test);
    expect(refused).toMatchObject({
      status: 429,
      body: { title: 'Too many requests' },
      headers: { 'retry-after': String((6 * DAY_MS) / 1_000) },
    });
    expect(refused.body.detail).toContain('SANDBOX_MERCHANTS_MAX');
    const authorization = `Bearer ${first.body.key}`;
    expect((await test.call('DELETE', '/sandbox/merchant', undefined, { authorization })).status).toBe(204);
    expect((await create(test)).status).toBe(201);
  });

  it('are limited by the setting even if many are created concurrently', async () => {
    const test = await start({ sandboxMerchantsMax: 5 }, { store: await open() });
    const created = await Promise.all(Array.from({ length: 20 }, () => create(test)));
    expect(created.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(15).fill(429)]);
  });

  it('are limited in number even if they never expire', async () => {
    const test = await start({ sandboxMerchantsMax: 1, sandboxMerchantDays: 0 }, { store: await open() });
    expect((await create(test)).body).not.toHaveProperty('expires_at');
    expect(await create(test)).toMatchObject({ status: 429, headers: { 'retry-after': String(DAY_MS / 1_000) } });
  });

  it('are deleted with all their data when they expire', async () => {
    const store = await open();
    const test = await start({ sandboxMerchantDays: 2 }, { store });
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

  it('are deleted at the next start if they expired without a running gateway', async () => {
    const store = await open();
    await store.unit((db) =>
      db.run("insert into merchants (id, name, created_at, expires_at) values (20001, 'Old', 0, ?)", START - 1),
    );
    const test = await start({}, { store });
    await expect
      .poll(async () => (await listMerchants(store.read, 0, 1_000)).map(({ id }) => id))
      .toEqual([test.merchant.id]);
  });

  it('stay without a limit of days', async () => {
    const store = await open();
    const test = await start({ sandboxMerchantDays: 0 }, { store });
    const { body } = await create(test);
    expect(body).not.toHaveProperty('expires_at');
    test.clock.advance(4_000 * DAY_MS);
    await test.gateway.idle();
    expect((await listMerchants(store.read, 0, 1_000)).map(({ id }) => id)).toContain(body.merchant_id);
  });
});
