/** The settings of a sandbox's merchants, and the times at which units of work write by their clocks. */
import { expect, it } from 'vitest';
import { type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { SandboxState } from '../../../gateway/src/sandbox/sandbox-state.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';

const HOUR_MS = 3_600_000;
const AHEAD = { clock: { aheadMs: HOUR_MS } };

describeOnEachStore('the state of a sandbox', (open) => {
  async function start() {
    const store = await open();
    const { id } = await store.unit((db) => createMerchant(db, 'Merchant', START));
    /** Fails each unit of work after its commit. */
    const failing: Store['unit'] = async (work, options) => {
      await store.unit(work, options);
      throw new StoreUnavailable('the outcome is unknown');
    };
    const clock = new ManualClock(START);
    const switched = { fails: false };
    const unit: Store['unit'] = (...args) => (switched.fails ? failing(...args) : store.unit(...args));
    const state = new SandboxState({ store: { ...store, unit }, clock });
    return { store, clock, id, state, switched };
  }

  it('is loaded by the next process', async () => {
    const { store, clock, id, state } = await start();
    await state.change(id, () => AHEAD);
    const next = new SandboxState({ store, clock });
    await next.load();
    expect(next.of(id)).toEqual(AHEAD);
  });

  it('changes a clock after the writes that have begun by it, and before those that begin later', async () => {
    const { id, state } = await start();
    const writing = Promise.withResolvers<void>();
    const order: string[] = [];
    const early = state.holdClocks([id], async (conversionOf) => {
      await writing.promise;
      order.push(`written by ${conversionOf(id)(START + HOUR_MS) - START}`);
    });
    const changed = state.change(id, () => {
      order.push('changed');
      return AHEAD;
    });
    const late = state.holdClocks([id], async (conversionOf) => {
      order.push(`written by ${conversionOf(id)(START + HOUR_MS) - START}`);
    });
    writing.resolve();
    await Promise.all([early, changed, late]);
    expect(order).toEqual([`written by ${HOUR_MS}`, 'changed', 'written by 0']);
  });

  it('reads settings again after a change whose outcome is unknown, and refuses what was decided before', async () => {
    const { id, state, switched } = await start();
    switched.fails = true;
    await expect(state.change(id, () => AHEAD)).rejects.toThrow('the outcome is unknown');
    switched.fails = false;
    const write = () => state.holdClocks([id], async (conversionOf) => conversionOf(id)(START + HOUR_MS));
    await expect(write()).rejects.toThrow(StoreUnavailable);
    expect(state.of(id)).toEqual(AHEAD);
    expect(await write()).toBe(START);
  });

  it('forgets a deleted merchant', async () => {
    const { store, id, state } = await start();
    await state.change(id, () => AHEAD);
    await state.delete(id, async () => undefined);
    expect(state.of(id)).toEqual({});
    expect(await store.read.all('select merchant_id from sandbox_settings')).toEqual([]);
  });
});
