/** Databases of released gateways: `schema-N.json` has all rows of one, and never changes. */
import { readFile } from 'node:fs/promises';
import { migrate } from '../../../gateway/src/store/engine/migrate.ts';
import type { Row, Store } from '../../../gateway/src/store/engine/store.ts';

export interface Released {
  /** Of the schema. */
  readonly version: number;
  readonly key: string;
}

export const RELEASED: readonly Released[] = [{ version: 5, key: 'sk_test_of_the_released_version_0123456789' }];

/** Makes an empty database what the released version left. */
export async function leaveAsReleased(store: Store, { version }: Pick<Released, 'version'>): Promise<void> {
  await migrate(store, { upTo: version });
  const text = await readFile(new URL(`schema-${version}.json`, import.meta.url), 'utf8');
  await store.unit(async (db) => {
    for (const [table, rows] of Object.entries(JSON.parse(text) as Record<string, Row[]>)) {
      for (const row of rows) {
        const columns = Object.keys(row);
        const places = columns.map(() => '?').join(', ');
        await db.run(`insert into ${table} (${columns.join(', ')}) values (${places})`, ...Object.values(row));
      }
    }
  });
}
