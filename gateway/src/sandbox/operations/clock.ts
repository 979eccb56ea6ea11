/** The merchant's clock: read, advance, freeze, release. */
import type { AdvanceClockRequest, Clock, FreezeClockRequest } from '../../../../generated/sandbox/types.ts';
import { invalid } from '../../contract/problems.ts';
import { timestamp } from '../../contract/view.ts';
import { milliseconds } from '../duration.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';
import { momentBy } from '../settings.ts';

/** Ten years ahead of the store's time, in milliseconds: further on, dates in reports and ids get odd. */
const AHEAD_MS_MAX = 10 * 365 * 24 * 60 * 60_000;

export async function getClock({ world }: SandboxServices, { merchant }: SandboxCall): Promise<Clock> {
  return viewClock(world, merchant.id);
}

export async function advanceClock(
  { world, clocks }: SandboxServices,
  { merchant, body }: SandboxCall<AdvanceClockRequest>,
): Promise<Clock> {
  const target = (now: number) => (body.by === undefined ? Date.parse(body.to ?? '') : now + milliseconds(body.by));
  requireReachable(world, merchant.id, target(world.at(merchant.id).now), body.by === undefined ? '/to' : '/by');
  // Of two at once, the second adds its duration to the time at which the first has arrived.
  const reached = await clocks.advance(merchant.id, (now) => Math.max(target(now), now));
  return viewClock(world, merchant.id, reached);
}

export async function freezeClock(
  { world, clocks }: SandboxServices,
  { merchant, body }: SandboxCall<FreezeClockRequest>,
): Promise<Clock> {
  const at = body.at === undefined ? undefined : Date.parse(body.at);
  if (at !== undefined) requireReachable(world, merchant.id, at, '/at');
  return viewClock(world, merchant.id, await clocks.freeze(merchant.id, at));
}

export async function releaseClock({ world, clocks }: SandboxServices, { merchant }: SandboxCall): Promise<Clock> {
  await clocks.release(merchant.id);
  return viewClock(world, merchant.id);
}

/** A clock as the document describes it. */
export function viewClock(world: SandboxServices['world'], merchantId: number, reached = true): Clock {
  const storeNow = world.storeNow();
  const { now } = momentBy(world.of(merchantId).clock, storeNow);
  return { now: timestamp(now), frozen: world.isFrozen(merchantId), ahead_ms: now - storeNow, reached };
}

function requireReachable(world: SandboxServices['world'], merchantId: number, time: number, pointer: string): void {
  const { now } = world.at(merchantId);
  const latest = world.storeNow() + AHEAD_MS_MAX;
  if (time >= now && time <= latest) return;
  const message =
    time < now
      ? `must not be before the merchant's time, ${timestamp(now)}; a clock never goes back`
      : `must lead to ${timestamp(latest)} at the latest`;
  throw invalid([{ pointer, message }]);
}
