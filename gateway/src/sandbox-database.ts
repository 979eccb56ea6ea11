/** The database of a gateway without a server: in memory, or persisted in the browser's storage. */

import { emptyImage } from './database/empty-image.ts';
import { UnreleasedSchema } from './database/migrate.ts';
import type { Store } from './database/store.ts';
import { type KeptDatabase, openKept } from './database/wasm/kept-database.ts';
import { loadSqlite } from './database/wasm/load-sqlite.ts';
import { openWasm } from './database/wasm/wasm-store.ts';
import { type Clock, shiftedClock, systemClock } from './platform/clock.ts';

export interface DatabaseOptions {
  /** Name under which it is kept. Without one it ends with the store. */
  readonly storage?: string | undefined;
  readonly wasm?: ArrayBuffer | Uint8Array | undefined;
  /** The time at which a new one begins. */
  readonly now?: Date | undefined;
  readonly seed?: string | undefined;
}

/** Access to a merchant. The database itself has only a hash of the key. */
export interface MerchantKeys {
  readonly key: string;
  readonly secret: string;
}

export interface SandboxDatabase {
  readonly store: Store;
  readonly clock: Clock;
  /** Differs from start to start, since a seed makes the same values again. */
  readonly seed: string | undefined;
  /** The most recently stored merchant. */
  readonly merchant: MerchantKeys | undefined;
  /** Remembers a merchant for the next start. */
  remember(merchant: MerchantKeys): Promise<void>;
  /** Closes the store, unless it is closed, and lets go of the browser's storage. */
  close(): Promise<void>;
}

/** The notes of a kept database. */
interface Notes {
  readonly clockShift: number;
  readonly merchant: MerchantKeys;
}

/** Opens it. Throws an Error if it can't be kept. */
export async function openDatabase({ storage, wasm, now, seed }: DatabaseOptions): Promise<SandboxDatabase> {
  const sqlite3 = await loadSqlite(wasm);
  const empty = await emptyImage(sqlite3);
  const kept = storage === undefined ? undefined : await openKept(storage);
  const notes = kept?.notes as Notes | undefined;
  const clockShift = notes?.clockShift ?? (now ? now.getTime() - systemClock.now() : 0);
  const store = openWasm(sqlite3, { image: kept?.content ?? empty, keep: kept && storing(kept) });
  return {
    store,
    clock: shiftedClock(clockShift),
    seed: seed && seedOf(seed, kept),
    merchant: notes?.merchant,
    remember: async (merchant) => kept?.note({ clockShift, merchant } satisfies Notes),
    async close() {
      await store.close();
      kept?.close();
    },
  };
}

/** The error of a start. If the browser has kept the database of an unreleased revision, the error says how to delete it. */
export function explainKept(error: unknown, storage: string | undefined): unknown {
  if (storage === undefined || !(error instanceof UnreleasedSchema)) return error;
  return new Error(
    `storage: '${storage}' has the database of an unreleased revision. Delete it: indexedDB.deleteDatabase('payments-sandbox:${storage}')`,
    { cause: error },
  );
}

/** Stores each commit. The first failure ends that, and is reported where developers look: requests only get 503 from then on. */
function storing(kept: KeptDatabase): (image: Uint8Array) => Promise<void> {
  return async (image) => {
    try {
      await kept.store(image);
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: this is a web page.
      console.error(error);
      throw error;
    }
  };
}

function seedOf(seed: string, kept: Pick<KeptDatabase, 'opened'> | undefined): string {
  return kept && kept.opened > 1 ? `${seed} ${kept.opened}` : seed;
}
