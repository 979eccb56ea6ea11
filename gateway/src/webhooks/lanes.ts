/**
 * Concurrency control for deliveries. A lane is a merchant and an address, so merchants never share one, even with the
 * same callback host. A lane's concurrency limit doubles with each prompt response, up to a maximum, and drops to one
 * after a late or missing response.
 *
 * An attempt takes a slot of its lane's pace: prompt, new or slow. Hanging lanes take no slots from new ones, and
 * neither from prompt ones. After `promptMs` without a response, an attempt marks its lane slow and releases its slot
 * while it continues. So except in slow lanes, a slot is held for at most `promptMs`.
 *
 * All limits are per process.
 */

import { Slots } from './slots.ts';
import type { LaneName } from './waiting-lanes.ts';

/** `prompt`: the last response came in good time. `slow`: it didn't. `unproven`: new, or failed quickly. */
export type LanePace = 'prompt' | 'unproven' | 'slow';

export interface LaneLimits {
  /** Maximum concurrent attempts per lane. */
  readonly perLane: number;
  /** Maximum concurrent attempts in all prompt lanes. Other paces get a fraction each. */
  readonly total: number;
  /** A response that takes longer is late. In milliseconds. */
  readonly promptMs: number;
}

/** The end of an attempt. */
export interface AttemptEnd {
  readonly answered: boolean;
  readonly ms: number;
}

interface Lane extends LaneName {
  pace: LanePace;
  /** Attempts at a time that it is trusted with. */
  allowed: number;
  /** Claimed deliveries: in flight, queued here, or with a result being written. */
  claimed: number;
  active: number;
  readonly waiting: Ticket[];
}

/** A delivery's entry in its lane, from the claim to its end. */
export interface Ticket {
  readonly lane: Lane;
  readonly claimedPace: LanePace;
  /** The kind of slot that it holds. */
  slots: Slots | undefined;
  state: 'claimed' | 'waiting' | 'active' | 'left';
  /** Milliseconds since 1970. */
  beganAt: number;
  late: boolean;
  admit: (admitted: boolean) => void;
}

const ALLOWED_FIRST = 1;
/** A prompt lane claims this multiple of its limit, so that it doesn't wait for the store. */
export const CLAIMED_AHEAD = 8;
/** Fractions of `total` for lanes of other paces, in total and per merchant. */
const OTHER_PART = 1 / 2;
const OTHER_PART_OF_MERCHANT = 1 / 4;
/** Maximum lanes in memory. Idle ones are evicted. */
const LANES_MAX = 10_000;

const ignore = () => undefined;

export class Lanes {
  readonly #limits: LaneLimits;
  readonly #now: () => number;
  readonly #lanes = new Map<string, Lane>();
  readonly #slots: Readonly<Record<LanePace, Slots>>;
  /** Claims in prompt lanes, made before their slots are free. */
  readonly #claims: Slots;
  /** Attempts that may still become late, the oldest first. */
  readonly #underWay = new Set<Ticket>();
  /** By merchant, prompt lanes with deliveries that wait for a slot, longest waiting first. */
  readonly #held = new Map<number, Set<Lane>>();

  constructor(limits: LaneLimits, now: () => number) {
    const { total } = limits;
    const other = { all: Math.floor(total * OTHER_PART), perMerchant: Math.floor(total * OTHER_PART_OF_MERCHANT) };
    this.#limits = limits;
    this.#now = now;
    this.#slots = { prompt: new Slots({ all: total }), unproven: new Slots(other), slow: new Slots(other) };
    this.#claims = new Slots({ all: total * CLAIMED_AHEAD * 2, perMerchant: total * CLAIMED_AHEAD });
  }

  /** The pace of a lane. For an idle one, the store knows whether it is slow, because other processes attempt too. */
  paceOf(name: LaneName, slowInStore: boolean): LanePace {
    const lane = this.#lanes.get(keyOf(name));
    if (lane && lane.claimed > 0) return lane.pace;
    if (slowInStore) return 'slow';
    return lane?.pace === 'prompt' ? 'prompt' : 'unproven';
  }

  /** Whether the lane can claim another delivery. */
  mayClaim(name: LaneName, pace: LanePace): boolean {
    const lane = this.#lanes.get(keyOf(name));
    const claimed = lane?.claimed ?? 0;
    if (pace !== 'prompt') return claimed === 0 && this.#slots[pace].hasRoom(name.merchantId);
    return claimed < (lane?.allowed ?? ALLOWED_FIRST) * CLAIMED_AHEAD && this.#claims.hasRoom(name.merchantId);
  }

  /** Selects the merchant to claim for next in lanes of a pace, or undefined without a free slot. */
  neediest(pace: LanePace, merchantIds: Iterable<number>): number | undefined {
    return this.#slots[pace].neediest(merchantIds);
  }

  /** Counts a delivery as claimed; `end` ends that. */
  claim(name: LaneName, pace: LanePace): Ticket {
    const lane = this.#laneOf(name, pace);
    lane.claimed += 1;
    const slots = pace === 'prompt' ? undefined : this.#slots[pace];
    (slots ?? this.#claims).take(lane.merchantId);
    return { lane, claimedPace: pace, slots, state: 'claimed', beganAt: 0, late: false, admit: ignore };
  }

  /** The delivery's claim has ended. */
  end(ticket: Ticket): void {
    const { lane, claimedPace } = ticket;
    if (ticket.state === 'active') {
      // It was not attempted, for instance because its URL is stopped. Others still wait.
      this.#finish(ticket);
      if (lane.waiting.length > 0) this.#hold(lane);
    }
    this.#release(ticket);
    if (claimedPace === 'prompt') this.#claims.release(lane.merchantId);
    lane.claimed -= 1;
    this.#admit();
  }

  /**
   * Resolves to true when the attempt may begin, and to false if the lane is no longer prompt and the delivery must be
   * released.
   */
  async enter(ticket: Ticket): Promise<boolean> {
    const { lane, claimedPace } = ticket;
    const free = lane.active < lane.allowed;
    if (claimedPace !== 'prompt') {
      // A formerly prompt lane may still have attempts in flight.
      if (free) this.#begin(ticket);
      return free;
    }
    if (lane.pace !== 'prompt') return false;
    if (free && this.#slots.prompt.hasRoom(lane.merchantId)) {
      this.#begin(ticket);
      return true;
    }
    return new Promise((admit) => {
      ticket.state = 'waiting';
      ticket.admit = admit;
      lane.waiting.push(ticket);
      if (free) this.#hold(lane);
    });
  }

  /** Ends the attempt. Returns whether the lane hangs, or undefined if that hasn't changed. */
  leave(ticket: Ticket, { answered, ms }: AttemptEnd): boolean | undefined {
    const { lane, claimedPace } = ticket;
    this.#finish(ticket);
    this.#release(ticket);
    if (ticket.late || ms >= this.#limits.promptMs) {
      ticket.late = true;
      this.#distrust(lane, 'slow');
    } else if (answered) {
      lane.pace = 'prompt';
      lane.allowed = Math.min(this.#limits.perLane, lane.allowed * 2);
      if (lane.waiting.length > 0) this.#hold(lane);
    } else {
      this.#distrust(lane, 'unproven');
    }
    this.#admit();
    return ticket.late || (claimedPace === 'slow' ? false : undefined);
  }

  /** Marks lanes with late attempts slow and releases those attempts' slots. */
  sweep(): void {
    const before = this.#now() - this.#limits.promptMs;
    for (const ticket of this.#underWay) {
      if (ticket.beganAt > before) break;
      this.#underWay.delete(ticket);
      ticket.late = true;
      // A slow lane stays slow and holds its slot for the whole attempt.
      if (ticket.claimedPace !== 'slow') this.#release(ticket);
      this.#distrust(ticket.lane, 'slow');
    }
    this.#admit();
  }

  /** Gives back everything that waits. */
  clear(): void {
    for (const lane of this.#lanes.values()) this.#giveBack(lane);
  }

  #begin(ticket: Ticket): void {
    const { lane } = ticket;
    if (ticket.claimedPace === 'prompt') {
      ticket.slots = this.#slots.prompt;
      ticket.slots.take(lane.merchantId);
    }
    ticket.state = 'active';
    ticket.beganAt = this.#now();
    lane.active += 1;
    this.#underWay.add(ticket);
  }

  #finish(ticket: Ticket): void {
    ticket.state = 'left';
    ticket.lane.active -= 1;
    this.#underWay.delete(ticket);
  }

  #release(ticket: Ticket): void {
    ticket.slots?.release(ticket.lane.merchantId);
    ticket.slots = undefined;
  }

  #distrust(lane: Lane, pace: LanePace): void {
    lane.pace = pace;
    lane.allowed = ALLOWED_FIRST;
    this.#giveBack(lane);
  }

  #giveBack(lane: Lane): void {
    for (const { admit } of lane.waiting.splice(0)) admit(false);
    const held = this.#held.get(lane.merchantId);
    held?.delete(lane);
    if (held?.size === 0) this.#held.delete(lane.merchantId);
  }

  #hold(lane: Lane): void {
    const held = this.#held.get(lane.merchantId);
    if (held) held.add(lane);
    else this.#held.set(lane.merchantId, new Set([lane]));
  }

  /** Starts waiting deliveries, by merchants with the fewest slots, then round-robin over their lanes. */
  #admit(): void {
    for (;;) {
      const merchantId = this.#slots.prompt.neediest(this.#held.keys());
      const [lane] = (merchantId !== undefined && this.#held.get(merchantId)) || [];
      if (!lane) return;
      const held = this.#held.get(lane.merchantId);
      held?.delete(lane);
      if (held?.size === 0) this.#held.delete(lane.merchantId);
      const ticket = lane.active < lane.allowed ? lane.waiting.shift() : undefined;
      if (!ticket) continue;
      this.#begin(ticket);
      ticket.admit(true);
      if (lane.waiting.length > 0 && lane.active < lane.allowed) this.#hold(lane);
    }
  }

  #laneOf(name: LaneName, pace: LanePace): Lane {
    const key = keyOf(name);
    let lane = this.#lanes.get(key);
    if (!lane) {
      if (this.#lanes.size >= LANES_MAX) this.#forgetOne();
      const { merchantId, address } = name;
      lane = { merchantId, address, pace, allowed: ALLOWED_FIRST, claimed: 0, active: 0, waiting: [] };
      this.#lanes.set(key, lane);
    }
    if (lane.claimed === 0 && lane.pace !== pace) Object.assign(lane, { pace, allowed: ALLOWED_FIRST });
    return lane;
  }

  #forgetOne(): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.claimed > 0) continue;
      this.#lanes.delete(key);
      return;
    }
  }
}

function keyOf({ merchantId, address }: LaneName): string {
  return `${merchantId} ${address}`;
}
