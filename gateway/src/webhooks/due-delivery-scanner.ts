/**
 * Finds deliveries to claim. Each merchant has a cursor over its lanes, and a step visits some lanes of every merchant,
 * so that a merchant with many lanes doesn't delay others. Prompt lanes are claimed as found. The scarce slots for
 * other lanes go to the merchants with the fewest.
 */

import type { Store } from '../database/store.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import type { Claims } from './claims.ts';
import { type Candidate, LaneCursor } from './lane-cursor.ts';
import type { LanePace, Lanes, Ticket } from './lanes.ts';
import type { DeliveryServices } from './services.ts';
import { CURSORS_MAX, type WaitingLane, waitingLanes, waitingMerchants } from './waiting-lanes.ts';

/** A delivery to claim, with its ticket. */
export interface FoundDelivery {
  readonly id: string;
  readonly ticket: Ticket;
}

/** Lanes per step over all merchants, with a minimum per merchant. */
const STEP_LANES = 256;
const STEP_LANES_OF_MERCHANT = 4;
/** A pause after a step, as a multiple of the time that it took, up to a limit. */
const REST_PART = 9;
const REST_MAX_MS = 1_000;
/** Paces of lanes that wait for slots. */
const SCARCE: readonly LanePace[] = ['unproven', 'slow'];

export class DueDeliveryScanner {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #lanes: Lanes;
  readonly #claims: Claims;
  readonly #dueMax: number;
  readonly #rest: ReturnType<typeof createRest>;
  readonly #walks = new Map<number, LaneCursor>();
  #found: FoundDelivery[] = [];
  #heldUp = false;
  /** Merchants up to this one have had their step. */
  #lastMerchant = Number.NEGATIVE_INFINITY;

  /** `dueMax` limits the deliveries read per lane. */
  constructor(
    { store, clock }: Pick<DeliveryServices, 'store' | 'clock'>,
    lanes: Lanes,
    claims: Claims,
    dueMax: number,
    timers = systemTimers,
  ) {
    this.#store = store;
    this.#now = () => clock.now();
    this.#lanes = lanes;
    this.#claims = claims;
    this.#dueMax = dueMax;
    this.#rest = createRest(timers);
  }

  /**
   * Returns when the next claimable delivery is due. Deliveries due now are stored as candidates and the next search
   * continues there. Otherwise all lanes were visited.
   */
  async nextDue(): Promise<number | undefined> {
    const begun = this.#now();
    for (const { ticket } of this.take()) this.#lanes.end(ticket);
    /** The round of each cursor after which all its lanes were visited since this search began. */
    const whole = new Map<number, number>();
    let next: number | undefined;
    this.#heldUp = false;
    for (;;) {
      // Visiting thousands of lanes takes seconds, during which events become due and attempts time out.
      const { merchantIds, seen, now } = await this.#rest(() => this.#step(whole));
      this.#lanes.sweep();
      for (const pace of SCARCE) this.#select(pace);
      if (this.#found.length > 0) return begun;
      for (const { nextAt } of seen.filter((lane) => lane.nextAt > now && this.#mayClaim(lane)))
        next = Math.min(nextAt, next ?? nextAt);
      if (merchantIds.every((id) => this.#walkOf(id).round >= (whole.get(id) ?? Number.POSITIVE_INFINITY))) return next;
    }
  }

  /** Whether something due was seen that may be claimed only when other claims have ended. */
  get isHeldUp(): boolean {
    return this.#heldUp;
  }

  /** Takes what was found. The caller ends the tickets. */
  take(): readonly FoundDelivery[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Advances the cursors of the next merchants. Returns all merchants with waiting deliveries. */
  async #step(
    whole: Map<number, number>,
  ): Promise<{ merchantIds: readonly number[]; seen: readonly WaitingLane[]; now: number }> {
    const now = this.#now();
    const merchantIds = await waitingMerchants(this.#store.read);
    const waiting = new Set(merchantIds);
    for (const merchantId of this.#walks.keys()) if (!waiting.has(merchantId)) this.#walks.delete(merchantId);
    const turn = this.#nextTurn(merchantIds);
    if (turn.length === 0) return { merchantIds, seen: [], now };
    for (const { merchantId, round, after } of turn)
      if (!whole.has(merchantId)) whole.set(merchantId, after === '' ? round + 1 : round + 2);
    const limit = Math.max(STEP_LANES_OF_MERCHANT, Math.floor(STEP_LANES / turn.length));
    const seen = await waitingLanes(this.#store.read, turn, { now, limit, dueMax: this.#dueMax });
    const byMerchant = Map.groupBy(seen, ({ merchantId }) => merchantId);
    for (const walk of turn) {
      const own = byMerchant.get(walk.merchantId) ?? [];
      for (const lane of own) this.#see(walk, lane);
      if (own.length === limit) walk.goOnAfter(own.at(-1)?.address ?? '');
      else walk.endRound();
    }
    return { merchantIds, seen, now };
  }

  /** The next merchants after the last step's, as many as fit in a statement. */
  #nextTurn(merchantIds: readonly number[]): LaneCursor[] {
    const next = Math.max(
      merchantIds.findIndex((id) => id > this.#lastMerchant),
      0,
    );
    const turn = [...merchantIds.slice(next), ...merchantIds.slice(0, next)].slice(0, CURSORS_MAX);
    this.#lastMerchant = turn.at(-1) ?? this.#lastMerchant;
    return turn.map((merchantId) => this.#walkOf(merchantId));
  }

  #walkOf(merchantId: number): LaneCursor {
    const walk = this.#walks.get(merchantId) ?? new LaneCursor(merchantId);
    this.#walks.set(merchantId, walk);
    return walk;
  }

  #see(walk: LaneCursor, lane: WaitingLane): void {
    const pace = this.#lanes.paceOf(lane, lane.slow);
    const due = lane.due.filter((id) => !this.#claims.has(id));
    if (due.length > 0) this.#heldUp = true;
    const [first] = due;
    if (pace === 'prompt') for (const id of due) this.#claim({ lane, pace, id });
    if (pace === 'prompt' || first === undefined) walk.remove(lane.address);
    else walk.add({ lane, pace, id: first });
  }

  /** Gives the free slots of a pace to candidates. */
  #select(pace: LanePace): void {
    const walks = [...this.#walks.values()].filter(({ hasCandidates }) => hasCandidates);
    const queues = new Map(walks.map((walk) => [walk.merchantId, walk.take(pace)]));
    for (;;) {
      const merchantId = this.#lanes.neediest(pace, queues.keys());
      if (merchantId === undefined) return;
      const candidate = queues.get(merchantId)?.next().value;
      if (candidate) this.#claim(candidate);
      else queues.delete(merchantId);
    }
  }

  #claim({ lane, pace, id }: Candidate): void {
    if (!this.#claims.has(id) && this.#lanes.mayClaim(lane, pace))
      this.#found.push({ id, ticket: this.#lanes.claim(lane, pace) });
  }

  #mayClaim(lane: WaitingLane): boolean {
    return this.#lanes.mayClaim(lane, this.#lanes.paceOf(lane, lane.slow));
  }
}

/** Runs work with proportional pauses, so that searching never takes most of the time. */
function createRest(timers: Timers): <T>(work: () => Promise<T>) => Promise<T> {
  let until = 0;
  return async (work) => {
    const pause = until - timers.elapsed();
    if (pause > 0) await new Promise<void>((resolve) => timers.after(pause, resolve));
    const began = timers.elapsed();
    const value = await work();
    const ended = timers.elapsed();
    until = ended + Math.min(REST_PART * (ended - began), REST_MAX_MS);
    return value;
  };
}
