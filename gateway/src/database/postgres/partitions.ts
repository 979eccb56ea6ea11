/**
 * Partitions of tables that grow with time on PostgreSQL (docs/decisions/0012-partitions.md). Partitions are
 * ranges of ids, which begin with their time. Ids outside all ranges, for instance of a sandbox with a clock ahead, are
 * in the default partition.
 *
 * Changing partitions locks the table, and requests queue behind a waiting lock. The lock therefore waits at most
 * LOCK_MS, and failed changes are retried in the next round. Several processes may run this concurrently: each change
 * is made by one of them.
 */
import { firstId, type IdPrefix } from '../../platform/ids.ts';
import type { Database, MaintenanceOptions, MaintenanceResult, PartitionedTable, Row, Store } from '../store.ts';
import { LOCK_TIMEOUT, readErrorCode } from './errors.ts';
import { lockOutGateways } from './sessions.ts';

/** Shorter than PostgreSQL's deadlock_timeout, so that a change of partitions gives way before it ends a request. */
const LOCK_MS = 200;
const STATEMENT_MS = 1_000;
/** Lock and statement timeouts, and a partition that another process has dropped. */
const OTHERS = new Set([LOCK_TIMEOUT, '57014', '42P01']);
const BACKGROUND = { priority: 'background' } as const;
/** Number of future periods with partitions. */
const AHEAD = 3;

/** A partition with bounds. */
interface Range {
  readonly name: string;
  /** The first key of the partition, or the empty string without a lower bound. */
  readonly from: string;
  /** The first key after it. */
  readonly to: string;
}

interface Partitions {
  readonly ranges: readonly Range[];
  /** The default partition. */
  readonly rest: string;
}

/**
 * Creates partitions for coming periods, and drops those whose rows are all older than a time, of tables that allow it.
 * Returns undefined if the tables aren't partitioned.
 */
export async function maintainPartitions(
  store: Store,
  { tables, now, before }: MaintenanceOptions,
): Promise<MaintenanceResult | undefined> {
  const dropped: string[] = [];
  const kept: string[] = [];
  const rowByRow: string[] = [];
  if (!(await isPartitioned(store, tables))) return undefined;
  for (const table of tables) {
    // A table in use is in use for the next change too, and requests would wait again.
    let isFree = await addPartitions(store, table, now);
    if (!table.kept) continue;
    const { ranges, rest } = await readPartitions(store.read, table.name);
    rowByRow.push(rest);
    for (const range of ranges) {
      const isTried = isFree && before !== undefined && isOld(table, range, before);
      const outcome = isTried && (await dropUnlessKept(store, table, range));
      if (outcome === 'busy') isFree = false;
      if (outcome === 'dropped') {
        dropped.push(range.name);
        continue;
      }
      if (typeof outcome === 'object') kept.push(`${range.name}: ${outcome.reason}`);
      // Rows from before the partitioning are deleted one by one, since their partition is old only when all of it is.
      if (typeof outcome === 'object' || range.from === '') rowByRow.push(range.name);
    }
  }
  return { dropped, kept, rowByRow };
}

/** Whether the tables are partitioned: all of them are, or none. */
async function isPartitioned(store: Store, [table]: readonly PartitionedTable[]): Promise<boolean> {
  if (store.kind !== 'postgres' || !table) return false;
  return exists(store.read, `select 1 from pg_partitioned_table where partrelid = to_regclass('${table.name}')`);
}

/** Creates the partitions of the present period and of those to come. Returns false if the table is in use. */
async function addPartitions(store: Store, table: PartitionedTable, now: number): Promise<boolean> {
  for (const range of comingRanges(table, now)) {
    if (overlaps(await readPartitions(store.read, table.name), range)) continue;
    const done = await changePartitions(store, table, async (db) => {
      await addPartition(db, table, range);
      return true;
    });
    if (!done) return false;
  }
  return true;
}

function firstKey(prefix: string, time: number): string {
  return firstId(prefix as IdPrefix, time);
}

/** The ranges of the present period and of those to come. */
function comingRanges({ name, prefixes, beginOf, dateChars }: PartitionedTable, now: number): Range[] {
  return prefixes.flatMap((prefix) =>
    Array.from({ length: AHEAD + 1 }, (_, later) => {
      const [begin, end] = [beginOf(now, later), beginOf(now, later + 1)];
      const date = new Date(begin).toISOString().slice(0, dateChars).replaceAll('-', '_');
      const series = prefixes.length > 1 ? `_${prefix}` : '';
      return { name: `${name}${series}_${date}`, from: firstKey(prefix, begin), to: firstKey(prefix, end) };
    }),
  );
}

/** Adds a partition, unless there is one for its range, or rows of the range are in the default partition already. */
async function addPartition(db: Database, table: PartitionedTable, range: Range): Promise<void> {
  const partitions = await readPartitions(db, table.name);
  if (
    overlaps(partitions, range) ||
    (await exists(db, `select 1 from ${partitions.rest} where ${within(table.key, range)}`))
  )
    return;
  // Attaching an existing table locks less than creating it as a partition.
  await createLike(db, table, range.name);
  await db.run(
    `alter table ${table.name} attach partition ${range.name} for values from ('${range.from}') to ('${range.to}')`,
  );
}

/** Creates a table that can be attached as a partition. */
async function createLike(db: Database, { name, key }: PartitionedTable, partition: string): Promise<void> {
  await db.run(`create table ${partition} (like ${name} including defaults including constraints)`);
  // A primary key of the whole table would have to contain the partition key.
  if (key !== 'id') await db.run(`alter table ${partition} add primary key (id)`);
}

/** Drops an obsolete partition and returns the outcome. */
async function dropUnlessKept(
  store: Store,
  table: PartitionedTable,
  range: Range,
): Promise<'dropped' | 'busy' | { reason: string }> {
  const ended = await changePartitions(store, table, async (db) => {
    // Before the locks, which others would have to wait for.
    const early = await reasonToKeep(db, table, range);
    if (early) return early;
    await db.run(`lock table only ${table.name}, ${range.name} in access exclusive mode`);
    const late = await reasonToKeep(db, table, range);
    if (late) return late;
    await db.run(`alter table ${table.name} detach partition ${range.name}`);
    await db.run(`drop table ${range.name}`);
    return 'dropped';
  });
  return ended ?? 'busy';
}

async function reasonToKeep(
  db: Database,
  { name, kept }: PartitionedTable,
  range: Range,
): Promise<{ reason: string } | undefined> {
  if (kept && (await exists(db, `select 1 from ${range.name} where ${kept.condition}`))) return { reason: kept.reason };
  for (const { owner, column } of await listReferences(db, name)) {
    if (await exists(db, `select 1 from ${owner} where ${within(String(column), range)}`))
      return { reason: `${owner} refers to it` };
  }
  return undefined;
}

/** The tables that refer to a table by its key, with the column. */
function listReferences(db: Database, table: string): Promise<Row[]> {
  return db.all(
    `select cast(c.conrelid as regclass)::text as owner, a.attname as column
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.confrelid = to_regclass('${table}') and c.contype = 'f' and c.conparentid = 0 order by 1`,
  );
}

/**
 * Changes the partitions of a table. Returns undefined if another process does or has done it, or the locks can't be had
 * in time.
 */
async function changePartitions<T>(
  store: Store,
  { name }: PartitionedTable,
  change: (db: Database) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await store.unit(async (db) => {
      await db.run(`set local lock_timeout = ${LOCK_MS}`);
      await db.run(`set local statement_timeout = ${STATEMENT_MS}`);
      const lock = await db.get(`select pg_try_advisory_xact_lock(cast(to_regclass('${name}') as bigint)) as mine`);
      return lock?.['mine'] ? await change(db) : undefined;
    }, BACKGROUND);
  } catch (error) {
    if (OTHERS.has(readErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** The partitions of a table, in the order of their bounds. */
async function readPartitions(db: Database, table: string): Promise<Partitions> {
  const rows = await db.all(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('${table}') order by 2`,
  );
  const bounds = rows.map(({ name, bound }) => ({
    name: String(name),
    found: /FROM \((?:MINVALUE|'(?<from>[^']*)')\) TO \('(?<to>[^']*)'\)/.exec(String(bound))?.groups,
  }));
  return {
    ranges: bounds.flatMap(({ name, found }) =>
      found ? [{ name, from: found['from'] ?? '', to: found['to'] ?? '' }] : [],
    ),
    rest: bounds.find(({ found }) => !found)?.name ?? table,
  };
}

function overlaps({ ranges }: Partitions, { from, to }: Range): boolean {
  return ranges.some((range) => range.from < to && range.to > from);
}

/** Whether all keys of the range are from before a time. */
function isOld({ prefixes }: PartitionedTable, { to }: Range, before: number): boolean {
  return prefixes.some((prefix) => to.startsWith(`${prefix}_`) && to <= firstKey(prefix, before));
}

function within(column: string, { from, to }: Range): string {
  return `${column} >= '${from}' and ${column} < '${to}'`;
}

async function exists(db: Database, select: string): Promise<boolean> {
  return (await db.get(`${select} limit 1`)) !== undefined;
}

// Partitions the tables of a database in one unit of work. The rows stay where they are: each table becomes the first
// partition of its successor. Only rows that don't belong there are moved.

/** The database can't have partitions; the message says why. */
export class CannotPartition extends Error {}

/** Partitions the tables from the next period on. Returns false if they are partitioned already. */
export async function partitionTables(
  store: Store,
  tables: readonly PartitionedTable[],
  now: number,
): Promise<boolean> {
  if (store.kind !== 'postgres') throw new CannotPartition('only PostgreSQL has partitions. Set DATABASE_URL');
  if (!store.maintainPartitions)
    throw new CannotPartition(
      'DATABASE_PROFILE=portable uses no partitions. On PostgreSQL itself, unset DATABASE_PROFILE for the gateways and this command',
    );
  await requireIdsInOrder(store.read);
  return store.longUnit(async (db) => {
    // Excludes concurrent migrations and partitioning.
    await db.get('select version from schema_version where id = 1 for update');
    if (await isPartitioned({ ...store, read: db }, tables)) return false;
    if (!(await lockOutGateways(db))) {
      throw new CannotPartition('gateways are connected to the database. Stop them, then run the command again');
    }
    for (const table of tables) await partitionTable(db, table, now);
    return true;
  });
}

async function partitionTable(db: Database, table: PartitionedTable, now: number): Promise<void> {
  const { name, key, prefixes, beginOf } = table;
  const [main, ...others] = prefixes;
  const first = prefixes.length > 1 ? `${name}_${main}_before` : `${name}_before`;
  await db.run(`lock table ${name} in access exclusive mode`);
  const indexes = await listIndexes(db, name);
  const foreignKeys = await listConstraints(db, `conrelid = to_regclass('${name}') and contype = 'f'`);
  const references = await listConstraints(db, `confrelid = to_regclass('${name}') and contype = 'f'`);
  const primaryKey = await listConstraints(db, `conrelid = to_regclass('${name}') and contype = 'p'`);

  for (const { owner, constraint } of references) await db.run(`alter table ${owner} drop constraint ${constraint}`);
  await db.run(`alter table ${name} rename to ${first}`);
  for (const { index } of indexes) await db.run(`alter index ${index} rename to ${index}_before`);
  for (const { constraint } of primaryKey) await db.run(`alter index ${constraint} rename to ${constraint}_before`);

  await db.run(
    `create table ${name} (like ${first} including defaults including constraints) partition by range (${key})`,
  );
  // Under the names that they have always had, so that migrations find them.
  if (key === 'id') for (const { constraint, definition } of primaryKey) await add(db, name, constraint, definition);
  for (const { definition } of indexes) await db.run(String(definition));
  for (const { constraint, definition } of foreignKeys) await add(db, name, constraint, definition);

  await createLike(db, table, `${name}_default`);
  await db.run(`alter table ${name} attach partition ${name}_default default`);
  const end = beginOf(now, 1);
  for (const prefix of others) {
    const range = { name: `${name}_${prefix}_before`, from: firstKey(prefix, 0), to: firstKey(prefix, end) };
    await addPartition(db, table, range);
  }
  const from = others.length > 0 ? `'${firstKey(main, 0)}'` : 'minvalue';
  const isWithin =
    others.length > 0 ? `${key} >= ${from} and ${key} < '${firstKey(main, end)}'` : `${key} < '${firstKey(main, end)}'`;
  await db.run(
    `with moved as (delete from ${first} where (${isWithin}) is not true returning *) insert into ${name} select * from moved`,
  );
  await db.run(`alter table ${name} attach partition ${first} for values from (${from}) to ('${firstKey(main, end)}')`);
  for (const { owner, constraint, definition } of references) await add(db, String(owner), constraint, definition);
  for (const range of comingRanges(table, now)) await addPartition(db, table, range);
}

async function add(
  db: Database,
  table: string,
  constraint: Row[string] | undefined,
  definition: Row[string] | undefined,
) {
  await db.run(`alter table ${table} add constraint ${constraint} ${definition}`);
}

/** The indexes of a table that don't belong to a constraint, with their definitions. */
function listIndexes(db: Database, table: string): Promise<Row[]> {
  return db.all(
    `select c.relname as index, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = to_regclass('${table}')
       and not exists (select 1 from pg_constraint p where p.conindid = i.indexrelid and p.contype in ('p', 'u'))`,
  );
}

function listConstraints(db: Database, condition: string): Promise<Row[]> {
  return db.all(
    `select cast(conrelid as regclass)::text as owner, conname as constraint, pg_get_constraintdef(oid) as definition
     from pg_constraint where ${condition} and conparentid = 0`,
  );
}

/** Throws if the database's collation sorts some ids otherwise than by their time, such as a language in which CH follows H. */
async function requireIdsInOrder(db: Database): Promise<void> {
  const row = await db.get(
    `select count(*) as wrong from
       (select pair, lag(pair) over (order by pair collate "C") as previous from
         (select 'evt_' || a || b as pair
          from unnest(string_to_array('0,1,2,3,4,5,6,7,8,9,A,B,C,D,E,F,G,H,J,K,M,N,P,Q,R,S,T,V,W,X,Y,Z', ',')) as a,
            unnest(string_to_array('0,1,2,3,4,5,6,7,8,9,A,B,C,D,E,F,G,H,J,K,M,N,P,Q,R,S,T,V,W,X,Y,Z', ',')) as b) as pairs
       ) as ordered where previous >= pair`,
  );
  if (row?.['wrong'] !== 0)
    throw new CannotPartition(
      "the collation of the database doesn't sort ids by their time. Move it to one with another, such as C.UTF-8",
    );
}
