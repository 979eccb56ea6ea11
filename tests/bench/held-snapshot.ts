/**
 * Long runs on PostgreSQL: the log of a steady low load between two checkpoints, and payments at half load while a
 * transaction holds its snapshot, as pg_dump does, so that no dead row is removed.
 */
import { connect, type Postgres, query } from '../tools/postgres.ts';
import { createDatabase, endAll, type Fleet, startFleet, withPostgres } from './gateways.ts';
import { payAll } from './journeys.ts';
import { type Bench, createRow, type Row } from './measure.ts';

const CONCURRENT = 64;
const RATIO_MIN = 0.9;
/** Payments per second of the low load. */
const LOW_RATE = 20;
const WAL_MAX_KB = 10;

export function measureHeldSnapshot({ seconds, held, say }: Bench): Promise<Row[]> {
  return withPostgres(async (server) => {
    const database = await createDatabase(server, 'held');
    const fleet = await startFleet(database);
    try {
      say(`payments at ${LOW_RATE}/s for ${held / 2} s`);
      const low = await measureLog(server, fleet, held / 2);
      say('payments at full load');
      const rate = (await payAll(fleet, { concurrent: CONCURRENT, seconds })).length / seconds / 2;
      const measure = async () => {
        const times = (await payAll(fleet, { rate, seconds: held })).toSorted((a, b) => a - b);
        const { rows } = await query(database.DATABASE_URL, 'select sum(n_dead_tup) from pg_stat_user_tables');
        const late = times[Math.floor(times.length * 0.99)] ?? 0;
        return { rate: times.length / held, late, deadRows: Number(rows[0]?.[0]) };
      };
      say(`payments at half load for ${held} s`);
      const free = await measure();
      say(`payments at half load for ${held} s, with a held snapshot`);
      const holder = await connect(database.DATABASE_URL);
      await holder.query('begin isolation level repeatable read; select count(*) from merchants');
      const holding = await measure().finally(() => holder.end());
      const name = `a snapshot held for ${held} s, PostgreSQL`;
      return [
        createRow(`WAL of a payment at ${LOW_RATE}/s for ${held / 2} s, PostgreSQL`, 'kB', [low], ['≤', WAL_MAX_KB]),
        createRow(`Payments at half load, ${name}`, '/s', [holding.rate], ['≥', RATIO_MIN], {
          name: 'without',
          values: [free.rate],
        }),
        createRow(`Creation to SUCCESS webhook, 99%, ${name}`, 'ms', [holding.late], undefined, {
          name: 'without',
          values: [free.late],
        }),
        createRow(`Dead rows, ${name}`, 'rows', [holding.deadRows], undefined, {
          name: 'without',
          values: [free.deadRows],
        }),
      ];
    } finally {
      await endAll(fleet);
    }
  });
}

/** The kilobytes of PostgreSQL's log per payment from one checkpoint to the next, whole pages included. */
async function measureLog({ url }: Postgres, fleet: Fleet, seconds: number): Promise<number> {
  const readBytes = async () => Number((await query(url, "select pg_current_wal_lsn() - '0/0'")).rows[0]?.[0]);
  await query(url, 'checkpoint');
  const before = await readBytes();
  const { length } = await payAll(fleet, { rate: LOW_RATE, seconds });
  return ((await readBytes()) - before) / length / 1_000;
}
