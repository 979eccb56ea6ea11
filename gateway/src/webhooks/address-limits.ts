/**
 * Limits of concurrent attempts, per process. An address counts separately for each merchant, so merchants with the same
 * callback host don't share a limit. The limit of an address starts at 1 and grows with each quick response. It falls to
 * a few after a slower response, and to 1 after a late response or a failure.
 *
 * Addresses of each health share a total, of which a merchant gets a part. An attempt counts against it until its
 * response is late. Endpoints that hang therefore leave the others their capacity.
 */

/** Scheme, host and port of a merchant's callback URLs. */
export interface MerchantAddress {
  readonly merchantId: number;
  readonly address: string;
}

/** `prompt`: the last response came in time. `hanging`: it was late. `unknown`: not attempted yet, or failed quickly. */
export type Health = 'prompt' | 'unknown' | 'hanging';

export interface AttemptLimits {
  /** Maximum concurrent attempts per address. */
  readonly perAddress: number;
  /** Maximum concurrent attempts at all prompt addresses. Unknown and hanging addresses may have half of it each. */
  readonly total: number;
  /** A response that takes longer is late. In milliseconds. */
  readonly promptMs: number;
}

export interface AttemptEnd {
  readonly responded: boolean;
  readonly ms: number;
}

interface AddressState extends MerchantAddress {
  health: Health;
  limit: number;
  active: number;
}

/** The right to make an attempt. */
export interface Permit {
  readonly state: AddressState;
  /** Health of the address when the permit was acquired. */
  readonly health: Health;
  /** Milliseconds since 1970, once the attempt has begun. */
  beganAt: number;
  isLate: boolean;
  isCounted: boolean;
}

/** A merchant below this number gets capacity even if none is left, so that it never waits for others. */
const GUARANTEED = 2;
/** A quick response raises the limit by this. A slower one that is still prompt sets it to this. */
const STEP = 8;
/** A response within this fraction of `promptMs` is quick. */
const QUICK_PART = 1 / 6;
/** Idle prompt addresses that are remembered. */
const REMEMBERED_MAX = 10_000;

/** Attempts that merchants share. */
class Shares {
  readonly #total: number;
  readonly #perMerchant: number;
  readonly #taken = new Map<number, number>();
  #sum = 0;

  constructor(total: number) {
    this.#total = total;
    this.#perMerchant = Math.max(Math.floor(total / 2), GUARANTEED);
  }

  taken(merchantId: number): number {
    return this.#taken.get(merchantId) ?? 0;
  }

  /** How many more attempts the merchant may make. */
  room(merchantId: number): number {
    const taken = this.taken(merchantId);
    return Math.min(this.#perMerchant - taken, Math.max(this.#total - this.#sum, GUARANTEED - taken));
  }

  add(merchantId: number, count: number): void {
    const taken = this.taken(merchantId) + count;
    if (taken > 0) this.#taken.set(merchantId, taken);
    else this.#taken.delete(merchantId);
    this.#sum += count;
  }
}

export class AddressLimits {
  readonly #limits: AttemptLimits;
  readonly #now: () => number;
  /** Addresses with attempts, and prompt ones. */
  readonly #states = new Map<string, AddressState>();
  readonly #shares: Readonly<Record<Health, Shares>>;
  /** Attempts whose response is awaited and not late yet, oldest first. */
  readonly #awaited = new Set<Permit>();

  constructor(limits: AttemptLimits, now: () => number) {
    const half = Math.floor(limits.total / 2);
    this.#limits = limits;
    this.#now = now;
    this.#shares = { prompt: new Shares(limits.total), unknown: new Shares(half), hanging: new Shares(half) };
  }

  /** The health of an address. If this process isn't attempting it, the store knows whether it hangs. */
  getHealth(address: MerchantAddress, hangsInStore: boolean): Health {
    const state = this.#states.get(toKey(address));
    if (state && state.active > 0) return state.health;
    if (hangsInStore) return 'hanging';
    return state?.health ?? 'unknown';
  }

  /** Whether an attempt at the address is in progress. */
  isAttempted(address: MerchantAddress): boolean {
    return (this.#states.get(toKey(address))?.active ?? 0) > 0;
  }

  /** How many more attempts may be made at an address of this health. */
  room(address: MerchantAddress, health: Health): number {
    const state = this.#states.get(toKey(address));
    const limit = health === 'prompt' ? (state?.limit ?? 1) : 1;
    return Math.min(limit - (state?.active ?? 0), this.#shares[health].room(address.merchantId));
  }

  countAttempts(merchantId: number): number {
    return Object.values(this.#shares).reduce((sum, shares) => sum + shares.taken(merchantId), 0);
  }

  /** How many more attempts the merchant may make at addresses of this health. */
  capacity(merchantId: number, health: Health): number {
    return this.#shares[health].room(merchantId);
  }

  /** Counts an attempt until its `end`. */
  acquire(address: MerchantAddress, health: Health): Permit {
    const state = this.#open(address);
    if (state.active === 0 && state.health !== health) Object.assign(state, { health, limit: 1 });
    state.active += 1;
    this.#shares[health].add(state.merchantId, 1);
    return { state, health, beganAt: 0, isLate: false, isCounted: true };
  }

  begin(permit: Permit): void {
    permit.beganAt = this.#now();
    this.#awaited.add(permit);
  }

  /**
   * Adapts the limit to the end of an attempt. Returns whether the address hangs, or undefined if that hasn't changed.
   */
  adapt(permit: Permit, { responded, ms }: AttemptEnd): boolean | undefined {
    const { state } = permit;
    const { perAddress, promptMs } = this.#limits;
    if (permit.isLate || ms >= promptMs) {
      permit.isLate = true;
      this.#distrust(state, 'hanging');
    } else if (responded) {
      state.health = 'prompt';
      state.limit = Math.min(perAddress, ms < promptMs * QUICK_PART ? state.limit + STEP : STEP);
    } else {
      this.#distrust(state, 'unknown');
    }
    return permit.isLate || (permit.health === 'hanging' ? false : undefined);
  }

  /** Ends the attempt, or the permit if none was made. */
  end(permit: Permit): void {
    const { state } = permit;
    this.#uncount(permit);
    state.active -= 1;
    if (state.active === 0 && state.health !== 'prompt') this.#states.delete(toKey(state));
  }

  /** Stops counting attempts whose response is late against the shares. */
  releaseLate(): void {
    const before = this.#now() - this.#limits.promptMs;
    for (const permit of this.#awaited) {
      if (permit.beganAt > before) break;
      permit.isLate = true;
      this.#uncount(permit);
      this.#distrust(permit.state, 'hanging');
    }
  }

  #uncount(permit: Permit): void {
    this.#awaited.delete(permit);
    if (permit.isCounted) this.#shares[permit.health].add(permit.state.merchantId, -1);
    permit.isCounted = false;
  }

  #distrust(state: AddressState, health: Health): void {
    state.health = health;
    state.limit = 1;
  }

  #open({ merchantId, address }: MerchantAddress): AddressState {
    const key = toKey({ merchantId, address });
    const state = this.#states.get(key) ?? { merchantId, address, health: 'unknown', limit: 1, active: 0 };
    // The most recently used one is last.
    this.#states.delete(key);
    this.#states.set(key, state);
    if (this.#states.size > REMEMBERED_MAX) this.#forgetOne();
    return state;
  }

  #forgetOne(): void {
    for (const [key, { active }] of this.#states) {
      if (active > 0) continue;
      this.#states.delete(key);
      return;
    }
  }
}

function toKey({ merchantId, address }: MerchantAddress): string {
  return `${merchantId} ${address}`;
}
