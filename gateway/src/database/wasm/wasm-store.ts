/**
 * The store in a web page: SQLite compiled to WebAssembly, in memory. It runs in any thread of a page, and in Node. The
 * database ends with the store, unless each commit is stored elsewhere.
 */

import type { Database, PreparedStatement, Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { type CommitLog, FailStopLog } from '../sqlite/commit-log.ts';
import { Reader, Statements, type SyncConnection, type SyncStatement } from '../sqlite/statements.ts';
import { type QueueOptions, storeOnConnections } from '../sqlite/store-on-connections.ts';
import type { Store, Value } from '../store.ts';

/**
 * The module's files have no locks and need none: all connections share a thread, and one of them writes. Readers see
 * committed data as long as the writer changes the file only during its commit, which is one synchronous call:
 * - Dirty pages stay in its cache until then (cache_spill).
 * - Its journal is in memory. Readers would treat a journal file as the remains of a crash and roll it back.
 * - `commitGroup` ends the reader's transaction before a commit.
 */
const SETTINGS = ['journal_mode = memory', 'cache_spill = off', 'synchronous = off', 'foreign_keys = on'];

/** Memory needs no sync. */
const NO_DISK: CommitLog = { syncing: undefined, requireHealthy: () => undefined, sync: async () => undefined };

interface WasmOptions extends QueueOptions {
  /** Content of the database, such as another one's image. By default it has no tables. */
  readonly image?: Uint8Array;
  /** Persists each commit before its units resolve. After a failure, further commits are rejected. */
  readonly keep?: ((image: Uint8Array) => Promise<void>) | undefined;
}

interface WasmStore extends Store {
  /** The content of the database. */
  image(): Promise<Uint8Array>;
}

/** Stores what is committed. */
class KeptLog extends FailStopLog {
  readonly #store: () => Promise<void>;
  constructor(store: () => Promise<void>) {
    super();
    this.#store = store;
  }
  protected write(): Promise<void> {
    return this.#store();
  }
  protected describe(failure: unknown): string {
    return failure instanceof Error ? failure.message : String(failure);
  }
}

let opened = 0;

/** Opens a separate database in the memory of a loaded module. */
export function openWasm(sqlite3: Sqlite3Static, { image, keep, ...queue }: WasmOptions = {}): WasmStore {
  const file = `/gateway-${++opened}.db`;
  // It would print each failing statement, whose error the caller gets.
  sqlite3.config.warn = () => undefined;
  if (image) sqlite3.capi.sqlite3_js_posix_create_file(file, image);
  const connect = () => connectWasm(sqlite3, file, SETTINGS);
  const inTurn = turns();
  const log = keep ? new KeptLog(() => keep(exportDatabase(sqlite3, file))) : NO_DISK;
  const store = storeOnConnections(
    {
      writer: new Statements(connect()),
      reader: new Reader(connect(), log),
      log,
      connect: () => new Statements(connect()),
      hasRoom: async () => true,
      inTurn,
      release: () => deleteFile(sqlite3, file),
    },
    queue,
  );
  return { ...store, image: () => inTurn(async () => exportDatabase(sqlite3, file)) };
}

/** Reads the file's content over a separate connection. */
function exportDatabase({ capi, oo1 }: Sqlite3Static, file: string): Uint8Array {
  const db = new oo1.DB(file, 'r');
  try {
    return capi.sqlite3_js_db_export(db);
  } finally {
    db.close();
  }
}

/** Runs work sequentially. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Returns the memory of the file to the module. */
function deleteFile({ wasm }: Sqlite3Static, file: string): void {
  const unlink = wasm.exports['sqlite3__wasm_vfs_unlink'] as (vfs: number, name: unknown) => number;
  wasm.scopedAllocCall(() => unlink(0, wasm.scopedAllocCString(file, false)));
}

/** Opens a connection to a file of the module's own file system, which is in memory. */
function connectWasm(sqlite3: Sqlite3Static, file: string, settings: readonly string[]): SyncConnection {
  const db = new sqlite3.oo1.DB(file, 'c');
  const connection = wrapConnection(sqlite3, db);
  for (const setting of settings) connection.exec(`pragma ${setting}`);
  return connection;
}

function wrapConnection({ capi }: Sqlite3Static, db: Database): SyncConnection {
  const prepared: PreparedStatement[] = [];
  return {
    prepare(sql) {
      const statement = withCode(() => db.prepare(sql));
      prepared.push(statement);
      return wrapStatement(db, statement);
    },
    exec(sql) {
      withCode(() => db.exec(sql));
    },
    close() {
      for (const statement of prepared) statement.finalize();
      db.close();
    },
    get isTransaction() {
      return capi.sqlite3_get_autocommit(db) === 0;
    },
  };
}

function wrapStatement(db: Database, statement: PreparedStatement): SyncStatement {
  /** Runs the statement, and always resets it for its next use. */
  function running<T>(values: readonly Value[], read: () => T): T {
    return withCode(() => {
      try {
        if (values.length > 0) statement.bind([...values]);
        return read();
      } finally {
        statement.reset(true);
      }
    });
  }

  function row(): Record<string, unknown> {
    const columns = statement.get({});
    for (const [name, value] of Object.entries(columns)) {
      if (typeof value === 'bigint') throw new RangeError(`${name} is ${value}, which a number can't represent`);
    }
    return columns;
  }

  return {
    run: (...values) =>
      running(values, () => {
        while (statement.step());
        return { changes: db.changes() };
      }),
    get: (...values) => running(values, () => (statement.step() ? row() : undefined)),
    all: (...values) =>
      running(values, () => {
        const rows: unknown[] = [];
        while (statement.step()) rows.push(row());
        return rows;
      }),
  };
}

/** Gives errors the name for SQLite's result code that Node uses. */
function withCode<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const { resultCode } = error as { resultCode?: number };
    throw resultCode === undefined ? error : Object.assign(error as Error, { errcode: resultCode });
  }
}
