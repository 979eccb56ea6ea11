/** A merchant's clock that moves while something of the merchant is being written. */
import { expect, it } from 'vitest';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { createSigningSecret } from '../../../gateway/src/store/access/signing-secrets.ts';
import type { Store } from '../../../gateway/src/store/engine/store.ts';
import { UNSIGNED_PAUSE_MS } from '../../../gateway/src/webhooks/retries.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { startEndpoint } from './webhooks.ts';

const VALIDITY_MS = 15 * 60_000;

/** A store whose steps wait, once `hold` is called, until `release` is. Each has been decided by then, and isn't written yet. */
function holdSteps(store: Store) {
  let held = Promise.resolve();
  let release: () => void = () => undefined;
  let onHeld: () => void = () => undefined;
  const unit: Store['unit'] = async (work, options) => {
    if (options?.together) {
      onHeld();
      await held;
    }
    return store.unit(work, options);
  };
  return {
    store: { ...store, unit },
    /** Resolves when a step waits. */
    hold(): Promise<void> {
      held = new Promise((resolve) => {
        release = resolve;
      });
      return new Promise((resolve) => {
        onHeld = resolve;
      });
    },
    release: () => release(),
  };
}

describeOnEachStore("a merchant's clock that moves while a payment is being created", (open) => {
  /** A gateway with a creation that waits for its data until it expires, and isn't written before `release`. */
  async function createSlowly(before: 'freeze' | 'none') {
    const steps = holdSteps(await open());
    const test = await startTestGateway({ store: steps.store, sandbox: true });
    if (before === 'freeze') await test.call('POST', '/sandbox/clock/freeze');
    const { body } = requestExamples.createPayment['h2h-upi'];
    const waiting = { ...body, merchant_order_id: 'order-slow', customer: { id: 'customer-slow' } };
    const held = steps.hold();
    const created = test.call('POST', '/payments', waiting);
    await held;
    return { test, steps, created };
  }

  it('takes along a payment that is written after it was frozen', async () => {
    const { test, steps, created } = await createSlowly('none');
    await test.call('POST', '/sandbox/clock/freeze');
    steps.release();
    const id = (await created).body.transaction_id;
    const advanced = await test.call('POST', '/sandbox/clock/advance', { by: '15m' });
    expect(advanced.body).toMatchObject({ frozen: true, reached: true });
    const { body } = await test.call('GET', `/payments/${id}`);
    expect(body).toMatchObject({ status: 'FAILED', decline_reason: 'TIMEOUT_EXPIRED' });
    expect(Date.parse(body.finalized_at) - Date.parse(body.created_at)).toBe(VALIDITY_MS);
  });

  it('lets a payment expire that is written after it was released', async () => {
    const { test, steps, created } = await createSlowly('freeze');
    await test.call('POST', '/sandbox/clock/release');
    steps.release();
    const id = (await created).body.transaction_id;
    await test.gateway.idle();
    test.clock.advance(VALIDITY_MS);
    await test.gateway.idle();
    expect((await test.call('GET', `/payments/${id}`)).body).toMatchObject({ decline_reason: 'TIMEOUT_EXPIRED' });
  });
});

describeOnEachStore("a merchant's clock that is released", (open) => {
  it('takes along a webhook that waits for a signing secret', async () => {
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
