import type { Database, Store } from '../../gateway/src/database/store.ts';

/**
 * Calls `onStatement` before each statement, except the begin and end of a unit of work. If it throws, the statement
 * rejects.
 */
export function watching(store: Store, onStatement: (sql: string) => void): Store {
  const watched = (db: Database): Database => ({
    keys: db.keys,
    all: async (...args) => {
      onStatement(args[0]);
      return db.all(...args);
    },
    get: async (...args) => {
      onStatement(args[0]);
      return db.get(...args);
    },
    run: async (...args) => {
      onStatement(args[0]);
      return db.run(...args);
    },
    write: async (...args) => {
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
