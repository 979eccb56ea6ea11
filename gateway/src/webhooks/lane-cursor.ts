/** A merchant's cursor over its lanes, and the candidates found in lanes that wait for slots. */

import type { LanePace } from './lanes.ts';
import type { Cursor, WaitingLane } from './waiting-lanes.ts';

/** A due delivery in a lane that isn't prompt. */
export interface Candidate {
  readonly lane: WaitingLane;
  readonly pace: LanePace;
  readonly id: string;
}

/** Candidates in memory. */
const CANDIDATES_MAX = 10_000;

export class LaneCursor implements Cursor {
  readonly merchantId: number;
  #after = '';
  #round = 0;
  #newestNext = true;
  /** By address, with the round that saw it last. */
  readonly #candidates = new Map<string, Candidate & { readonly round: number }>();

  constructor(merchantId: number) {
    this.merchantId = merchantId;
  }

  /** The address after which the next step begins. */
  get after(): string {
    return this.#after;
  }

  /** Number of completed rounds. */
  get round(): number {
    return this.#round;
  }

  get hasCandidates(): boolean {
    return this.#candidates.size > 0;
  }

  add(candidate: Candidate): void {
    const { address } = candidate.lane;
    if (this.#candidates.size < CANDIDATES_MAX || this.#candidates.has(address))
      this.#candidates.set(address, { ...candidate, round: this.#round });
  }

  remove(address: string): void {
    this.#candidates.delete(address);
  }

  /** The next step begins after this address. */
  goOnAfter(address: string): void {
    this.#after = address;
  }

  /** Begins again, and forgets what this round hasn't seen any more. */
  endRound(): void {
    for (const [address, { round }] of this.#candidates) if (round < this.#round) this.#candidates.delete(address);
    this.#round += 1;
    this.#after = '';
  }

  /**
   * Takes the candidates of a pace in slot order. New lanes alternate between the newest and the oldest event, so that
   * a new address need not wait behind thousands of hanging ones, and those are still served.
   */
  *take(pace: LanePace): Generator<Candidate, undefined> {
    const sorted = [...this.#candidates.values()]
      .filter((candidate) => candidate.pace === pace)
      .sort((a, b) => a.lane.nextAt - b.lane.nextAt);
    for (let oldest = 0, newest = sorted.length - 1; oldest <= newest; ) {
      const isNewest = pace === 'unproven' && this.#newestNext;
      if (pace === 'unproven') this.#newestNext = !this.#newestNext;
      const candidate = sorted[isNewest ? newest-- : oldest++];
      if (!candidate) return;
      this.remove(candidate.lane.address);
      yield candidate;
    }
  }
}
