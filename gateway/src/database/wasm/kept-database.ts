/**
 * Persists a database in the browser's storage. IndexedDB exists in pages and all workers; files with synchronous
 * access only in dedicated workers (docs/decisions/0020-store-in-webassembly.md).
 */

/** Block size: a changed byte writes its whole block. */
const BLOCK = 16_384;

/** In front of the name that the browser's tools show, and `indexedDB.deleteDatabase()` takes. */
const PREFIX = 'payments-sandbox:';

const BLOCKS = 'blocks';
const ABOUT = 'about';

/** The parts of IndexedDB in use. The language's own types have none of it. */
interface Requested<T = unknown> {
  readonly result: T;
  readonly error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}
interface ObjectStore {
  get(key: string): Requested;
  getAll(): Requested<unknown[]>;
  put(value: unknown, key: string | number): Requested;
}
interface IndexedDbTransaction {
  readonly error: Error | null;
  objectStore(name: string): ObjectStore;
  abort(): void;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}
interface IndexedDbConnection {
  createObjectStore(name: string): unknown;
  transaction(
    names: readonly string[],
    mode: 'readwrite',
    options: { readonly durability: 'relaxed' },
  ): IndexedDbTransaction;
  close(): void;
  onversionchange: (() => void) | null;
}
interface Opening extends Requested<IndexedDbConnection> {
  onupgradeneeded: (() => void) | null;
}
interface BrowserStorage {
  open(name: string, version: number): Opening;
}

/** A persisted database, until it is closed or opened elsewhere. */
export interface KeptDatabase {
  /** The stored content, or undefined for a new database. */
  readonly content: Uint8Array | undefined;
  /** The stored notes, or undefined without any. */
  readonly notes: unknown;
  /** Number of times that it was opened, this one included. */
  readonly opened: number;
  /** Stores the content, which stays the caller's. Rejects if that fails, or if it has been opened elsewhere since. */
  store(content: Uint8Array): Promise<void>;
  /** Stores notes: a value of JSON. Rejects as `store` does. */
  note(notes: unknown): Promise<void>;
  close(): void;
}

/**
 * Opens a database, taking it over from another page or worker. Throws an Error with the reason if it can't be
 * persisted.
 */
export async function openKept(name: string): Promise<KeptDatabase> {
  const { indexedDB } = globalThis as { indexedDB?: BrowserStorage };
  if (!indexedDB) {
    throw new Error(`storage: '${name}' needs IndexedDB, which only browsers have. Leave \`storage\` out here.`);
  }
  try {
    const connection = await connect(indexedDB, PREFIX + name);
    return await takeOver(connection, name);
  } catch (cause) {
    throw new Error(`storage: the browser can't keep '${name}': ${describeReason(cause)}`, { cause });
  }
}

/** The message of an error. Those of a browser may have only a name. */
function describeReason(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function connect(storage: BrowserStorage, name: string): Promise<IndexedDbConnection> {
  return new Promise((resolve, reject) => {
    const opening = storage.open(name, 1);
    opening.onupgradeneeded = () => {
      for (const store of [BLOCKS, ABOUT]) opening.result.createObjectStore(store);
    };
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      // Someone deletes it. The next write then fails.
      opening.result.onversionchange = () => opening.result.close();
      resolve(opening.result);
    };
  });
}

/** Reads the database and counts that it was opened, all at once: an older count can't write any more. */
async function takeOver(connection: IndexedDbConnection, name: string): Promise<KeptDatabase> {
  const reading = transact(connection);
  const about = reading.stores.objectStore(ABOUT);
  const blocks = reading.stores.objectStore(BLOCKS).getAll();
  const [length, notes, before] = [about.get('length'), about.get('notes'), about.get('opened')];
  let opened = 0;
  before.onsuccess = () => {
    opened = Number(before.result ?? 0) + 1;
    about.put(opened, 'opened');
  };
  await reading.completed;

  /** Writes in one transaction, unless the database was opened elsewhere. */
  async function write(values: readonly (readonly [store: string, key: string | number, value: unknown])[]) {
    const { stores, completed } = transact(connection);
    const last = stores.objectStore(ABOUT).get('opened');
    let isOwn = true;
    last.onsuccess = () => {
      isOwn = last.result === opened;
      if (!isOwn) return stores.abort();
      for (const [store, key, value] of values) stores.objectStore(store).put(value, key);
    };
    await completed.catch((cause: unknown) => {
      const reason = isOwn ? describeReason(cause) : 'it was started again elsewhere, and continues there';
      throw new Error(`the browser doesn't keep the sandbox '${name}' any more: ${reason}`, { cause });
    });
  }

  const content = joined(blocks.result as Uint8Array[], Number(length.result ?? 0));
  let stored = content;
  return {
    content,
    opened,
    notes: notes.result,
    async store(next) {
      const changed = changedBlocks(stored, next).map(
        ([index, block]) => [BLOCKS, index, block] satisfies [string, number, Uint8Array],
      );
      await write([[ABOUT, 'length', next.length], ...changed]);
      stored = next;
    },
    note: (value) => write([[ABOUT, 'notes', value]]),
    close: () => connection.close(),
  };
}

/** A transaction whose commits outlive the browser's crash, and reach the disk when the system writes them. */
function transact(connection: IndexedDbConnection): { stores: IndexedDbTransaction; completed: Promise<void> } {
  const stores = connection.transaction([BLOCKS, ABOUT], 'readwrite', { durability: 'relaxed' });
  const completed = new Promise<void>((resolve, reject) => {
    stores.oncomplete = () => resolve();
    stores.onabort = () => reject(stores.error ?? new Error('the transaction was aborted'));
  });
  return { stores, completed };
}

/** Concatenates the blocks and trims them to the length. */
function joined(blocks: readonly Uint8Array[], length: number): Uint8Array | undefined {
  if (length === 0) return undefined;
  const content = new Uint8Array(blocks.length * BLOCK);
  for (const [index, block] of blocks.entries()) content.set(block, index * BLOCK);
  return content.subarray(0, length);
}

/** Copies of the changed blocks. */
function changedBlocks(before: Uint8Array | undefined, now: Uint8Array): [index: number, block: Uint8Array][] {
  const changed: [number, Uint8Array][] = [];
  for (let start = 0; start < now.length; start += BLOCK) {
    const block = now.subarray(start, start + BLOCK);
    const previous = before?.subarray(start, start + BLOCK);
    if (!isSame(block, previous)) changed.push([start / BLOCK, block.slice()]);
  }
  return changed;
}

/** Whether their bytes are equal. Both begin and end at a page. */
function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  if (one.length !== other?.length) return false;
  const [words, others] = [viewWords(one), viewWords(other)];
  for (let at = 0; at < words.length; at++) if (words[at] !== others[at]) return false;
  return true;
}

/** Compares four bytes at a time, since each commit compares all content. */
function viewWords({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length / Int32Array.BYTES_PER_ELEMENT);
}
