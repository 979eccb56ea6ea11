/** The settings of sandboxes, as several processes know them. */
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openPostgres, type PostgresOptions } from '../../../gateway/src/database/postgres/postgres-store.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import type { SandboxSettings } from '../../../gateway/src/sandbox/settings.ts';
import { SandboxSettingsCache } from '../../../gateway/src/sandbox/settings-cache.ts';
import { lockSettings, writeSettings } from '../../../gateway/src/sandbox/store/sandbox-settings.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';
import { afterwards, describeOnEachStore, postgresDatabase, startTestGateway, type TestMerchant } from '../harness.ts';

const BLOCKED: SandboxSettings = { blocked: { 'customer-7': 'FRAUD_SUSPECTED' } };
const HOUR_MS = 3_600_000;
/** Shorter than the unit that holds the lock. */
const LOCK_MS = 50;

/** The settings as a process knows them that reads others' changes only in `refresh`. */
function openWorld(store: Store): Promise<SandboxSettingsCache> {
  return SandboxSettingsCache.open(store, new ManualClock(START), new AbortController().signal, { isShared: false });
}

async function addMerchant(store: Store): Promise<number> {
  return (await store.unit((db) => createMerchant(db, 'Merchant', START))).id;
}

describeOnEachStore('two processes that change settings', (open) => {
  it('both know the change that came before their own', async () => {
    const store = await open();
    const [one, other] = [await openWorld(store), await openWorld(store)];
    const [first, second] = [await addMerchant(store), await addMerchant(store)];
    await other.change(first, () => BLOCKED);
    await one.change(second, () => BLOCKED);
    await one.refresh();
    expect(one.of(first)).toEqual(BLOCKED);
  });

  it('both know a change after the merchants with the newest changes were deleted', async () => {
    const store = await open();
    const test = await startTestGateway({ store, sandbox: true });
    const newest = [await test.addMerchant('Second'), await test.addMerchant('Third')];
    const [one, other] = [await openWorld(store), await openWorld(store)];
    for (const { merchant } of [test, ...newest]) await one.change(merchant.id, () => BLOCKED);
    await other.refresh();
    for (const merchant of newest) await deleteMerchant(merchant);
    await one.change(test.merchant.id, () => ({ signsByClock: true }));
    await other.refresh();
    expect(other.of(test.merchant.id)).toEqual({ signsByClock: true });
  });

  it('drops a deleted merchant in both processes, and in a later one', async () => {
    const store = await open();
    const test = await startTestGateway({ store, sandbox: true });
    const other = await openWorld(store);
    await other.change(test.merchant.id, () => BLOCKED);
    await deleteMerchant(test);
    await other.refresh();
    const later = await openWorld(store);
    expect([other.of(test.merchant.id), later.of(test.merchant.id)]).toEqual([{}, {}]);
  });
});

describeOnEachStore('settings that are read', (open) => {
  it('take effect in the next tick, so that a step is decided and dispatched by the same clock', async () => {
    const store = await open();
    const merchantId = await addMerchant(store);
    const other = await openWorld(store);
    let nextTurn: (run: () => void) => void = (run) => run();
    const timers = { nextTurn: (run: () => void) => nextTurn(run) };
    const { signal } = new AbortController();
    const one = await SandboxSettingsCache.open(store, new ManualClock(START), signal, { isShared: false, timers });
    await other.change(merchantId, () => BLOCKED);
    const ended = new Promise<() => void>((resolve) => {
      nextTurn = resolve;
    });
    const refreshed = one.refresh();
    const endTurn = await ended;
    expect(one.of(merchantId)).toEqual({});
    endTurn();
    await refreshed;
    expect(one.of(merchantId)).toEqual(BLOCKED);
  });
});

describeOnEachStore('a step that was decided while the clock was ahead', (open) => {
  /** Two processes that know that a merchant's clock is an hour ahead. */
  async function startAhead() {
    const store = await open();
    const merchantId = await addMerchant(store);
    const clock = new ManualClock(START);
    const { signal } = new AbortController();
    const turns = { nextTurn: (run: () => void) => run() };
    const timers = { nextTurn: (run: () => void) => turns.nextTurn(run) };
    const openCache = () => SandboxSettingsCache.open(store, clock, signal, { isShared: false, timers });
    const [one, other] = [await openCache(), await openCache()];
    await one.change(merchantId, () => ({ clock: { aheadMs: HOUR_MS } }));
    await other.refresh();
    return {
      ...{ clock, turns, one, other },
      decide: () => one.at(merchantId).now,
      release: (by: SandboxSettingsCache) => by.change(merchantId, () => ({})),
      isAccepted: (decidedAt: number) =>
        store.unit(async (db) => (await one.toStoreTimeIn(db, merchantId, decidedAt)) !== undefined),
    };
  }

  it('is written for 10 seconds after its process has released it, regardless of later changes', async () => {
    const { clock, one, decide, release, isAccepted } = await startAhead();
    const decidedAt = decide();
    await release(one);
    expect(await isAccepted(decidedAt)).toBe(true);
    clock.advance(10_000);
    await release(one);
    expect(await isAccepted(decidedAt)).toBe(true);
    clock.advance(1);
    expect(await isAccepted(decidedAt)).toBe(false);
  });

  it('is written when the release is committed, before its process has taken that in', async () => {
    const { turns, one, decide, release, isAccepted } = await startAhead();
    const decidedAt = decide();
    const committed = new Promise<() => void>((resolve) => {
      turns.nextTurn = resolve;
    });
    const released = release(one);
    const endTurn = await committed;
    expect(decide()).toBe(decidedAt);
    expect(await isAccepted(decidedAt)).toBe(true);
    endTurn();
    await released;
  });

  it('is refused when another process has released it', async () => {
    const { one, other, decide, release, isAccepted } = await startAhead();
    const decidedAt = decide();
    await release(other);
    expect(await isAccepted(decidedAt)).toBe(false);
    await one.refresh();
    expect(await isAccepted(decidedAt)).toBe(false);
  });
});

async function deleteMerchant({ call }: TestMerchant): Promise<void> {
  expect((await call('DELETE', '/sandbox/merchant')).status).toBe(204);
}

describe('settings on PostgreSQL', () => {
  it('are read even if changes made later were committed first', async () => {
    const { address } = await postgresDatabase();
    const open = (timeLimits: Required<PostgresOptions>['timeLimits']) => {
      const opened = openPostgres(address, { max: 2, timeLimits });
      afterwards(() => opened.close());
      return opened;
    };
    const store = open({ idle_in_transaction_session_timeout: 0 });
    const impatient = open({ lock_timeout: LOCK_MS });
    await migrate(store);
    const [first, second, third] = [await addMerchant(store), await addMerchant(store), await addMerchant(store)];
    const settingsCache = await openWorld(store);
    const changing = await holdChange(store, first);
    // A change that would have to wait for the first fails, and is made again afterwards.
    const made = async (id: number) => (await openWorld(impatient)).change(id, () => BLOCKED).catch(() => undefined);
    const early = [await made(second), await made(third)];
    await settingsCache.refresh();
    changing.letGo();
    await changing.done;
    if (early.includes(undefined)) for (const id of [second, third]) await made(id);
    await settingsCache.refresh();
    expect([first, second, third].map((id) => settingsCache.of(id))).toEqual([BLOCKED, BLOCKED, BLOCKED]);
  });
});

/** Changes settings in a unit that stays open until released. */
async function holdChange(store: Store, merchantId: number) {
  const made = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const done = store.unit(async (db) => {
    await lockSettings(db, merchantId);
    await writeSettings(db, merchantId, JSON.stringify(BLOCKED));
    made.resolve();
    await held.promise;
  });
  done.catch(made.reject);
  await made.promise;
  return { letGo: held.resolve, done };
}
