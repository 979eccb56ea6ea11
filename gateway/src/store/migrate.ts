/**
 * Numbered migrations, applied at start, each once, by one process at a time. One of a single kind of database says so
 * before its ending (`.sqlite.sql`), and has a counterpart of the same number for the other.
 */
import { readdir, readFile } from 'node:fs/promises';
import type { Store } from './store.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** Applies what is missing. Returns the names of what was applied. Throws when the database is newer than this code. */
export async function migrate(store: Store): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((file) => isFor(store.kind, file)).sort();
  await prepareTable(store);
  const scripts = await Promise.all(files.map((file) => readFile(new URL(file, FOLDER), 'utf8')));
  return store.unit(async (db) => {
    // The row's lock keeps other processes out until this unit is committed.
    const lock = await db.get(`select version from schema_version where id = 1 for update`);
    const version = Number(lock?.['version'] ?? 0);
    if (version > files.length) {
      throw new Error(
        `the database is at version ${version}, newer than the ${files.length} that this gateway knows: update the gateway`,
      );
    }
    for (const script of scripts.slice(version)) {
      for (const statement of statementsOf(script)) await db.run(statement);
    }
    await db.run('update schema_version set version = ? where id = 1', files.length);
    return files.slice(version);
  });
}

function isFor(kind: Store['kind'], file: string): boolean {
  return /^[^.]+\.sql$/.test(file) || file.endsWith(`.${kind}.sql`);
}

async function prepareTable(store: Store): Promise<void> {
  const create = () =>
    store.unit(async (db) => {
      await db.run('create table if not exists schema_version (id bigint primary key, version bigint not null)');
      await db.run('insert into schema_version (id, version) values (1, 0) on conflict (id) do nothing');
    });
  // Two processes that create the table at once: PostgreSQL refuses the second, which then finds it.
  await create().catch(create);
}

function statementsOf(script: string): string[] {
  return script
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
