/** Reads an SQLite file without changing it. */
import { describeFailures } from './database-file.ts';
import { DatabaseSync } from './node-sqlite.ts';
import { isDamage } from './translate-errors.ts';

const DAMAGES_MAX = 10;

/** Whether the file is a database of a gateway, of any version. Throws UnusableDatabase if it isn't a database. */
export function isGatewayFile(file: string): boolean {
  return inspect(
    file,
    (database) => database.prepare("select 1 from sqlite_master where name = 'schema_version'").get() !== undefined,
  );
}

/**
 * Reads every page of the file and returns its errors, one line each. Doesn't compare indexes with tables. Throws
 * UnusableDatabase if the file isn't a database.
 */
export function listDamages(file: string): string[] {
  return inspect(file, (database) => {
    try {
      const found = database.prepare(`pragma quick_check(${DAMAGES_MAX})`).all();
      const lines = found.flatMap((row) => String(row['quick_check']).split('\n'));
      return lines.filter((line) => line !== 'ok' && line !== '');
    } catch (error) {
      if (isDamage(error)) return [(error as Error).message];
      throw error;
    }
  });
}

function inspect<T>(file: string, look: (database: DatabaseSync) => T): T {
  return describeFailures(() => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return look(database);
    } finally {
      database.close();
    }
  });
}
