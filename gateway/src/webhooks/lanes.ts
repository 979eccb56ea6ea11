/**
 * Who may be sent to now. Each address has a lane of its own, with a number of attempts at a time that doubles with
 * every prompt answer, up to a limit, and falls to one when an answer is late or missing. Lanes that are slow, or
 * new, share a half of all attempts between them, so that however many addresses are dead, the living are served.
 * The numbers hold for one process. Nothing here waits for anything but attempts.
 */

export interface LaneLimits {
  /** Attempts at a time to one address. */
  readonly perAddress: number;
  /** Attempts at a time to all addresses. */
  readonly total: number;
}

interface Lane {
  /** Attempts at a time that it is trusted with. */
  allowed: number;
  /** The last answer was late or missing, or there has been none yet. */
  slow: boolean;
  /** Deliveries that are claimed: those under way, those that wait here, and those whose result is being written. */
  claimed: number;
  active: number;
  readonly waiting: ((admitted: boolean) => void)[];
}

/** A lane begins with this. */
const ALLOWED_FIRST = 1;
/** A lane that is not slow claims this many times what it may send at once, so that it need not wait for the store. */
export const CLAIMED_AHEAD = 8;
/** Lanes that are remembered; of more, those that have had nothing to do are forgotten. */
const LANES_MAX = 10_000;

export class Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes in which somebody waits for the total to fall, the longest waiting first. */
  readonly #held = new Set<Lane>();
  #active = 0;
  #slowClaims = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** How many deliveries more may be claimed for the address, when `slowFound` of slow ones are about to be. */
  room(address: string, slowFound = 0): number {
    const lane = this.#lanes.get(address);
    if (lane && !lane.slow) return Math.max(0, lane.allowed * CLAIMED_AHEAD - lane.claimed);
    return (lane?.claimed ?? 0) === 0 && this.#slowClaims + slowFound < this.#limits.total / 2 ? 1 : 0;
  }

  /** Whether the address shares the half of those that are slow or new. */
  isSlow(address: string): boolean {
    return this.#lanes.get(address)?.slow ?? true;
  }

  /** Counts a delivery that was claimed; `end` takes it back. */
  claim(address: string): void {
    const lane = this.#laneOf(address);
    lane.claimed += 1;
    if (lane.slow) this.#slowClaims += 1;
  }

  /** The delivery's claim has ended. */
  end(address: string): void {
    const lane = this.#laneOf(address);
    lane.claimed -= 1;
    if (lane.slow) this.#slowClaims -= 1;
  }

  /** Resolves to true when the attempt may begin, and to false when the lane has become slow and it should be given back. */
  async enter(address: string): Promise<boolean> {
    const lane = this.#laneOf(address);
    if (lane.active < lane.allowed && this.#active < this.#limits.total) {
      this.#begin(lane);
      return true;
    }
    // One that has its attempt already; with none, it waits for the total to fall like everybody else.
    if (lane.slow && lane.active >= lane.allowed) return false;
    return new Promise((resolve) => {
      lane.waiting.push(resolve);
      if (lane.active < lane.allowed) this.#held.add(lane);
    });
  }

  /** The attempt has ended. `prompt` tells whether there was an answer in good time. */
  leave(address: string, prompt: boolean): void {
    const lane = this.#laneOf(address);
    lane.active -= 1;
    this.#active -= 1;
    lane.allowed = prompt ? Math.min(this.#limits.perAddress, lane.allowed * 2) : 1;
    if (lane.slow === prompt) this.#slowClaims += prompt ? -lane.claimed : lane.claimed;
    lane.slow = !prompt;
    if (lane.slow) {
      for (const giveBack of lane.waiting.splice(0)) giveBack(false);
      this.#held.delete(lane);
    } else if (lane.waiting.length > 0) {
      this.#held.add(lane);
    }
    this.#admit();
  }

  /** Gives back everything that waits. */
  clear(): void {
    for (const lane of this.#lanes.values()) for (const giveBack of lane.waiting.splice(0)) giveBack(false);
    this.#held.clear();
  }

  #admit(): void {
    for (const lane of this.#held) {
      if (this.#active >= this.#limits.total) return;
      // Whoever still waits comes after the other lanes.
      this.#held.delete(lane);
      const admit = lane.active < lane.allowed ? lane.waiting.shift() : undefined;
      if (!admit) continue;
      this.#begin(lane);
      admit(true);
      if (lane.waiting.length > 0 && lane.active < lane.allowed) this.#held.add(lane);
    }
  }

  #begin(lane: Lane): void {
    lane.active += 1;
    this.#active += 1;
  }

  #laneOf(address: string): Lane {
    let lane = this.#lanes.get(address);
    if (!lane) {
      if (this.#lanes.size >= LANES_MAX) this.#forgetOne();
      lane = {
        allowed: ALLOWED_FIRST,
        // Until it has answered: else many addresses that never do would take the place of those that did.
        slow: true,
        claimed: 0,
        active: 0,
        waiting: [],
      };
      this.#lanes.set(address, lane);
    }
    return lane;
  }

  #forgetOne(): void {
    for (const [address, lane] of this.#lanes) {
      if (lane.claimed === 0) {
        this.#lanes.delete(address);
        return;
      }
    }
  }
}
