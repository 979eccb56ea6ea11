import { expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { systemTimers } from '../../../gateway/src/platform/timers.ts';
import { MerchantClocks } from '../../../gateway/src/sandbox/merchant-clocks.ts';
import { SandboxState } from '../../../gateway/src/sandbox/sandbox-state.ts';
import { UNSIGNED_PAUSE_MS } from '../../../gateway/src/webhooks/retries.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { addEvents, addSigningMerchant } from '../webhooks/deliveries.ts';
import { startEndpoint } from './webhooks.ts';

const VALIDITY_MS = 15 * 60_000;

/**
 * Wraps the store so that units of work wait between `hold` and `release`: either steps, which are already decided, or
 * other units, such as changes of a clock.
 */
function holdUnits(store: Store, what: 'steps' | 'others' = 'steps') {
  let held = Promise.resolve();
  let letGo: () => void = () => undefined;
  let passing = 0;
  let onHeld: () => void = () => undefined;
  let ended: Promise<unknown> = held;
  const unit: Store['unit'] = (work, options) => {
    const isMeant = (options?.together !== undefined) === (what === 'steps');
    if (!isMeant || --passing >= 0) return store.unit(work, options);
    const done = held.then(() => store.unit(work, options));
    ended = done;
    onHeld();
    return done;
  };
  return {
    store: { ...store, unit },
    /** Lets `passed` units through. Resolves when the next one waits. */
    hold(passed = 0): Promise<void> {
      passing = passed;
      held = new Promise((resolve) => {
        letGo = resolve;
      });
      return new Promise((resolve) => {
        onHeld = resolve;
      });
    },
    /** Resolves when the last of them has ended. */
    async release(): Promise<void> {
      letGo();
      await ended;
    },
  };
}

/** A payment that waits for its data until it expires. */
function waitingPayment(orderId: string) {
  const { body } = requestExamples.createPayment['h2h-upi'];
  return { ...body, merchant_order_id: orderId, customer: { id: 'customer-slow' } };
}

describeOnEachStore("a merchant's clock that moves while a payment is being created", (open) => {
  /** Starts the creation of a payment that waits for its data until it expires. It isn't written before `release`. */
  async function createSlowly(before: 'freeze' | 'none') {
    const steps = holdUnits(await open());
    const test = await startTestGateway({ store: steps.store, sandbox: true });
    if (before === 'freeze') await test.call('POST', '/sandbox/clock/freeze');
    const held = steps.hold();
    const created = test.call('POST', '/payments', waitingPayment('order-slow'));
    await held;
    return { test, steps, created };
  }

  it('expires a payment whose write delayed the freeze', async () => {
    const { test, steps, created } = await createSlowly('none');
    const frozen = test.call('POST', '/sandbox/clock/freeze');
    await steps.release();
    await frozen;
    const id = (await created).body.transaction_id;
    const advanced = await test.call('POST', '/sandbox/clock/advance', { by: '15m' });
    expect(advanced.body).toMatchObject({ frozen: true, reached: true });
    const { body } = await test.call('GET', `/payments/${id}`);
    expect(body).toMatchObject({ status: 'FAILED', decline_reason: 'TIMEOUT_EXPIRED' });
    expect(Date.parse(body.finalized_at) - Date.parse(body.created_at)).toBe(VALIDITY_MS);
  });

  it('expires a payment whose write delayed the release', async () => {
    const { test, steps, created } = await createSlowly('freeze');
    const released = test.call('POST', '/sandbox/clock/release');
    await steps.release();
    await released;
    const id = (await created).body.transaction_id;
    await test.gateway.idle();
    test.clock.advance(VALIDITY_MS);
    await test.gateway.idle();
    expect((await test.call('GET', `/payments/${id}`)).body).toMatchObject({ decline_reason: 'TIMEOUT_EXPIRED' });
  });
});

describeOnEachStore('a merchant whose clock was never moved', (open) => {
  it("creates its payment even if the machine's clock is set back", async () => {
    const steps = holdUnits(await open());
    const test = await startTestGateway({ store: steps.store, sandbox: true });
    const held = steps.hold();
    const created = test.call('POST', '/payments', waitingPayment('order-set-back'));
    await held;
    test.clock.advance(-2_000);
    await steps.release();
    expect((await created).status).toBe(200);
  });
});

describeOnEachStore("a merchant's clock set while time passes", (open) => {
  it('is frozen at its current time, and never goes back', async () => {
    const units = holdUnits(await open(), 'others');
    const test = await startTestGateway({ store: units.store, sandbox: true });
    await test.gateway.idle();
    const held = units.hold();
    const frozen = test.call('POST', '/sandbox/clock/freeze');
    await held;
    test.clock.advance(60 * 60_000);
    const now = test.clock.now();
    await units.release();
    expect(Date.parse((await frozen).body.now)).toBe(now);
  });
});

describeOnEachStore('an advanced clock of a merchant', (open) => {
  it('expires a payment created during the move', async () => {
    const others = holdUnits(await open(), 'others');
    const test = await startTestGateway({ store: others.store, sandbox: true });
    await test.gateway.idle();
    // After the clock was frozen.
    const held = others.hold(1);
    const advanced = test.call('POST', '/sandbox/clock/advance', { by: '1h' });
    await held;
    const created = test.call('POST', '/payments', waitingPayment('order-between'));
    await others.release();
    expect((await advanced).body).toMatchObject({ reached: true });
    const id = (await created).body.transaction_id;
    await test.gateway.idle();
    expect((await test.call('GET', `/payments/${id}`)).body.decline_reason).toBe('TIMEOUT_EXPIRED');
  });
});

describeOnEachStore('a move with due work in each of its units, and none in between', (open) => {
  /** Moves the clock of a merchant with a due payment and a due webhook, which some reads between units don't see. */
  async function moveBlindly(isUnseen: (sql: string) => boolean) {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    await addEvents(store, merchant, ['https://a.test/']);
    const sandboxState = new SandboxState({ store, clock: new ManualClock(START) });
    let looks = 0;
    const get: Store['read']['get'] = async (sql, ...values) => {
      if (!isUnseen(sql)) return store.read.get(sql, ...values);
      if (++looks > 100) throw new Error('the move has no end');
      return { due: 0, count: 0 };
    };
    const timers = { ...systemTimers, elapsed: () => looks * 1_000 };
    const blind = { ...store, read: { ...store.read, get } };
    const clocks = new MerchantClocks({ sandboxState, store: blind, wake: () => undefined, timers });
    const { heldUpBy } = await clocks.advance(merchant.id, (now) => now + 60_000);
    return { heldUpBy, ahead: sandboxState.at(merchant.id).now - START };
  }

  it('ends after 20 seconds, and lists the due work', async () => {
    const { heldUpBy, ahead } = await moveBlindly((sql) => sql.includes('as due'));
    expect(heldUpBy).toMatch(/^After 20 s these are still due .* webhooks: 1, such as one to https:..a\.test$/);
    expect(ahead).toBe(60_000);
  });

  it('ends after 20 seconds even if no work is due', async () => {
    const { heldUpBy } = await moveBlindly(() => true);
    expect(heldUpBy).toBe('It took longer than 20 s until nothing was due or under way');
  });
});

describeOnEachStore('a released clock of a merchant', (open) => {
  it('accepts decisions made while it was ahead', async () => {
    const steps = holdUnits(await open());
    const test = await startTestGateway({ store: steps.store, sandbox: true });
    await test.call('POST', '/sandbox/clock/advance', { by: '1h' });
    const held = steps.hold();
    const ahead = test.clock.now() + 60 * 60_000;
    const created = test.call('POST', '/payments', waitingPayment('order-ahead'));
    await held;
    const released = test.call('POST', '/sandbox/clock/release');
    await steps.release();
    expect((await released).body).toMatchObject({ ahead_ms: 0 });
    const { status, body } = await created;
    expect({ status, createdAt: Date.parse(body.created_at) }).toEqual({ status: 200, createdAt: ahead });
  });

  it('includes a webhook that waits for a signing secret', async () => {
    const { test, receiver, decline } = await startEndpoint(await open());
    const { store } = test.gateway;
    await store.unit((db) => db.run('delete from signing_secrets'));
    await test.call('POST', '/sandbox/clock/freeze');
    await decline();
    await test.call('POST', '/sandbox/clock/release');
    await store.unit((db) => createSigningSecret(db, test.merchant.id, test.clock.now(), NO_KEYS));
    test.clock.advance(UNSIGNED_PAUSE_MS);
    await test.gateway.idle();
    expect(receiver.requests).toHaveLength(1);
  });
});
