/** The schema version of an SQLite file, read without changing the file in any way. */
import { describeFailures } from './database-file.ts';
import { DatabaseSync } from './node-sqlite.ts';

/** Whether the file is a database of a gateway, of any version. Throws UnusableDatabase if it isn't a database. */
export function isGatewayFile(file: string): boolean {
  return describeFailures(() => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database.prepare("select 1 from sqlite_master where name = 'schema_version'").get() !== undefined;
    } finally {
      database.close();
    }
  });
}
