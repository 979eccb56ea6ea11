/** A store that counts the statements that it is asked for; the begin and end of a unit of work are not among them. */
import type { Database, Store } from '../../gateway/src/store/store.ts';

export interface CountingStore extends Store {
  /** Statements so far. */
  statements(): number;
}

export function counting(store: Store): CountingStore {
  let statements = 0;
  const counted = (db: Database): Database => ({
    all: (...args) => {
      statements++;
      return db.all(...args);
    },
    get: (...args) => {
      statements++;
      return db.get(...args);
    },
    run: (...args) => {
      statements++;
      return db.run(...args);
    },
    runExactly: (...args) => {
      statements++;
      return db.runExactly(...args);
    },
  });
  return {
    ...store,
    read: counted(store.read),
    unit: (work, priority) => store.unit((db) => work(counted(db)), priority),
    statements: () => statements,
  };
}
