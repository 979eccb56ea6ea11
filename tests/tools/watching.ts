import type { Database, Store } from '../../gateway/src/database/store.ts';

/** Calls `onStatement` before each statement, except the begin and end of a unit of work. */
export function watching(store: Store, onStatement: (sql: string) => void): Store {
  const watched = (db: Database): Database => ({
    all: (...args) => {
      onStatement(args[0]);
      return db.all(...args);
    },
    get: (...args) => {
      onStatement(args[0]);
      return db.get(...args);
    },
    run: (...args) => {
      onStatement(args[0]);
      return db.run(...args);
    },
    write: (...args) => {
      onStatement(args[0].one);
      return db.write(...args);
    },
  });
  return {
    ...store,
    read: watched(store.read),
    unit: (work, options) => store.unit((db) => work(watched(db)), options),
  };
}
