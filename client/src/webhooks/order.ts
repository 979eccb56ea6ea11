/**
 * Events arrive at least once and in no promised order. This detects which of them are new.
 * Every move leads to a higher rank, so what is known of a transaction is the events that were taken, with their status.
 */
import { finalStatuses, statusRanks } from '../../../generated/statuses.ts';
import { type PartialOptions, withDefaults } from '../options.ts';
import type { WebhookEvent } from './event.ts';

/** new: nothing later is known. duplicate: it was taken before. older: something later was taken before. */
export type Verdict = 'new' | 'duplicate' | 'older';

/** The events of one transaction that were taken: status by id. It is plain data; keep it as JSON. */
export type Seen = Readonly<Record<string, WebhookEvent['status']>>;

type EventIdentity = Pick<WebhookEvent, 'id' | 'kind' | 'status'>;

/** Storage of a tracker, for what it has seen. */
export interface EventStore {
  /** Returns the stored entry of a transaction. */
  read(key: string): Promise<Seen | undefined> | Seen | undefined;
  /**
   * Replaces it. With several processes: only if `before` is still what is kept (`update … where seen = before`, or
   * `insert … on conflict do nothing`); return false otherwise, and the tracker looks again.
   */
  write(key: string, seen: Seen, before: Seen | undefined): Promise<boolean> | boolean;
}

export interface EventTracker {
  /** Says what an event is, and remembers it. */
  see(event: WebhookEvent): Promise<Verdict>;
  /** Forgets an event, so that it is new when it is delivered again: call it when handling has failed. */
  forget(event: WebhookEvent): Promise<void>;
  /**
   * Runs the handler if the event is new, and forgets the event if the handler fails. Another delivery that arrives
   * meanwhile waits for the handler and fails with it, so that its response waits until the work is done.
   */
  handle(event: WebhookEvent, handler: () => Promise<unknown> | unknown): Promise<Verdict>;
}

/** Attempts to write before giving up; each failure means that another process was quicker. */
const WRITES_MAX = 10;

/** The verdict and what to keep afterwards. It is pure, for use within a transaction of your own database. */
export function judgeEvent(
  seen: Seen | undefined,
  { id, kind, status }: EventIdentity,
): { verdict: Verdict; seen: Seen } {
  const known = seen ?? {};
  const ranks: Readonly<Record<string, number>> = statusRanks[kind];
  const rank = (of: string) => (Object.hasOwn(ranks, of) ? (ranks[of] ?? -1) : -1);
  const statuses = Object.values(known);
  const isFinal = (finalStatuses as readonly string[]).includes(status);
  if (Object.hasOwn(known, id) || (isFinal && statuses.includes(status))) return { verdict: 'duplicate', seen: known };
  // A service can ask for data twice, so the same status under another id is news, unless it is final.
  const later = statuses.some((other) => (isFinal ? rank(other) >= rank(status) : rank(other) > rank(status)));
  const verdict = later ? 'older' : 'new';
  return { verdict, seen: { ...known, [id]: status } };
}

/** A tracker over a store, which is the memory of this process by default. */
export function createEventTracker({
  store = memoryEventStore(),
}: PartialOptions<{ store: EventStore }> = {}): EventTracker {
  const running = new Map<string, Promise<Verdict>>();

  async function change<T>(
    event: WebhookEvent,
    next: (seen: Seen | undefined) => { seen: Seen; result: T },
  ): Promise<T> {
    const key = keyOf(event);
    for (let attempt = 0; attempt < WRITES_MAX; attempt++) {
      const before = await store.read(key);
      const { seen, result } = next(before);
      if (seen === before || (await store.write(key, seen, before))) return result;
    }
    throw new Error(`the event store refused ${WRITES_MAX} writes for ${key}`);
  }

  const see: EventTracker['see'] = (event) =>
    change(event, (before) => {
      const { verdict, seen } = judgeEvent(before, event);
      return { seen, result: verdict };
    });
  const forget: EventTracker['forget'] = (event) =>
    change(event, (before) => {
      const { [event.id]: _, ...seen } = before ?? {};
      return { seen, result: undefined };
    });

  async function take(event: WebhookEvent, handler: () => Promise<unknown> | unknown): Promise<Verdict> {
    const verdict = await see(event);
    if (verdict !== 'new') return verdict;
    try {
      await handler();
    } catch (error) {
      await forget(event);
      throw error;
    }
    return verdict;
  }

  return {
    see,
    forget,
    async handle(event, handler) {
      const key = `${keyOf(event)}.${event.status}`;
      if (running.has(key)) {
        await running.get(key);
        return 'duplicate';
      }
      const taking = take(event, handler);
      running.set(key, taking);
      return taking.finally(() => running.delete(key));
    },
  };
}

function keyOf({ kind, data }: WebhookEvent): string {
  return `${kind}.${data.transaction_id}`;
}

/** Keeps the last transactions in memory, 10,000 by default. A restart forgets them, so it suits one process and tests. */
export function memoryEventStore(options: PartialOptions<{ max: number }> = {}): EventStore {
  const { max } = withDefaults({ max: 10_000 }, options);
  const kept = new Map<string, Seen>();
  return {
    read: (key) => kept.get(key),
    write(key, seen, before) {
      if (kept.get(key) !== before) return false;
      kept.delete(key);
      kept.set(key, seen);
      for (const oldest of kept.keys()) {
        if (kept.size <= max) break;
        kept.delete(oldest);
      }
      return true;
    },
  };
}
