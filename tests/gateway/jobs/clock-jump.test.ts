/** A jump of the clock ahead, in which open payments must not expire. */
import { expect, it } from 'vitest';
import { findMethod, sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { holdJumps } from '../../../gateway/src/platform/held-clock.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { describeOnEachStore, startTestGateway } from '../harness.ts';

const DAY_MS = 24 * 3_600_000;
const VALIDITY_MS = findMethod(sandboxMethods, 'payment', 'UPI_IN')?.validityMs ?? 0;

describeOnEachStore('a payment that is open when the clock jumps ahead', (open) => {
  it('stays open, can be paid, and expires in its own time', async () => {
    const machine = new ManualClock(START);
    let elapsed = 0;
    const timers = { elapsed: () => elapsed };
    const clock = holdJumps(machine, { timers, sinceBoot: timers.elapsed, onChange: () => undefined });
    const pass = (ms: number) => {
      elapsed += ms;
      machine.advance(ms);
    };
    const { call, gateway } = await startTestGateway({ store: await open(), clock });
    const test = { gateway };
    const create = async () => (await call('POST', '/payments', paymentRequest())).body.transaction_id as string;
    const [paid, left] = [await create(), await create()];
    const asked = await settled(test, call, paid);
    await settled(test, call, left);

    machine.advance(DAY_MS);
    for (const id of [paid, left]) expect(await settled(test, call, id)).toMatchObject({ status: asked.status });
    expect((await call('GET', '/metrics')).text).toMatch(/^gateway_clock_held_seconds 86400$/m);
    expect((await call('POST', `/payments/${paid}/confirm`, confirmation(asked))).status).toBe(200);
    pass(60_000);
    expect(await settled(test, call, paid)).toMatchObject({ status: 'SUCCESS' });
    expect(await settled(test, call, left)).toMatchObject({ status: asked.status });
    pass(VALIDITY_MS);
    expect(await settled(test, call, left)).toMatchObject({ status: 'FAILED', decline_reason: 'TIMEOUT_EXPIRED' });
  });
});
