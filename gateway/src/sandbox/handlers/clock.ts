/** The merchant's clock: read, advance, freeze, release, and sign with it. */
import type { Clock } from '../../../../generated/sandbox/types.ts';
import { invalid } from '../../http/problems.ts';
import { milliseconds } from '../../management/parameters.ts';
import { timestamp } from '../../transactions/view.ts';
import type { MoveEnd } from '../merchant-clocks.ts';
import type { SandboxOperation, SandboxServices } from '../operation.ts';
import { readClock } from '../settings.ts';

/** Ten years ahead of the store's time, in milliseconds: further on, dates in reports and ids get odd. */
const AHEAD_MS_MAX = 10 * 365 * 24 * 60 * 60_000;

export const getClock: SandboxOperation<'getClock'> = async ({ sandboxState }, { merchant }) =>
  viewClock(sandboxState, merchant.id);

export const advanceClock: SandboxOperation<'advanceClock'> = async ({ sandboxState, clocks }, { merchant, body }) => {
  const target = (now: number) => (body.by === undefined ? Date.parse(body.to ?? '') : now + milliseconds(body.by));
  requireReachable(
    sandboxState,
    merchant.id,
    target(sandboxState.at(merchant.id).now),
    body.by === undefined ? '/to' : '/by',
  );
  // Of two at once, the second adds its duration to the time at which the first has arrived.
  const arrival = await clocks.advance(merchant.id, (now) => Math.max(target(now), now));
  return viewClock(sandboxState, merchant.id, arrival);
};

export const freezeClock: SandboxOperation<'freezeClock'> = async ({ sandboxState, clocks }, { merchant, body }) => {
  const at = body.at === undefined ? undefined : Date.parse(body.at);
  if (at !== undefined) requireReachable(sandboxState, merchant.id, at, '/at');
  return viewClock(sandboxState, merchant.id, await clocks.freeze(merchant.id, at));
};

export const releaseClock: SandboxOperation<'releaseClock'> = async ({ sandboxState, clocks }, { merchant }) =>
  viewClock(sandboxState, merchant.id, await clocks.release(merchant.id));

export const setSignatureTime: SandboxOperation<'setSignatureTime'> = async ({ sandboxState }, { merchant, body }) => {
  await sandboxState.change(merchant.id, (settings) => ({ ...settings, signsByClock: body.time === 'merchant' }));
  return viewClock(sandboxState, merchant.id);
};

/** A clock as the document describes it. */
function viewClock(
  sandboxState: SandboxServices['sandboxState'],
  merchantId: number,
  { blockedBy }: Partial<MoveEnd> = {},
): Clock {
  const storeNow = sandboxState.storeNow();
  const { clock, signsByClock } = sandboxState.of(merchantId);
  const { now } = readClock(clock, storeNow);
  return {
    now: timestamp(now),
    frozen: sandboxState.isFrozen(merchantId),
    ahead_ms: now - storeNow,
    signatures: signsByClock ? 'merchant' : 'real',
    reached: blockedBy === undefined,
    ...(blockedBy !== undefined && { held_up_by: blockedBy }),
  };
}

function requireReachable(
  sandboxState: SandboxServices['sandboxState'],
  merchantId: number,
  time: number,
  pointer: string,
): void {
  const { now } = sandboxState.at(merchantId);
  const latest = sandboxState.storeNow() + AHEAD_MS_MAX;
  if (time >= now && time <= latest) return;
  const message =
    time < now
      ? `must not be before the merchant's time, ${timestamp(now)}; only release goes back`
      : `must lead to ${timestamp(latest)} at the latest`;
  throw invalid([{ pointer, message }]);
}
