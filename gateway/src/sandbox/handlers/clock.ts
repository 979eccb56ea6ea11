/** The merchant's clock: read, advance, freeze, release, and sign with it. */
import type {
  AdvanceClockRequest,
  Clock,
  FreezeClockRequest,
  SetSignatureTimeRequest,
} from '../../../../generated/sandbox/types.ts';
import { invalid } from '../../http/problems.ts';
import { milliseconds } from '../../management/duration.ts';
import { timestamp } from '../../transactions/view.ts';
import type { MoveEnd } from '../merchant-clocks.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';
import { momentBy } from '../settings.ts';

/** Ten years ahead of the store's time, in milliseconds: further on, dates in reports and ids get odd. */
const AHEAD_MS_MAX = 10 * 365 * 24 * 60 * 60_000;

export async function getClock({ settingsCache }: SandboxServices, { merchant }: SandboxCall): Promise<Clock> {
  return viewClock(settingsCache, merchant.id);
}

export async function advanceClock(
  { settingsCache, clocks }: SandboxServices,
  { merchant, body }: SandboxCall<AdvanceClockRequest>,
): Promise<Clock> {
  const target = (now: number) => (body.by === undefined ? Date.parse(body.to ?? '') : now + milliseconds(body.by));
  requireReachable(
    settingsCache,
    merchant.id,
    target(settingsCache.at(merchant.id).now),
    body.by === undefined ? '/to' : '/by',
  );
  // Of two at once, the second adds its duration to the time at which the first has arrived.
  const arrival = await clocks.advance(merchant.id, (now) => Math.max(target(now), now));
  return viewClock(settingsCache, merchant.id, arrival);
}

export async function freezeClock(
  { settingsCache, clocks }: SandboxServices,
  { merchant, body }: SandboxCall<FreezeClockRequest>,
): Promise<Clock> {
  const at = body.at === undefined ? undefined : Date.parse(body.at);
  if (at !== undefined) requireReachable(settingsCache, merchant.id, at, '/at');
  return viewClock(settingsCache, merchant.id, await clocks.freeze(merchant.id, at));
}

export async function releaseClock(
  { settingsCache, clocks }: SandboxServices,
  { merchant }: SandboxCall,
): Promise<Clock> {
  return viewClock(settingsCache, merchant.id, await clocks.release(merchant.id));
}

export async function setSignatureTime(
  { settingsCache }: SandboxServices,
  { merchant, body }: SandboxCall<SetSignatureTimeRequest>,
): Promise<Clock> {
  await settingsCache.change(merchant.id, (settings) => ({ ...settings, signsByClock: body.time === 'merchant' }));
  return viewClock(settingsCache, merchant.id);
}

/** A clock as the document describes it. */
export function viewClock(
  settingsCache: SandboxServices['settingsCache'],
  merchantId: number,
  { heldUpBy }: Partial<MoveEnd> = {},
): Clock {
  const storeNow = settingsCache.storeNow();
  const { clock, signsByClock } = settingsCache.of(merchantId);
  const { now } = momentBy(clock, storeNow);
  return {
    now: timestamp(now),
    frozen: settingsCache.isFrozen(merchantId),
    ahead_ms: now - storeNow,
    signatures: signsByClock ? 'merchant' : 'real',
    reached: heldUpBy === undefined,
    ...(heldUpBy !== undefined && { held_up_by: heldUpBy }),
  };
}

function requireReachable(
  settingsCache: SandboxServices['settingsCache'],
  merchantId: number,
  time: number,
  pointer: string,
): void {
  const { now } = settingsCache.at(merchantId);
  const latest = settingsCache.storeNow() + AHEAD_MS_MAX;
  if (time >= now && time <= latest) return;
  const message =
    time < now
      ? `must not be before the merchant's time, ${timestamp(now)}; only release goes back`
      : `must lead to ${timestamp(latest)} at the latest`;
  throw invalid([{ pointer, message }]);
}
