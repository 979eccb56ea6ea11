/**
 * Failover: kill -9 of a PostgreSQL primary under load. Its synchronous standby is promoted, and the gateways follow a
 * moving address. The standby has all acknowledged commits, and waiting commits were not acknowledged.
 */
import { ReplicatedPostgres } from '../tools/replicated-postgres.ts';
import { pause, until } from '../tools/wait.ts';
import { type FaultContext, runFaults, untilOrdered, untilRecovered } from './faults.ts';
import { BASE } from './gateways.ts';
import type { Result, Torture } from './part.ts';

export interface FailoverOptions {
  readonly rounds: number;
  /** Whether commits wait for the standby. If they don't, a failover loses some, which this part must report. */
  readonly synchronous?: boolean;
  /** Whether some orders are slow, which prolongs the end as well. */
  readonly patient?: boolean;
}

/** Variations of a round. */
interface Way {
  /** The standby is cut off before the kill, so that commits wait for it then. */
  readonly cutFirst: boolean;
  /** The address leads to the standby before it is promoted. */
  readonly moveFirst: boolean;
}

const WAYS: readonly Way[] = [
  { cutFirst: true, moveFirst: false },
  { cutFirst: false, moveFirst: false },
  { cutFirst: false, moveFirst: true },
];
const PROCESSES = 2;
const BUSY_WITHIN_MS = 20_000;
/** The shortest and the longest load before a kill, and the duration of the standby's isolation. */
const LOAD_MS = { min: 100, max: 500 };
const CUT_OFF_MS = { min: 50, max: 400 };
/** Milliseconds for which the gateways are connected to a standby. */
const ON_STANDBY_MS = 200;
const RECOVERED_WITHIN_MS = 30_000;

/** The database, and counters of its failovers. */
interface Failovers {
  readonly database: ReplicatedPostgres;
  readonly synchronous: boolean;
  /** Commits that waited for the standby at each kill. */
  readonly waiting: number[];
}

/** Repeatedly kills the primary. Each standby becomes the next primary. */
export async function torturedByFailovers(
  torture: Torture,
  { rounds, synchronous = true, patient = false }: FailoverOptions,
): Promise<Result> {
  const database = await ReplicatedPostgres.start({ synchronous });
  const failovers: Failovers = { database, synchronous, waiting: [] };
  const env = { ...BASE, DATABASE_URL: database.url, SANDBOX: 'false' };
  const strike = (context: FaultContext, round: number) => survive(failovers, context, selectWay(round));
  const counts = () => countFailovers(failovers, rounds);
  try {
    return await runFaults(
      { name: 'failover', what: 'failovers', rounds, env, processes: PROCESSES, patient, strike, counts },
      torture,
    );
  } finally {
    await database.close();
  }
}

/** One failover, until the new primary has a standby. */
async function survive(failovers: Failovers, context: FaultContext, way: Way): Promise<void> {
  const { database } = failovers;
  const { shop, moments, findings } = context;
  const loadMs = moments.whole(LOAD_MS.min, LOAD_MS.max);
  const cutOffMs = moments.whole(CUT_OFF_MS.min, CUT_OFF_MS.max);
  await pause(loadMs);
  await untilOrdered(shop);
  if (way.cutFirst) await cutOff(failovers, context, cutOffMs);
  const killed = performance.now();
  await failOver(database, way);
  await untilRecovered(context, killed, RECOVERED_WITHIN_MS);
  // Orders continue while the next standby is copied.
  await database.attachStandby();
  const acknowledged = await database.reviveFormerPrimary();
  findings.expect(!acknowledged, () => 'a primary that came back acknowledged a write');
}

/** Isolates the standby, so that further commits must not be acknowledged. */
async function cutOff(
  { database, synchronous, waiting }: Failovers,
  { shop, findings }: FaultContext,
  cutOffMs: number,
): Promise<void> {
  database.cutLink();
  await pause(cutOffMs);
  if (!synchronous) return untilOrdered(shop);
  await until(async () => (await database.waitingCommits()) > 0, BUSY_WITHIN_MS);
  waiting.push(await database.waitingCommits());
  findings.expect(waiting.at(-1) !== 0, () => 'no commit waited for the standby that was cut off');
}

async function failOver(database: ReplicatedPostgres, { moveFirst }: Way): Promise<void> {
  await database.killPrimary();
  if (moveFirst) {
    // Reads from a standby can lag behind acknowledged commits.
    await database.untilReplayed();
    database.moveAddress();
    await pause(ON_STANDBY_MS);
  }
  await database.promote();
  if (!moveFirst) database.moveAddress();
}

function countFailovers({ waiting }: Failovers, rounds: number): Result['counts'] {
  const ways = Array.from({ length: rounds }, (_, index) => selectWay(index + 1));
  return {
    'of them with the standby cut off before': ways.filter(({ cutFirst }) => cutFirst).length,
    'of them with the address moved before the promotion': ways.filter(({ moveFirst }) => moveFirst).length,
    'commits that waited for the standby at a kill': waiting.reduce((sum, count) => sum + count, 0),
  };
}

function selectWay(round: number): Way {
  return WAYS[(round - 1) % WAYS.length] as Way;
}
