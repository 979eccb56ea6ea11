/** Creates the schema, upgrades it, and checks it. Each migration is applied once, by one process at a time. */
import { readTexts } from '../../../contract/src/files.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { systemTimers } from '../platform/timers.ts';
import { type Database, type Row, type Store, StoreUnavailable } from './store.ts';

/** A database with an incompatible schema. */
export class UnknownSchema extends Error {
  /** 0 if the database has no tables of the gateway. */
  readonly found: number;
  readonly known: number;
  constructor(found: number, known: number, message?: string) {
    super(message ?? `the database is at schema version ${found}, and this gateway needs version ${known}`);
    this.found = found;
    this.known = known;
  }
}

/** A database of a revision from before the first release, or with another baseline. It can't be upgraded. */
export class UnreleasedSchema extends UnknownSchema {
  constructor(found: number, known: number) {
    super(found, known, 'an unreleased revision of the gateway created the database, and its schema has no upgrade');
  }
}

interface Schema {
  /** The number of the last migration; 0 if the database has no tables of the gateway. */
  readonly version: number;
  /** The oldest schema whose gateways can run on this one. */
  readonly usableBy: number;
  /** The hash of the first migration. */
  readonly baseline: string;
}

/** Throws UnknownSchema unless the database has exactly this code's schema. */
export async function requireSchema(store: Store): Promise<void> {
  const known = knownVersion(store);
  const { version } = await readKnownSchema(store);
  if (version !== known) throw new UnknownSchema(version, known);
}

/** Throws UnknownSchema unless a gateway of this code can run on the database, which may have a newer schema. */
export async function requireUsableSchema(store: Store): Promise<void> {
  const known = knownVersion(store);
  const { version, usableBy } = await readKnownSchema(store);
  if (version < known || usableBy > known) throw new UnknownSchema(version, known);
}

/** Upgrades an older schema if `upgrade` is set. Throws UnknownSchema if a gateway of this code can't run on the database. */
export async function prepareSchema(store: Store, { upgrade }: { readonly upgrade: boolean }): Promise<void> {
  await store.ping();
  const { version } = await readKnownSchema(store);
  if (upgrade && version <= knownVersion(store)) await migrate(store);
  await requireUsableSchema(store);
}

/** This code's schema version. */
export function knownVersion({ kind }: Pick<Store, 'kind'>): number {
  return readMigrations(kind).length;
}

/** The version of the database's schema; 0 if it has no tables of the gateway. */
export async function readSchemaVersion(store: Store): Promise<number> {
  return (await readSchema(store)).version;
}

async function readSchema(store: Store): Promise<Schema> {
  if (!(await store.hasTable('schema_version'))) return NO_SCHEMA;
  return parseSchema(await store.read.get('select * from schema_version where id = 1'));
}

const NO_SCHEMA: Schema = { version: 0, usableBy: 0, baseline: '' };

function parseSchema(row: Row | undefined): Schema {
  if (!row) return NO_SCHEMA;
  const { version, usable_by: usableBy, baseline } = row;
  return { version: Number(version), usableBy: Number(usableBy), baseline: String(baseline) };
}

async function readKnownSchema(store: Store): Promise<Schema> {
  const schema = await readSchema(store);
  requireBaseline(schema, readMigrations(store.kind));
  return schema;
}

/** Throws UnreleasedSchema if the database began with other tables than these migrations. */
function requireBaseline({ version, baseline }: Schema, migrations: readonly Migration[]): void {
  if (version > 0 && baseline !== migrations[0]?.hash) throw new UnreleasedSchema(version, migrations.length);
}

/**
 * Applies the missing migrations. Returns their names. Throws UnknownSchema if the database is newer than this code, or of
 * an unreleased revision.
 */
export async function migrate(
  store: Store,
  migrations: readonly Migration[] = readMigrations(store.kind),
): Promise<string[]> {
  await prepareTable(store, migrations);
  const large = await findLargeTables(store, migrations);
  const names: string[] = [];
  for (let waits = 0; ; ) {
    const step = await store.longUnit((db) => applyNext(store, db, migrations, large));
    if (step) names.push(...step.applied.map(({ name }) => name));
    else if (++waits > WAITS_MAX)
      throw new StoreUnavailable('another process migrates the database', { reason: 'busy' });
    else await new Promise<void>((resolve) => systemTimers.after(WAIT_MS, resolve));
    if (step?.version === migrations.length) return names;
  }
}

/**
 * Locks the version, unless another process has locked it. Waiting for the lock would keep a snapshot, and concurrent builds
 * of indexes wait for all snapshots.
 */
const LOCK = `update schema_version set version = version where id in
  (select id from schema_version where id = 1 for update skip locked) returning *`;
const RECORD = 'update schema_version set version = ?, usable_by = ?, baseline = ? where id = 1';
/** Building an index of fewer rows takes milliseconds. */
const MANY_ROWS = 10_000;
/** While another process migrates. */
const WAIT_MS = 250;
const WAITS_MAX = 240;

/**
 * Applies the next migrations that share a unit of work. Returns them, and the version that they lead to; undefined while
 * another process migrates.
 */
async function applyNext(
  store: Store,
  db: Database,
  migrations: readonly Migration[],
  large: ReadonlySet<string>,
): Promise<{ applied: readonly Migration[]; version: number } | undefined> {
  // A no-op update locks the row until the unit is committed.
  const lock = await db.get(LOCK);
  if (!lock) return undefined;
  const schema = parseSchema(lock);
  const before = schema.version;
  requireBaseline(schema, migrations);
  if (before > migrations.length) throw new UnknownSchema(before, migrations.length);
  const missing = migrations.slice(before);
  // The tables of a new database are empty, and their creation is not committed yet.
  const buildIndex = before > 0 ? store.buildIndex : undefined;
  const apart = buildIndex ? missing.findIndex(({ isConcurrent }) => isConcurrent) : -1;
  const applied = apart < 0 ? missing : missing.slice(0, Math.max(apart, 1));
  const isOutside = apart === 0 && applied.flatMap(indexedTables).some((table) => large.has(table));
  const apply = (isOutside && buildIndex) || ((statement: string) => db.run(statement));
  const version = before + applied.length;
  const usableBy = Math.max(...migrations.slice(0, version).map((migration) => migration.usableBy));
  const record = () => db.run(RECORD, version, usableBy, migrations[0]?.hash ?? '');
  // PostgreSQL keeps the snapshot of a statement that returns rows until the next statement, and a concurrent build waits for
  // all older snapshots. So the version is recorded first. It is committed at the end.
  if (isOutside) await record();
  for (const statement of applied.flatMap(({ statements }) => statements)) await apply(statement);
  if (!isOutside) await record();
  return { applied, version };
}

/**
 * The tables large enough for an index build in a unit of work to delay writers. They are read before the units, since
 * reading a table locks it until the unit ends, and dropping an index waits for that.
 */
async function findLargeTables(store: Store, migrations: readonly Migration[]): Promise<ReadonlySet<string>> {
  const large = new Set<string>();
  const missing = store.buildIndex ? migrations.slice(await readSchemaVersion(store)) : [];
  for (const table of new Set(missing.filter(({ isConcurrent }) => isConcurrent).flatMap(indexedTables))) {
    const many = `select 1 as one from ${table} limit 1 offset ${MANY_ROWS}`;
    if ((await store.hasTable(table)) && (await store.read.get(many))) large.add(table);
  }
  return large;
}

function indexedTables({ statements }: Migration): string[] {
  return statements.flatMap((statement) => / on (\w+) /.exec(statement)?.[1] ?? []);
}

/** Creates the table of the schema's version. Its row is locked while migrations are applied. */
export const PREPARATION = [
  `create table if not exists schema_version
    (id bigint primary key, version bigint not null, usable_by bigint not null, baseline text not null)`,
  `insert into schema_version (id, version, usable_by, baseline) values (1, 0, 0, '') on conflict (id) do nothing`,
];

async function prepareTable(store: Store, migrations: readonly Migration[]): Promise<void> {
  const schema = await readSchema(store);
  requireBaseline(schema, migrations);
  if (schema !== NO_SCHEMA) return;
  const create = () =>
    store.unit(async (db) => {
      for (const statement of PREPARATION) await db.run(statement);
    });
  // PostgreSQL refuses the second of two concurrent creations of the table, whose process then finds it.
  await create().catch(create);
}

// The numbered migrations. The files of a number form one migration: a shared file (`001-baseline.sql`), followed by
// one per kind of database (`001-baseline.sqlite.sql`). Header lines of a file:
//
// - `-- breaking: NNN` if gateways of a schema before NNN can't run on the new schema. Without it, they can.
// - `-- concurrently:` if it only creates indexes. PostgreSQL builds indexes of large tables without blocking writes.

export interface Migration {
  /** Such as `001-baseline`. */
  readonly name: string;
  readonly statements: readonly string[];
  /** Changes with the statements, and not with the comments. */
  readonly hash: string;
  /** It only creates indexes and doesn't block writes. */
  readonly isConcurrent: boolean;
  /** The oldest schema whose gateways can run on the new one. */
  readonly usableBy: number;
}

const FOLDER = new URL('./migrations/', import.meta.url);
const FILE = /^(?<name>\d{3}-[\w-]+)(?:\.(?<kind>sqlite|postgres))?\.sql$/;

/** A start asks for them several times. */
const READ = new Map<Store['kind'], readonly Migration[]>();

/** Reads the migrations of a kind of database, in their order. */
export function readMigrations(kind: Store['kind']): readonly Migration[] {
  const known = READ.get(kind);
  if (known) return known;
  const scripts = readTexts(FOLDER, (file) => FILE.test(file));
  const migrations = parseMigrations(kind, scripts);
  READ.set(kind, migrations);
  return migrations;
}

/** Makes the migrations of a kind of database from files by name. */
export function parseMigrations(kind: Store['kind'], files: ReadonlyMap<string, string>): Migration[] {
  const scripts = new Map<string, { shared?: string; own?: string }>();
  for (const [file, script] of files) {
    const parts = FILE.exec(file)?.groups;
    const name = parts?.['name'];
    if (name === undefined || ![undefined, kind].includes(parts?.['kind'] as Store['kind'] | undefined)) continue;
    scripts.set(name, { ...scripts.get(name), [parts?.['kind'] ? 'own' : 'shared']: script });
  }
  return [...scripts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { shared = '', own = '' }]) => parseMigration(name, `${shared}\n${own}`));
}

export function parseMigration(name: string, script: string): Migration {
  const statements = splitStatements(script);
  return {
    name,
    statements,
    hash: sha256Hex(statements.join(';\n')),
    isConcurrent: /^-- concurrently:/m.test(script),
    usableBy: Number(/^-- breaking: (\d+)$/m.exec(script)?.[1] ?? 1),
  };
}

function splitStatements(script: string): string[] {
  return script
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
