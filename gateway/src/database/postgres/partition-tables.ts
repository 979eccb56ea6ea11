/**
 * Turns the tables of a database into partitioned ones, in one unit of work, see partitions.ts. The rows stay where they
 * are: each table becomes the first partition of its successor. Only rows that don't belong there are moved.
 */
import type { Database, PartitionedTable, Row, Store } from '../store.ts';
import { lockOutGateways } from './gateway-lock.ts';
import { addPartition, comingRanges, createLike, firstKey, isPartitioned } from './partitions.ts';

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
