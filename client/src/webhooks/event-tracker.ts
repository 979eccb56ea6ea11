/** Handles each state of a transaction once, whether a webhook or a read reports it. */
import { kindOf } from '../../../generated/webhooks.ts';
import { type PartialOptions, withDefaults } from '../options.ts';
import { describeContent, judgeState, readKey, type Seen, type TransactionState, type Verdict } from './judge-state.ts';

/** Storage of a tracker. */
export interface EventStore {
  /** Returns the stored states of a transaction. */
  read(key: string): Promise<Seen | undefined> | Seen | undefined;
  /**
   * Replaces them. With several processes, replace them only if `before` is still stored (`update … where seen = before`,
   * or `insert … on conflict do nothing`), and return false otherwise. The tracker then reads again.
   */
  write(key: string, seen: Seen, before: Seen | undefined): Promise<boolean> | boolean;
}

export interface EventTracker {
  /**
   * Runs the handler if the state is new, and forgets the state if the handler fails. A second delivery that arrives
   * while the handler runs waits for it, and rejects if it fails.
   */
  handle(state: TransactionState, handler: () => Promise<unknown> | unknown): Promise<Verdict>;
}

/** Attempts to write before the tracker rejects. Each refusal means that another process wrote first. */
const WRITES_MAX = 10;

/** Creates a tracker. By default, it stores states in the memory of this process. */
export function createEventTracker({
  store = memoryEventStore(),
}: PartialOptions<{ store: EventStore }> = {}): EventTracker {
  const running = new Map<string, Promise<Verdict>>();

  async function update<T>(key: string, change: (seen: Seen | undefined) => { seen: Seen; result: T }): Promise<T> {
    for (let attempt = 0; attempt < WRITES_MAX; attempt++) {
      const before = await store.read(key);
      const { seen, result } = change(before);
      if (seen === before || (await store.write(key, seen, before))) return result;
    }
    throw new Error(`The event store refused ${WRITES_MAX} writes for ${key}`);
  }

  async function take(state: TransactionState, handler: () => Promise<unknown> | unknown): Promise<Verdict> {
    const key = toStoreKey(state);
    const verdict = await update(key, (before) => {
      const { verdict, seen } = judgeState(before, state);
      return { seen, result: verdict };
    });
    if (verdict !== 'new') return verdict;
    try {
      await handler();
    } catch (error) {
      await update(key, (before) => ({ seen: withoutState(before, state), result: undefined }));
      throw error;
    }
    return verdict;
  }

  return {
    async handle(state, handler) {
      const read = `${toStoreKey(state)} ${readKey(describeContent(state.data))}`;
      const own = state.id === undefined ? read : `${toStoreKey(state)} ${state.id}`;
      for (;;) {
        // An event also waits for a read of the same content, which can fail.
        const other = running.get(own) ?? running.get(read);
        if (!other) break;
        await other;
      }
      const taking = take(state, handler);
      running.set(own, taking);
      return taking.finally(() => running.delete(own));
    },
  };
}

function toStoreKey({ data }: TransactionState): string {
  return `${kindOf(data)}.${data.transaction_id}`;
}

/** Removes a read by its content, because its event may have replaced its key. */
function withoutState(seen: Seen = {}, { id, data }: TransactionState): Seen {
  const content = describeContent(data);
  return Object.fromEntries(
    Object.entries(seen).filter(([key, value]) => (id === undefined ? value !== content : key !== id)),
  );
}

/** Stores the last transactions in memory, 10,000 by default. A restart forgets them: for one process, and for tests. */
export function memoryEventStore(options: PartialOptions<{ max: number }> = {}): EventStore {
  const { max } = withDefaults({ max: 10_000 }, options);
  const stored = new Map<string, Seen>();
  return {
    read: (key) => stored.get(key),
    write(key, seen, before) {
      if (stored.get(key) !== before) return false;
      stored.delete(key);
      stored.set(key, seen);
      for (const oldest of stored.keys()) {
        if (stored.size <= max) break;
        stored.delete(oldest);
      }
      return true;
    },
  };
}
