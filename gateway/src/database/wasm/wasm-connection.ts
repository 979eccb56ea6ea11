/** A connection of SQLite in WebAssembly, as the statements expect it. */
import type { Database, PreparedStatement, Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import type { SyncConnection, SyncStatement } from '../sqlite/statements.ts';
import type { Value } from '../store.ts';

/** Opens a connection to a file of the module's own file system, which is in memory. */
export function connectWasm(sqlite3: Sqlite3Static, file: string, settings: readonly string[]): SyncConnection {
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
