/**
 * Numbered migrations, applied by `migrate` or at the start, each once, by one process at a time. One of a single kind of database says so
 * before its ending (`.sqlite.sql`), and has a counterpart of the same number for the other. One that only creates indexes may
 * say `-- concurrently:`. On PostgreSQL it is applied outside of a transaction then, if the table is large.
 */
import { readTexts } from '../../../../contract/src/files.ts';
import { systemTimers } from '../../platform/timers.ts';
import { type Database, LockTimeout, type Store } from './store.ts';

/**
 * The oldest schema whose gateways can run on the schema of this code, and so along with it during an upgrade. Leave it with a
 * migration that only adds what they don't notice. With one that changes or removes what they use, set it to the number of
 * the first migration whose gateways no longer use that.
 */
const USABLE_BY = 24;

/** The first schema that records it. */
const RECORDED_SINCE = 24;

const FOLDER = new URL('./migrations/', import.meta.url);

/** A database whose schema this code can't work with. */
export class UnknownSchema extends Error {
  /** 0 if the database has no tables of the gateway. */
  readonly found: number;
  readonly known: number;
  constructor(found: number, known: number) {
    super(`the database is at schema version ${found}, and this gateway needs version ${known}`);
    this.found = found;
    this.known = known;
  }
}

/** Throws UnknownSchema unless the database has exactly the schema of this code. Changes nothing. */
export async function requireSchema(store: Store): Promise<void> {
  const known = knownVersion(store);
  const { version } = await readSchema(store);
  if (version !== known) throw new UnknownSchema(version, known);
}

/** Throws UnknownSchema unless a gateway of this code can run on the database: also on a newer schema that says so. */
export async function requireUsableSchema(store: Store): Promise<void> {
  const known = knownVersion(store);
  const { version, usableBy } = await readSchema(store);
  if (version < known || usableBy > known) throw new UnknownSchema(version, known);
}

/** Brings the schema to the one of this code, if it is older and `upgrade` says so. Throws UnknownSchema if no gateway of this code can run on it. */
export async function prepareSchema(store: Store, { upgrade }: { readonly upgrade: boolean }): Promise<void> {
  const { version } = await readSchema(store);
  if (upgrade && version <= knownVersion(store)) await migrate(store);
  await requireUsableSchema(store);
}

interface Schema {
  /** 0 if the database has no tables of the gateway. */
  readonly version: number;
  readonly usableBy: number;
}

/** The version of the database's schema; 0 if it has no tables of the gateway. */
export async function schemaVersion(store: Store): Promise<number> {
  return (await readSchema(store)).version;
}

async function readSchema(store: Store): Promise<Schema> {
  const prepared = await store.hasTable('schema_version');
  const row = prepared ? await store.read.get('select version from schema_version where id = 1') : undefined;
  const version = Number(row?.['version'] ?? 0);
  const users = version >= RECORDED_SINCE ? await store.read.get('select usable_by from schema_usability') : undefined;
  return { version, usableBy: Number(users?.['usable_by'] ?? version) };
}

/**
 * Applies what is missing, up to a version for tests of upgrades. Returns the names of what was applied. Throws
 * UnknownSchema if the database is newer than this code.
 */
export async function migrate(store: Store, { upTo }: { readonly upTo?: number } = {}): Promise<string[]> {
  const migrations = readMigrations(store.kind).slice(0, upTo);
  await prepareTable(store);
  const large = await largeTables(store, migrations);
  const names: string[] = [];
  for (let waits = 0; ; ) {
    const step = await store.longUnit((db) => applyNext(store, db, migrations, large));
    if (step) names.push(...step.applied.map(({ name }) => name));
    else if (++waits > WAITS_MAX) throw new LockTimeout('another process migrates the database', { reason: 'busy' });
    else await new Promise<void>((resolve) => systemTimers.after(WAIT_MS, resolve));
    if (step?.version === migrations.length) return names;
  }
}

/** Locks the version, unless another process has. Waiting for it would keep a snapshot, for which the build of an index waits. */
const LOCK = `update schema_version set version = version where id in
  (select id from schema_version where id = 1 for update skip locked) returning version`;
/** The index of fewer is built in milliseconds. */
const MANY_ROWS = 10_000;
/** While another process migrates. */
const WAIT_MS = 250;
const WAITS_MAX = 240;

/** Applies the next migrations that share a unit of work. Returns them, with the version that they lead to; undefined while another process migrates. */
async function applyNext(
  store: Store,
  db: Database,
  migrations: readonly Migration[],
  large: ReadonlySet<string>,
): Promise<{ applied: readonly Migration[]; version: number } | undefined> {
  // An update that changes nothing locks the row until the unit is committed.
  const lock = await db.get(LOCK);
  if (!lock) return undefined;
  const before = Number(lock['version']);
  if (before > migrations.length) throw new UnknownSchema(before, migrations.length);
  const missing = migrations.slice(before);
  // The tables of a new database are empty, and their creation is not committed yet.
  const buildIndex = before > 0 ? store.buildIndex : undefined;
  const apart = buildIndex ? missing.findIndex(({ isConcurrent }) => isConcurrent) : -1;
  const applied = apart < 0 ? missing : missing.slice(0, Math.max(apart, 1));
  const isOutside = apart === 0 && applied.flatMap(indexedTables).some((table) => large.has(table));
  const apply = (isOutside && buildIndex) || ((statement: string) => db.run(statement));
  const version = before + applied.length;
  const record = async () => {
    await db.run('update schema_version set version = ? where id = 1', version);
    if (version >= RECORDED_SINCE) await db.run(RECORD_USABILITY, USABLE_BY);
  };
  // Until the next statement of the transaction, PostgreSQL keeps the snapshot of one that returns rows, and a build waits for
  // every older snapshot. So these come first. They are committed at the end.
  if (isOutside) await record();
  for (const statement of applied.flatMap(({ statements }) => statements)) await apply(statement);
  if (!isOutside) await record();
  return { applied, version };
}

/**
 * The tables so large that building an index in a unit of work would keep writers waiting for long. They are read before the
 * units: reading a table locks it until the unit ends, and dropping an index waits for that.
 */
async function largeTables(store: Store, migrations: readonly Migration[]): Promise<ReadonlySet<string>> {
  const large = new Set<string>();
  const missing = store.buildIndex ? migrations.slice(await schemaVersion(store)) : [];
  for (const table of new Set(missing.filter(({ isConcurrent }) => isConcurrent).flatMap(indexedTables))) {
    const many = `select 1 as one from ${table} limit 1 offset ${MANY_ROWS}`;
    if ((await store.hasTable(table)) && (await store.read.get(many))) large.add(table);
  }
  return large;
}

function indexedTables({ statements }: Migration): string[] {
  return statements.flatMap((statement) => / on (\w+) /.exec(statement)?.[1] ?? []);
}

/** The migrations for a kind of database, in their order. */
export function readMigrations(kind: Store['kind']): readonly Migration[] {
  const known = READ.get(kind);
  if (known) return known;
  const scripts = readTexts(FOLDER, (file) => isFor(kind, file));
  const migrations = [...scripts].map(([name, script]) => ({
    name,
    statements: statementsOf(script),
    isConcurrent: /^-- concurrently:/m.test(script),
  }));
  READ.set(kind, migrations);
  return migrations;
}

export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
  /** Whether it only creates indexes, and others may write meanwhile. */
  readonly isConcurrent: boolean;
}

/** A start asks for them several times. */
const READ = new Map<Store['kind'], readonly Migration[]>();

/** The version of the schema of this code. */
export function knownVersion({ kind }: Pick<Store, 'kind'>): number {
  return readMigrations(kind).length;
}

function isFor(kind: Store['kind'], file: string): boolean {
  const [name = '', ...endings] = file.split('.');
  // The folder of a clone also has what editors put there.
  return /^\d+-/.test(name) && [`sql`, `${kind}.sql`].includes(endings.join('.'));
}

/** The table of the schema's version, which the migrations count up. */
export const PREPARATION = [
  'create table if not exists schema_version (id bigint primary key, version bigint not null)',
  'insert into schema_version (id, version) values (1, 0) on conflict (id) do nothing',
];

const RECORD_USABILITY =
  'insert into schema_usability (id, usable_by) values (1, ?) on conflict (id) do update set usable_by = excluded.usable_by';

async function prepareTable(store: Store): Promise<void> {
  const has = await store.hasTable('schema_version');
  if (has && (await store.read.get('select version from schema_version where id = 1'))) return;
  const create = () =>
    store.unit(async (db) => {
      for (const statement of PREPARATION) await db.run(statement);
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
