/**
 * Finds due events that may be attempted now. A query reads some addresses of each merchant and continues there the
 * next time, so that a merchant with many addresses doesn't delay others. Its cost grows with the number of addresses,
 * not of events.
 */

import { integer, optional, text } from '../database/row-mapper.ts';
import { batches } from '../database/sql.ts';
import type { Database, Row } from '../database/store.ts';
import { SearchStart } from '../platform/search-start.ts';
import { systemTimers, type Timers } from '../platform/timers.ts';
import type { AddressLimits, MerchantAddress, Permit } from './address-limits.ts';
import { HANGS_FOR_MS } from './hanging-addresses.ts';

interface WaitingAddress extends MerchantAddress {
  /** When its next event is due, in milliseconds since 1970; infinite if none waits any more. */
  readonly nextAt: number;
  /** Its first due events. */
  readonly dueIds: readonly string[];
  /** The response to its last attempt was late. */
  readonly hangs: boolean;
}

/** Where to begin in the sorted addresses of a merchant: after this one. The empty string is the start. */
interface AddressCursor {
  readonly merchantId: number;
  readonly after: string;
}

/** Cursors that fit in one query. */
const CURSORS_MAX = 64;
/** The recursive table `waiting`: merchants with events that wait for this time or a later one, given twice. Then null. */
export const WAITING_MERCHANTS = `waiting (merchant_id) as (
    select (select min(merchant_id) from events where next_at >= ?)
    union all
    select (select min(e.merchant_id) from events e
      where e.next_at >= ? and e.merchant_id > waiting.merchant_id)
    from waiting where waiting.merchant_id is not null
  )`;

export interface FoundEvent {
  readonly id: string;
  readonly permit: Permit;
}

interface FinderOptions {
  readonly read: Database;
  readonly now: () => number;
  readonly limits: AddressLimits;
  /** Whether this process has claimed the event already. */
  readonly isClaimed: (id: string) => boolean;
  /** Maximum due events read per address. */
  readonly dueMax: number;
  readonly timers?: Timers;
}

/** Progress through the addresses of a merchant. */
interface MerchantState {
  readonly merchantId: number;
  /** The next query begins after this address. */
  after: string;
  /** How often the last address was reached. */
  rounds: number;
  /** Unknown addresses that wait for capacity, each with a due event, in the order in which they were found. */
  readonly queued: Map<string, string>;
}

/** Addresses read by a query over all merchants, with a minimum per merchant. */
const READ_MAX = 256;
const READ_MIN_PER_MERCHANT = 4;
/** A pause after a query, as a multiple of the time that it took, up to a limit. */
const REST_PART = 9;
const REST_MAX_MS = 1_000;
/** Maximum queued addresses per merchant. */
const QUEUED_MAX = 10_000;

/** Queries until all addresses of each merchant were read. */
class Round {
  /** The number of a merchant's rounds at the end of this one. */
  readonly #ends = new Map<MerchantState, number>();

  /** Notes a merchant that is about to be read. */
  include(merchant: MerchantState): void {
    const { after, rounds } = merchant;
    if (!this.#ends.has(merchant)) this.#ends.set(merchant, rounds + (after === '' ? 1 : 2));
  }

  isOver(merchants: Iterable<MerchantState>): boolean {
    return [...merchants].every((merchant) => merchant.rounds >= (this.#ends.get(merchant) ?? Infinity));
  }
}

/** A search of all addresses, over several calls. */
interface Search {
  readonly from: number;
  readonly begun: number;
  readonly round: Round;
  /** When the first event found is due. */
  first: number;
}

export class DueEventFinder {
  readonly #options: FinderOptions;
  readonly #rest: ReturnType<typeof createRest>;
  readonly #start = new SearchStart();
  #search: Search | undefined;
  /** By merchant, the least recently read first. */
  readonly #merchants = new Map<number, MerchantState>();
  #found: FoundEvent[] = [];
  #isHeldUp = false;

  constructor(options: FinderOptions) {
    this.#options = options;
    this.#rest = createRest(options.timers ?? systemTimers);
  }

  /** Whether a due event was seen that may be claimed only when other attempts have ended. */
  get isHeldUp(): boolean {
    return this.#isHeldUp;
  }

  /** Makes the next searches find events whose due time has long passed. */
  announcePast(): void {
    this.#start.announce(0);
    this.#search = undefined;
  }

  /** Takes the events of `acquireDue`. The caller ends their permits. */
  takeAcquired(): readonly FoundEvent[] {
    return this.#found.splice(0);
  }

  /**
   * Acquires permits for due events, for `takeAcquired`. Reads until it has found some, or has read all addresses. Returns
   * when the next event is due.
   */
  async acquireDue(): Promise<number | undefined> {
    const { now, limits } = this.#options;
    const begun = now();
    const round = new Round();
    let next = Infinity;
    this.#isHeldUp = false;
    do {
      // Reading thousands of addresses takes seconds, during which events become due and responses late.
      const readAt = now();
      const addresses = await this.#rest(() => this.#read(readAt, round));
      limits.releaseLate();
      for (const merchant of this.#sortByAttempts(addresses)) {
        const own = addresses.get(merchant.merchantId) ?? [];
        for (const { address, dueIds, hangs } of own) if (dueIds.length === 0 || hangs) merchant.queued.delete(address);
        this.#acquireQueued(merchant);
        this.#acquireOldest(own.filter(({ dueIds }) => dueIds.length > 0));
        for (const { nextAt } of own) if (nextAt > readAt) next = Math.min(next, nextAt);
      }
      if (this.#found.length > 0) return begun;
    } while (!round.isOver(this.#merchants.values()));
    return next === Infinity ? undefined : next;
  }

  /** The merchants of these and of queued addresses, with the fewest attempts first. */
  #sortByAttempts(addresses: ReadonlyMap<number, unknown>): MerchantState[] {
    const { limits } = this.#options;
    return [...this.#merchants.values()]
      .filter(({ merchantId, queued }) => addresses.has(merchantId) || queued.size > 0)
      .map((merchant) => ({ merchant, attempts: limits.countAttempts(merchant.merchantId) }))
      .sort((one, other) => one.attempts - other.attempts)
      .map(({ merchant }) => merchant);
  }

  /** Reads the next addresses of some merchants. */
  async #read(now: number, round: Round): Promise<ReadonlyMap<number, readonly WaitingAddress[]>> {
    const { read, dueMax } = this.#options;
    const search = this.#search ?? this.#beginSearch(now);
    const { from } = search;
    const waiting = await waitingMerchants(read, from);
    for (const merchantId of this.#merchants.keys()) if (!waiting.has(merchantId)) this.#merchants.delete(merchantId);
    for (const merchantId of waiting)
      if (!this.#merchants.has(merchantId))
        this.#merchants.set(merchantId, { merchantId, after: '', rounds: 0, queued: new Map() });
    const merchants = [...this.#merchants.values()].slice(0, CURSORS_MAX);
    const limit = Math.max(READ_MIN_PER_MERCHANT, Math.floor(READ_MAX / merchants.length));
    const found = merchants.length > 0 ? await waitingAddresses(read, merchants, { from, now, limit, dueMax }) : [];
    const addresses = Map.groupBy(found, ({ merchantId }) => merchantId);
    for (const merchant of merchants) {
      const own = addresses.get(merchant.merchantId) ?? [];
      const isLast = own.length < limit;
      round.include(merchant);
      search.round.include(merchant);
      merchant.after = isLast ? '' : (own.at(-1)?.address ?? '');
      if (isLast) merchant.rounds += 1;
      this.#merchants.delete(merchant.merchantId);
      this.#merchants.set(merchant.merchantId, merchant);
    }
    this.#noteRead(search, found);
    return addresses;
  }

  #beginSearch(now: number): Search {
    const search = { from: this.#start.begin(now), begun: now, round: new Round(), first: Infinity };
    this.#search = search;
    return search;
  }

  /** Ends the search once all addresses were read, unless `announcePast` has ended it. */
  #noteRead(search: Search, found: readonly WaitingAddress[]): void {
    for (const { nextAt } of found) search.first = Math.min(search.first, nextAt);
    if (search !== this.#search || !search.round.isOver(this.#merchants.values())) return;
    this.#start.end(search.first, search.begun);
    this.#search = undefined;
  }

  /** Acquires permits for due events of a merchant's addresses, oldest first. Each gets an equal part of the capacity. */
  #acquireOldest(addresses: readonly WaitingAddress[]): void {
    const [first] = addresses;
    const capacity = first ? this.#options.limits.capacity(first.merchantId, 'prompt') : 0;
    const part = Math.max(Math.ceil(capacity / addresses.length), 1);
    for (const address of addresses.toSorted((one, other) => one.nextAt - other.nextAt)) this.#acquire(address, part);
  }

  /** Acquires permits for up to `part` due events of an address, or queues it. */
  #acquire(address: WaitingAddress, part: number): void {
    const { limits, isClaimed } = this.#options;
    const queued = this.#merchants.get(address.merchantId)?.queued;
    const health = limits.getHealth(address, address.hangs);
    const due = address.dueIds.filter((id) => !isClaimed(id));
    const room = Math.max(Math.min(limits.room(address, health), part), 0);
    const [first] = due;
    if (due.length > room) this.#isHeldUp = true;
    // An address that is being attempted waits for this, not for capacity.
    const waits =
      health === 'unknown' && !limits.isAttempted(address) && limits.capacity(address.merchantId, health) <= 0;
    for (const id of due.slice(0, room)) this.#found.push({ id, permit: limits.acquire(address, health) });
    if (first === undefined || !waits) queued?.delete(address.address);
    else if (queued && queued.size < QUEUED_MAX) queued.set(address.address, first);
  }

  /** Acquires permits for queued addresses, newest first, so that a new address need not wait behind thousands that hang. */
  #acquireQueued({ merchantId, queued }: MerchantState): void {
    const { limits, isClaimed } = this.#options;
    if (queued.size === 0 || limits.capacity(merchantId, 'unknown') <= 0) return;
    for (const [address, id] of [...queued].reverse()) {
      const name = { merchantId, address };
      queued.delete(address);
      const isWaiting =
        !isClaimed(id) && limits.getHealth(name, false) === 'unknown' && limits.room(name, 'unknown') > 0;
      if (isWaiting) this.#found.push({ id, permit: limits.acquire(name, 'unknown') });
      if (limits.capacity(merchantId, 'unknown') <= 0) return;
    }
  }
}

async function waitingMerchants(db: Database, from: number): Promise<Set<number>> {
  const rows = await db.all(
    `with recursive ${WAITING_MERCHANTS} select merchant_id from waiting where merchant_id is not null`,
    from,
    from,
  );
  return new Set(rows.map(integer('merchant_id')));
}

/**
 * Returns up to `limit` addresses after each of up to CURSORS_MAX cursors, with up to `dueMax` due events each. Skips events
 * that were due before `from`.
 */
async function waitingAddresses(
  db: Database,
  cursors: readonly AddressCursor[],
  { from, now, limit, dueMax }: { from: number; now: number; limit: number; dueMax: number },
): Promise<WaitingAddress[]> {
  const [batch = []] = batches(cursors);
  const rows = await db.all(
    `with recursive begin_at (merchant_id, address) as
       (values ${batch.map(() => '(cast(? as bigint), cast(? as text))').join(', ')}),
     found (merchant_id, address, position) as (
       select merchant_id, address, 0 from begin_at
       union all
       select merchant_id,
         (select min(e.address) from events e
           where e.next_at >= ? and e.merchant_id = found.merchant_id and e.address > found.address),
         position + 1
       from found where found.address is not null and position < cast(? as bigint)
     )
     select merchant_id, address,
       (select string_agg(first.next_at || '/' || first.id, ' ') from
         (select e.next_at, e.id from events e where e.merchant_id = found.merchant_id and e.address = found.address
            and e.next_at >= ? order by e.next_at limit ?) as first) as first_events,
       (select 1 from hanging_addresses h
         where h.merchant_id = found.merchant_id and h.address = found.address and h.hung_at > ?) as hangs
     from found where position > 0 and address is not null order by position`,
    ...batch.flatMap((cursor) => [cursor?.merchantId ?? null, cursor?.after ?? null]),
    from,
    limit,
    from,
    dueMax,
    now - HANGS_FOR_MS,
  );
  return rows.map((row) => toWaitingAddress(row, now));
}

const readFirstEvents = optional('first_events', (list) =>
  String(list)
    .split(' ')
    .map((pair) => pair.split('/') as [nextAt: string, id: string]),
);

function toWaitingAddress(row: Row, now: number): WaitingAddress {
  const events = readFirstEvents(row) ?? [];
  return {
    merchantId: integer('merchant_id')(row),
    address: text('address')(row),
    nextAt: Math.min(...events.map(([nextAt]) => Number(nextAt))),
    dueIds: events.filter(([nextAt]) => Number(nextAt) <= now).map(([, id]) => id),
    hangs: optional('hangs', Number)(row) !== undefined,
  };
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
