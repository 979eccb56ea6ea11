/** The baseline migration, and later ones added by the tests. */
import { describe, expect, it } from 'vitest';
import {
  knownVersion,
  type Migration,
  migrate,
  parseMigration,
  parseMigrations,
  readMigrations,
  readSchemaVersion,
  requireUsableSchema,
} from '../../../gateway/src/database/migrate.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { addMerchant } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';

const namesOf = (migrations: readonly Migration[]) => migrations.map(({ name }) => name);

/** The current migrations and later ones. */
function withNext({ kind }: Store, ...scripts: string[]): Migration[] {
  const known = readMigrations(kind);
  const next = scripts.map((script, index) => parseMigration(`00${known.length + index + 1}-next`, script));
  return [...known, ...next];
}

describeOnEachStore('migrations', (open, database) => {
  it('are applied once to an empty database, by one of several concurrent processes', async () => {
    const shared = await database();
    const stores = Array.from({ length: 5 }, () => shared.connect());
    const applied = await Promise.all(stores.map((store) => migrate(store)));
    expect(applied.flat()).toEqual(namesOf(readMigrations(shared.kind)));
    const store = shared.connect();
    expect(await migrate(store)).toEqual([]);
    await requireUsableSchema(store);
  });

  it('upgrade a non-empty database without losing rows', async () => {
    const store = await open();
    const merchant = await addMerchant(store);
    const next = withNext(
      store,
      "alter table merchants add column country text not null default 'IN'",
      'create table branches (id bigint primary key, country text not null); insert into branches select id, country from merchants',
    );
    expect(await migrate(store, next)).toEqual(namesOf(next.slice(-2)));
    expect(await store.read.all('select * from branches')).toEqual([{ id: merchant.id, country: 'IN' }]);
    expect(await readSchemaVersion(store)).toBe(next.length);
  });

  it('roll back if a statement fails', async () => {
    const store = await open();
    const next = withNext(store, 'create table branches (id bigint primary key)', 'insert into missing values (1)');
    await expect(migrate(store, next)).rejects.toThrow();
    expect(await store.hasTable('branches')).toBe(false);
    expect(await readSchemaVersion(store)).toBe(knownVersion(store));
  });

  it('let gateways with the previous schema continue, unless they are breaking', async () => {
    const store = await open();
    const known = knownVersion(store);
    const adding = 'alter table merchants add column country text';
    await migrate(store, withNext(store, adding));
    await requireUsableSchema(store);
    const breaking = `-- breaking: ${known + 1}\nalter table merchants drop column country`;
    await migrate(store, withNext(store, adding, breaking, ''));
    await expect(requireUsableSchema(store)).rejects.toMatchObject({ found: known + 3, known });
  });
});

describe('the files of migrations', () => {
  it('form one migration per number, the shared file first', () => {
    const files = new Map([
      ['002-more.sql', 'select 3;'],
      ['001-first.postgres.sql', 'select 2; -- only here'],
      ['001-first.sql', '-- comment; with a semicolon\nselect 1;'],
      ['001-first.sqlite.sql', 'select 4;'],
      ['.001-first.sql.swp', 'select 5;'],
    ]);
    const [first, second] = parseMigrations('postgres', files);
    expect(first).toMatchObject({ name: '001-first', statements: ['select 1', 'select 2'] });
    expect(second).toMatchObject({ name: '002-more', statements: ['select 3'] });
  });

  it('change their hash only with their statements', () => {
    const hashOf = (script: string) => parseMigration('001-first', script).hash;
    expect(hashOf('select 1; -- one')).toBe(hashOf('-- another comment\nselect 1'));
    expect(hashOf('select 1')).not.toBe(hashOf('select 2'));
  });
});
