/**
 * Failover: kill -9 of a PostgreSQL primary under load. Its synchronous standby is promoted, and the gateways follow a
 * moving address. The standby has all acknowledged commits, and waiting commits were not acknowledged.
 */
import { ReplicatedPostgres } from '../tools/replicated-postgres.ts';
import { pause, until } from '../tools/wait.ts';
import { type FaultContext, runFaults, untilOrdered, untilRecovered } from './faults.ts';
import { BASE, type Result, type Torture } from './gateways.ts';

/** Kinds of rounds, in turn. */
const KINDS = 3;
/** The standby is cut off before the kill, so that commits wait for it then. */
const CUT_OFF_KIND = 1;
/** The address leads to the standby before it is promoted. */
const MOVED_KIND = 0;

const COMMITS_WITHIN_MS = 20_000;
/** The shortest and the longest load before a kill, and the duration of the standby's isolation. */
const LOAD_MS = { min: 100, max: 500 };
const CUT_OFF_MS = { min: 50, max: 400 };
/** Milliseconds for which the gateways are connected to a standby. */
const ON_STANDBY_MS = 200;
const RECOVERED_WITHIN_MS = 30_000;

/**
 * Repeatedly kills the primary. Each standby becomes the next primary. Without `synchronous`, commits don't wait for
 * the standby, so a failover loses some, which this part must report.
 */
export async function failOver(torture: Torture, rounds: number, synchronous = true): Promise<Result> {
  const database = await ReplicatedPostgres.start({ synchronous });
  let cutOffs = 0;
  let waiting = 0;

  /** One failover, until the new primary has a standby. */
  async function strike(context: FaultContext, round: number): Promise<void> {
    const { shop, random, findings } = context;
    await pause(random.whole(LOAD_MS.min, LOAD_MS.max));
    await untilOrdered(shop);
    if (round % KINDS === CUT_OFF_KIND) await cutOff(context);
    const killed = performance.now();
    await promoteStandby(database, round % KINDS === MOVED_KIND);
    await untilRecovered(context, killed, RECOVERED_WITHIN_MS);
    // Orders continue while the next standby is copied.
    await database.attachStandby();
    const acknowledged = await database.reviveFormerPrimary();
    findings.expect(!acknowledged, () => 'a primary that came back acknowledged a write');
  }

  /** Isolates the standby, so that further commits must not be acknowledged. */
  async function cutOff({ shop, random, findings }: FaultContext): Promise<void> {
    cutOffs++;
    database.cutLink();
    await pause(random.whole(CUT_OFF_MS.min, CUT_OFF_MS.max));
    if (!synchronous) return untilOrdered(shop);
    await until(async () => (await database.waitingCommits()) > 0, COMMITS_WITHIN_MS);
    const commits = await database.waitingCommits();
    waiting += commits;
    findings.expect(commits > 0, () => 'no commit waited for the standby that was cut off');
  }

  const counts = () => ({
    'of them with the standby cut off before': cutOffs,
    'commits that waited for the standby at a kill': waiting,
  });
  const env = { ...BASE, DATABASE_URL: database.url, SANDBOX: 'false' };
  const faults = { name: 'failover', plural: 'failovers', rounds, env, processes: 2, strike, counts };
  return runFaults(faults, torture).finally(() => database.close());
}

async function promoteStandby(database: ReplicatedPostgres, movesFirst: boolean): Promise<void> {
  await database.killPrimary();
  if (movesFirst) {
    // Reads from a standby can lag behind acknowledged commits.
    await database.untilReplayed();
    database.moveAddress();
    await pause(ON_STANDBY_MS);
  }
  await database.promote();
  if (!movesFirst) database.moveAddress();
}
