/** Stores that report their statements, except the begin and end of a unit of work. */
import type { Database, Store } from '../../gateway/src/database/store.ts';

export interface CountingStore extends Store {
  /** Statements so far. */
  statements(): number;
}

export function counting(store: Store): CountingStore {
  let statements = 0;
  const counted = watching(store, () => {
    statements++;
  });
  return { ...counted, statements: () => statements };
}

/** Calls `onStatement` before each statement. */
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
