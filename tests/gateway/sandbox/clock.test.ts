/** Clocks of a sandbox's merchants, and the lease with which one process serves them. */
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { NO_LOG } from '../../../gateway/src/platform/log.ts';
import { systemTimers } from '../../../gateway/src/platform/timers.ts';
import { SANDBOX_LEASE_MS } from '../../../gateway/src/sandbox/lease.ts';
import { MerchantClocks } from '../../../gateway/src/sandbox/merchant-clocks.ts';
import { SandboxState } from '../../../gateway/src/sandbox/sandbox-state.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { balances, confirmation, settled } from '../harness/customer.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { createCaller, startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { inject } from '../harness/inject.ts';
import { openTestSqlite, postgresDatabase } from '../harness/stores.ts';
import { addEvents, addSigningMerchant } from '../webhooks/deliveries.ts';
import { judgeDelivery, startEndpoint } from './webhooks.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

async function create({ call }: Pick<TestGateway, 'call'>): Promise<string> {
  const created = await call('POST', '/payments', paymentRequest({ customer: { id: 'succeed' } }));
  expect(created.status).toBe(200);
  return created.body.transaction_id;
}

describe("a merchant's clock", () => {
  it('expires a payment on time when advanced past it, and is never advanced back', async () => {
    const test = await startTestGateway({ sandbox: true });
    const other = await test.addMerchant('Other');
    const [id, others] = [await create(test), await create(other)];
    await test.gateway.idle();
    const back = await test.call('POST', '/sandbox/clock/advance', { to: '2001-01-01T00:00:00.000Z' });
    expect(back).toMatchObject({ status: 400, body: { violations: [{ pointer: '/to' }] } });
    const advanced = await test.call('POST', '/sandbox/clock/advance', { by: '1h' });
    expect(advanced).toMatchObject({ status: 200, body: { frozen: false, ahead_ms: 60 * MINUTE, reached: true } });
    const expired = await test.call('GET', `/payments/${id}`);
    expect(expired.body).toMatchObject({ status: 'FAILED', decline_reason: 'TIMEOUT_EXPIRED' });
    expect(Date.parse(expired.body.finalized_at) - Date.parse(expired.body.created_at)).toBe(15 * MINUTE);
    expect((await other.call('GET', `/payments/${others}`)).body.status).toBe('PAY_CONFIRMATION_NEEDED');
  });

  it('returns to the real time when released, and leaves written times unchanged', async () => {
    const test = await startTestGateway({ sandbox: true });
    await test.call('POST', '/sandbox/clock/advance', { by: '3d' });
    const id = await create(test);
    await test.gateway.idle();
    const released = await test.call('POST', '/sandbox/clock/release');
    expect(released.body).toMatchObject({ frozen: false, ahead_ms: 0, reached: true });
    const { body: payment } = await test.call('GET', `/payments/${id}`);
    expect(Date.parse(payment.created_at) - test.clock.now()).toBe(3 * DAY);

    await test.call('POST', `/sandbox/payments/${id}/decline`, { decline_reason: 'LIMIT_EXCEEDED' });
    const { timeline } = (await test.call('GET', `/management/payments/${id}`)).body;
    const times: number[] = timeline.map(({ at }: { at: string }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeGreaterThanOrEqual(Date.parse(payment.created_at));
  });

  it('leaves money available when released, and lets later money settle after its delay', async () => {
    const test = await startTestGateway({ sandbox: true });
    const pay = async () => {
      const id = await create(test);
      await test.call('POST', `/payments/${id}/confirm`, confirmation(await settled(test, test.call, id)));
      await test.gateway.idle();
    };
    const inr = async () => (await balances(test.call))['INR'];
    await pay();
    await test.call('POST', '/sandbox/clock/advance', { by: '3d' });
    expect(await inr()).toEqual({ available: 49_900, pending: 0 });
    await test.call('POST', '/sandbox/clock/release');
    expect(await inr()).toEqual({ available: 49_900, pending: 0 });
    await pay();
    expect(await inr()).toEqual({ available: 49_900, pending: 49_900 });
    test.clock.advance(MINUTE);
    expect(await inr()).toEqual({ available: 99_800, pending: 0 });
    expect((await auditStore(test.gateway.store)).differences).toEqual([]);
  });
});

it('a move that always finds due work ends after 20 seconds, and lists the due work', async () => {
  const store = await openTestSqlite();
  const { merchant } = await addSigningMerchant(store);
  await addEvents(store, merchant, ['https://a.test/']);
  const sandboxState = new SandboxState({ store, clock: new ManualClock(START) });
  let looks = 0;
  const get: Store['read']['get'] = async (sql, ...values) => {
    if (!sql.includes('as due')) return store.read.get(sql, ...values);
    if (++looks > 100) throw new Error('the move has no end');
    return { due: 0, count: 0, id: null, address: null };
  };
  const timers = { ...systemTimers, elapsed: () => looks * 1_000 };
  // Its reads don't see when the work is done.
  const blind = { ...store, read: { ...store.read, get } };
  const clocks = new MerchantClocks({ sandboxState, store: blind, wake: () => undefined, timers });
  const { blockedBy } = await clocks.advance(merchant.id, (now) => now + MINUTE);
  expect(blockedBy).toMatch(/^After 20 s these are still due .* webhooks: 1, such as one to https:..a\.test$/);
  expect(sandboxState.at(merchant.id).now - START).toBe(MINUTE);
});

it("the signatures of webhooks have the merchant's time on request", async () => {
  const { test, receiver, decline, advance } = await startEndpoint();
  await test.call('POST', '/sandbox/clock/signatures', { time: 'merchant' });
  await advance('3d');
  await decline();
  const [request] = receiver.requests;
  const verdict = async (now: number) => request && judgeDelivery(request, test.secret, now);
  expect(await verdict(test.clock.now() + 3 * DAY)).toBe('valid');
  expect(await verdict(test.clock.now())).toBe('TIMESTAMP_STALE');
});

/** A gateway that serves a sandbox, and one that waits for its lease, with the same clock. */
async function startTwo() {
  const shared = await postgresDatabase();
  const stores = [shared.connect(), shared.connect()] as const;
  await migrate(stores[0]);
  const clock = new ManualClock(START);
  const lines: string[] = [];
  const write = (_fields: object, line: string) => void lines.push(line);
  const log = { ...NO_LOG, info: write, warn: write };
  const first = await startTestGateway({ store: stores[0], clock, sandbox: true });
  const second = await startTestGateway({ store: stores[1], clock, sandbox: true, log });
  return { first, second: { ...second, call: createCaller(second.gateway, first.key) }, clock, lines };
}

async function readiness({ gateway }: Awaited<ReturnType<typeof startTwo>>['first']) {
  const { statusCode, json } = await inject(gateway, { url: '/health/ready' });
  return { status: statusCode, body: json() };
}

const READY = { status: 200, body: { status: 'ready' } };

describe('a second process with a sandbox on a database', () => {
  it('refuses requests until the first process stops, and then takes over with its clocks and faults', async () => {
    const { first, second, clock, lines } = await startTwo();
    const reason = 'another process serves the sandbox of this database';
    expect(await readiness(first)).toEqual(READY);
    expect(await readiness(second)).toEqual({ status: 503, body: { status: 'waiting', reason } });
    expect(lines).toContain(`waiting: ${reason}`);
    const refused = await second.call('POST', '/payments', paymentRequest());
    expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringContaining(reason) } });
    const frozen = await first.call('POST', '/sandbox/clock/freeze');
    await first.call('POST', '/sandbox/chaos', { fault: 'unavailable', operation: 'getBalance' });
    await first.gateway.close();
    clock.advance(1_000);
    await expect.poll(() => readiness(second)).toEqual(READY);
    expect((await second.call('GET', '/sandbox/clock')).body).toMatchObject({ frozen: true, now: frozen.body.now });
    expect((await second.call('GET', '/merchant/balance')).status).toBe(503);
  });

  it("takes over when the first process's lease expires, which then stops serving", async () => {
    const { first, second, clock } = await startTwo();
    const { store } = first.gateway;
    // As for a paused process, which could not renew its lease.
    await store.unit((db) => db.run('update sandbox_lease set expires_at = ?', clock.now()));
    await store.unit((db) => db.run("update sandbox_lease set holder = 'paused' || holder"));
    expect((await first.call('POST', '/payments', paymentRequest())).status).toBe(503);
    clock.advance(SANDBOX_LEASE_MS);
    await expect
      .poll(async () => [(await readiness(first)).status, (await readiness(second)).status].sort())
      .toEqual([200, 503]);
  });
});
