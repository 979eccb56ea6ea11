/** Merchants as operators see them, with wallets, signing secrets and settlements. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { REMEMBERED_MS } from '../../../gateway/src/http/key-holders.ts';
import { DAY_MS } from '../../../gateway/src/ledger/settlements.ts';
import { createWallet, postEntry } from '../../../gateway/src/ledger/wallets.ts';
import { AuditQueue } from '../../../gateway/src/management/audit.ts';
import { SETTLEMENT_COLUMNS } from '../../../gateway/src/management/settlements.ts';
import { disableMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { AMOUNT_MAX, addLargeEntries } from '../harness/books.ts';
import { createPosting, fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { createCaller } from '../harness/gateway.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import { judgeDelivery } from '../sandbox/webhooks.ts';
import { CONFIRMATION_NEEDED, startOperated } from './operator.ts';

/** A valid key is looked up again within a second. */
const CACHED = { interval: REMEMBERED_MS / 5, timeout: 60_000 };

describeOnEachStore('merchants', (open) => {
  it('are listed page by page by number, including disabled ones', async () => {
    const { test, operator } = await startOperated(await open());
    const merchants = [test, await test.addMerchant('Second'), await test.addMerchant('Third')].map(
      (one) => one.merchant,
    );
    const { store } = test.gateway;
    await store.unit((db) => disableMerchant(db, merchants[1]?.id ?? 0, test.clock.now()));
    const first = (await operator.call('GET', '/management/merchants?limit=2')).body;
    const second = (await operator.call('GET', `/management/merchants?limit=2&cursor=${first.next_cursor}`)).body;
    const created_at = new Date(test.clock.now()).toISOString();
    expect([...first.data, ...second.data]).toEqual(
      merchants.map(({ id, name }, index) => {
        return { id, name, created_at, ...(index === 1 && { disabled_at: created_at }) };
      }),
    );
    expect(second).not.toHaveProperty('next_cursor');
    const one = await operator.call('GET', `/management/merchants/${merchants[1]?.id}`);
    expect(one.body).toEqual(first.data[1]);
  });

  it('are created with a key, a secret and wallets, and lose access while disabled or with a revoked key', async () => {
    const { test, operator } = await startOperated(await open());
    const approver = await addOperator(test, 'Lee', 'approve');
    const created = await operator.call('POST', '/management/merchants', { name: 'Chai', currencies: ['INR', 'EGP'] });
    expect(created).toMatchObject({
      status: 201,
      body: { merchant: { name: 'Chai' }, api_key: { key: expect.stringMatching(/^sk_live_/) } },
    });
    const { merchant, api_key: first, signing_secret: secret } = created.body;
    expect(secret).toMatch(/^whsec_/);
    const path = `/management/merchants/${merchant.id}`;
    expect((await operator.call('GET', `${path}/wallets`)).body.data).toMatchObject([
      { currency: 'EGP', available: 0 },
      { currency: 'INR', available: 0 },
    ]);
    const second = (await approver.call('POST', `${path}/keys`, { reason: 'For the second shop' })).body;
    const status = async (key: string) => (await createCaller(test.gateway, key)('GET', '/merchant/balance')).status;
    const statuses = () => Promise.all([status(first.key), status(second.key)]);
    expect(await statuses()).toEqual([200, 200]);
    expect((await operator.call('POST', `${path}/disable`)).body.disabled_at).toBeDefined();
    expect((await operator.call('POST', `${path}/disable`)).status).toBe(409);
    await expect.poll(statuses, CACHED).toEqual([401, 401]);
    expect((await operator.call('POST', `${path}/enable`)).body).not.toHaveProperty('disabled_at');
    expect((await operator.call('POST', `${path}/enable`)).status).toBe(409);
    const { body } = await operator.call('POST', `${path}/keys/${first.id}/revoke`);
    expect(body.data).toMatchObject([{ id: first.id, revoked_at: expect.any(String) }, { id: second.id }]);
    expect((await operator.call('POST', `${path}/keys/${first.id}/revoke`)).status).toBe(404);
    await expect.poll(statuses, CACHED).toEqual([401, 200]);
    const listed = await operator.call('GET', `${path}/keys`);
    const changes = await operator.call('GET', '/management/changes');
    for (const text of [first.key, second.key, secret]) expect(listed.text + changes.text).not.toContain(text);
    expect(changes.body.data.map(({ action }: { action: string }) => action)).toEqual([
      ...['revokeApiKey', 'enableMerchant', 'disableMerchant', 'createApiKey', 'createMerchant'],
    ]);
  });

  it('have wallets, and a ledger with the exact balance after each entry, above 2^53 too', async () => {
    const { test, operator } = await startOperated(await open());
    const { store } = test.gateway;
    const { merchant } = test;
    const path = `/management/merchants/${merchant.id}`;
    const add = (amount: number, now: number) => {
      const entry = { from: 'bank', to: 'available', amount, reason: 'funded' } as const;
      return store.unit((db) => postEntry(db, entry, createPosting(merchant, { now })));
    };
    await store.unit((db) => createWallet(db, merchant.id, 'EGP', START));
    await addLargeEntries(store, merchant, 3);
    // Entries are listed by their ids. As if the debits came first, the balance rises to three amounts.
    await store.unit((db) =>
      db.run("update ledger_entries set id = substr(id, 1, 14) || '9' || substr(id, 16) where reason = 'drained'"),
    );
    await add(7, START + 1_000);
    const first = (await operator.call('GET', `${path}/ledger?currency=INR&limit=3`)).body;
    await add(100, START + 2_000);
    const second = (await operator.call('GET', `${path}/ledger?currency=INR&limit=5&cursor=${first.next_cursor}`)).body;
    const totals = [...first.data, ...second.data].map(({ balance }) => balance.total);
    const times = (count: number) => String(BigInt(count) * BigInt(AMOUNT_MAX));
    expect(totals).toEqual(['7', times(0), times(1), times(2), times(3), times(2), times(1)]);
    expect((await operator.call('GET', `${path}/ledger?currency=EGP`)).body).toEqual({ data: [] });
    expect((await operator.call('GET', `${path}/wallets`)).body.data).toMatchObject([
      { currency: 'EGP', available: 0, pending: 0, reserved: 0 },
      { currency: 'INR', available: 107, pending: 0, reserved: 0 },
    ]);
  });
});

describeOnEachStore('the methods of a merchant', (open) => {
  async function start() {
    const initiate: Channel['initiate'] = async () => CONFIRMATION_NEEDED;
    const operated = await startOperated(await open(), { channels: [{ ...BANK, initiate }] });
    const { test, operator } = operated;
    const path = `/management/merchants/${test.merchant.id}/methods`;
    const set = (method: string, body: object) => operator.call('PUT', `${path}/${method}`, body);
    /** Creates a transaction once the settings are in effect. Returns its status and the reason of a decline. */
    const outcome = async (kind: string, body: object, { call } = test as Pick<typeof test, 'call'>) => {
      const { transaction_id: id } = (await call('POST', `/${kind}`, body)).body;
      await test.gateway.idle();
      const { status, decline_reason: reason } = (await call('GET', `/${kind}/${id}`)).body;
      return reason ?? status;
    };
    const pay = (amount: number, merchant?: Pick<typeof test, 'call'>) =>
      outcome('payments', paymentRequest({ amount, callback_url: 'https://shop.invalid/hook' }), merchant);
    return { ...operated, path, set, pay, outcome };
  }

  it('narrow the limits of the gateway, for this merchant alone', async () => {
    const { test, operator, path, set, pay } = await start();
    const other = await test.addMerchant('Other');
    const { body } = await set('payment/UPI_IN', { min: 10_000, max: 60_000, per_day: 100_000, reason: 'New' });
    const gateway_limits = { min: 100, max: 10_000_000, per_day: 20_000_000, per_month: 100_000_000 };
    const limits = { ...gateway_limits, min: 10_000, max: 60_000, per_day: 100_000 };
    expect(body.data[0]).toMatchObject({ method: 'UPI_IN', enabled: true, limits, gateway_limits });
    expect((await test.call('GET', path)).body).toEqual(body);
    expect((await other.call('GET', path)).status).toBe(404);
    await expect.poll(() => pay(9_999), CACHED).toBe('INVALID_AMOUNT');
    expect(await pay(60_001)).toBe('INVALID_AMOUNT');
    expect(await pay(60_000)).toBe('PAY_CONFIRMATION_NEEDED');
    expect(await pay(50_000)).toBe('LIMIT_EXCEEDED');
    expect(await pay(9_999, other)).toBe('PAY_CONFIRMATION_NEEDED');
    const [declined] = (await operator.call('GET', '/management/payments?decline_reason=LIMIT_EXCEEDED')).body.data;
    const details = (await operator.call('GET', `/management/payments/${declined.transaction_id}`)).body;
    expect(details.decline.limits).toContainEqual({ limit: 'per_day', amount: 100_000, value: 60_000, exceeded: true });
    await set('payment/UPI_IN', {});
    await expect.poll(() => pay(9_999), CACHED).toBe('PAY_CONFIRMATION_NEEDED');
    const changes = (await operator.call('GET', '/management/changes')).body.data;
    expect(changes.map(({ subject, reason }: { subject: string; reason: string }) => [subject, reason])).toEqual([
      ['payment UPI_IN {}', undefined],
      ['payment UPI_IN {"min":10000,"max":60000,"per_day":100000}', 'New'],
    ]);
  });

  it('decline a disabled method, and keep the settings of the others', async () => {
    const { test, set, pay, outcome } = await start();
    await fund(test.gateway.store, test.merchant, 1_000_000);
    await set('payment/UPI_IN', { max: 60_000 });
    const { body } = await set('payout/IMPS_IN', { enabled: false });
    expect(body.data.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([true, false]);
    const payout = () => outcome('payouts', payoutRequest({ callback_url: 'https://shop.invalid/hook' }));
    await expect.poll(payout, CACHED).toBe('METHOD_NOT_SUPPORTED');
    expect(await pay(60_001)).toBe('INVALID_AMOUNT');
    expect((await test.call('GET', '/merchant/balance')).body).toMatchObject({ balances: [{ available: 1_000_000 }] });
  });

  it.each([
    ['/max', { max: 10_000_001 }],
    ['/min', { min: 60_000, max: 50_000 }],
  ])('refuse an invalid %s and stay as they were', async (pointer, body) => {
    const { operator, path, set } = await start();
    const before = (await operator.call('GET', path)).body;
    expect(await set('payment/UPI_IN', body)).toMatchObject({ status: 400, body: { violations: [{ pointer }] } });
    expect((await operator.call('GET', path)).body).toEqual(before);
    expect((await set('payment/IMPS_IN', {})).status).toBe(404);
    expect((await operator.call('GET', '/management/changes')).body.data).toEqual([]);
  });
});

it('unknown merchants, and cursors of other lists, are refused', async () => {
  const { operator } = await startOperated(await openTestSqlite());
  const get = async (path: string) => (await operator.call('GET', `/management/${path}`)).body;
  for (const part of ['', '/wallets', '/ledger?currency=INR', '/signing-secrets'])
    expect((await get(`merchants/99999${part}`)).status, part).toBe(404);
  expect((await get('merchants/0')).violations).toMatchObject([{ pointer: '/merchant_id' }]);
  for (const path of ['merchants', 'payments', 'payouts', 'events', 'stopped-urls', 'changes'])
    expect((await get(`${path}?cursor=led_1`)).violations, path).toMatchObject([{ pointer: '/cursor' }]);
});

describe('signing secrets', () => {
  it('are listed without the secrets, and a rotation returns the new one once', async () => {
    const { test, operator, receiver, decline } = await startOperated(await openTestSqlite());
    const path = `/management/merchants/${test.merchant.id}/signing-secrets`;
    const made = (await operator.call('POST', `${path}/rotate`, { overlap: '10m' })).body;
    expect(made.secret).toMatch(/^whsec_/);
    expect(Date.parse(made.previous_expires_at) - test.clock.now()).toBe(600_000);
    await decline();
    const [first] = receiver.requests;
    for (const secret of [test.secret, made.secret])
      expect(first && (await judgeDelivery(first, secret, test.clock.now()))).toBe('valid');
    const listed = await operator.call('GET', path);
    expect(listed.text).not.toContain('whsec_');
    expect(listed.body.data).toEqual([
      expect.objectContaining({ valid: true, expires_at: made.previous_expires_at }),
      {
        ...{ id: made.id, created_at: expect.any(String), valid: true },
        encrypted_with: expect.stringMatching(/^[0-9a-f]{8}$/),
      },
    ]);
    const changes = await operator.call('GET', '/management/changes');
    expect(changes.body.data).toMatchObject([
      { action: 'rotateSigningSecret', subject: made.id, merchant_id: test.merchant.id },
    ]);
    const recorded = JSON.stringify(await test.gateway.store.read.all('select * from operator_changes'));
    expect(recorded + changes.text).not.toContain('whsec_');
  });

  it('are revoked, the only valid one by force alone', async () => {
    const { test, operator, receiver, decline } = await startOperated(await openTestSqlite());
    const path = `/management/merchants/${test.merchant.id}/signing-secrets`;
    const { id } = (await operator.call('POST', `${path}/rotate`)).body;
    const revoked = await operator.call('POST', `${path}/${id}/revoke`);
    expect(revoked.body.data.map(({ valid }: { valid: boolean }) => valid)).toEqual([true, false]);
    expect((await operator.call('POST', `${path}/${id}/revoke`)).status).toBe(404);
    const [{ id: only }] = revoked.body.data;
    const refused = await operator.call('POST', `${path}/${only}/revoke`);
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('force') } });
    expect((await operator.call('POST', `${path}/${only}/revoke`, { force: true })).status).toBe(200);
    await decline();
    expect(receiver.requests).toEqual([]);
    expect((await operator.call('GET', '/management/changes')).body.data).toMatchObject([
      { action: 'revokeSigningSecret', subject: only },
      { action: 'revokeSigningSecret', subject: id },
      { action: 'rotateSigningSecret', subject: id },
    ]);
  });

  it('are isolated between merchants, and few expired ones are kept', async () => {
    const { test, operator } = await startOperated(await openTestSqlite());
    const other = await test.addMerchant('Other');
    const path = (merchantId: number) => `/management/merchants/${merchantId}/signing-secrets`;
    const { id } = (await operator.call('POST', `${path(other.merchant.id)}/rotate`)).body;
    expect((await operator.call('POST', `${path(test.merchant.id)}/${id}/revoke`)).status).toBe(404);
    for (let count = 0; count < 10; count++) {
      await operator.call('POST', `${path(test.merchant.id)}/rotate`, { overlap: '0s' });
    }
    const { data } = (await operator.call('GET', path(test.merchant.id))).body;
    expect(data.map(({ valid }: { valid: boolean }) => valid)).toEqual([...Array(5).fill(false), true]);
    const long = await operator.call('POST', `${path(test.merchant.id)}/rotate`, { overlap: '31d' });
    expect([long.status, long.body.violations[0].pointer]).toEqual([400, '/overlap']);
  });
});

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const DATE = dateOf(START);

describe('the settlements of a day', () => {
  it('list each wallet page by page, with every documented member', async () => {
    const { test, operator } = await startOperated(await openTestSqlite());
    const { store } = test.gateway;
    const other = await test.addMerchant('Other');
    await fund(store, test.merchant, 300);
    await fund(store, other.merchant, 200);
    const list = async (query: string) =>
      (await operator.call('GET', `/management/settlements?date=${DATE}&${query}`)).body;
    const first = await list('limit=1');
    const second = await list(`limit=1&cursor=${first.next_cursor}`);
    expect(Object.keys(first.data[0])).toEqual(SETTLEMENT_COLUMNS);
    expect(first.data).toMatchObject([{ merchant_id: test.merchant.id, currency: 'INR', closing_available: '300' }]);
    expect(second.data).toMatchObject([
      { date: DATE, opening_available: '0', moved_funded: '200', closing_available: '200' },
    ]);
    expect(await list(`merchant_id=${other.merchant.id}`)).toEqual({ data: second.data });
  });

  it('cover a day of the last month, which may be incomplete', async () => {
    const { test, operator } = await startOperated(await openTestSqlite());
    const call = async (query: string) => (await operator.call('GET', `/management/settlements?${query}`)).body;
    test.clock.advance(DAY_MS);
    for (const days of [1, -30]) expect(await call(`date=${dateOf(START + days * DAY_MS)}`)).toEqual({ data: [] });
    for (const date of [dateOf(START - 31 * DAY_MS), dateOf(START + 2 * DAY_MS), '2026-02-30', ''])
      expect(await call(`date=${date}`), date).toMatchObject({ status: 400, violations: [{ pointer: '/date' }] });
    expect((await call('')).status).toBe(400);
    expect((await call(`date=${DATE}&cursor=1`)).status).toBe(400);
  });
});

it("audits run one after the other, each merchant's once, even after a failed one, and at most 20 wait", async () => {
  const refused = { problem: 'rate-limited', headers: { 'retry-after': '1' } };
  const queue = new AuditQueue();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let running = 0;
  const failing = queue.run(0, () => Promise.reject(new Error('broken')));
  const work = async () => {
    expect(++running).toBe(1);
    await released;
    running -= 1;
    return 'done';
  };
  const taken = Array.from({ length: 19 }, (_, index) => queue.run(index + 1, work));
  await expect(failing).rejects.toThrow('broken');
  taken.push(queue.run(0, work));
  await expect(queue.run(1, work)).rejects.toMatchObject(refused);
  await expect(queue.run(20, work)).rejects.toMatchObject(refused);
  release();
  expect(await Promise.all(taken)).toEqual(Array(20).fill('done'));
  expect(await queue.run(20, work)).toBe('done');
});
