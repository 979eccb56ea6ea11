/** A run: a number of random steps from a seed, followed by the completion of all pending work. */
import { actAtRandom } from './actions.ts';
import { demand } from './broken-rule.ts';
import { NEVER } from './clocks.ts';
import type { Disk } from './disk.ts';
import { checkEnd } from './ending.ts';
import { settle } from './scheduler.ts';
import { type Counts, World } from './world.ts';

export interface RunPlan {
  readonly seed: number;
  readonly steps: number;
  /** Runs only these steps. */
  readonly only?: ReadonlySet<number>;
  /** Records a history. */
  readonly recorded?: boolean;
}

export interface RunOutcome extends RunPlan {
  readonly counts: Counts;
  /** The broken rule, and the step that broke it. The ending counts as an additional step. */
  readonly broken?: { readonly rule: string; readonly detail: string; readonly step: number };
  readonly history: readonly string[];
}

/** Tasks to run after a step, without and with advancing time. */
const BURSTS = [0, 1, 2, 3, 5, 8, 13];
/** All work must be complete after this many tasks. */
const ENDING_TASKS_MAX = 60_000;

/** Runs the plan on a disk, which it empties first. */
export async function simulate(plan: RunPlan, disk: Disk): Promise<RunOutcome> {
  const world = new World(plan.seed, disk, plan.recorded ?? false);
  await world.begin();
  await settle();
  let step = 1;
  for (; step <= plan.steps && !world.broken; step++) {
    if (plan.only?.has(step) ?? true) await takeStep(world, step);
  }
  if (!world.broken) {
    try {
      world.beginStep(0);
      await end(world);
    } catch (error) {
      world.fail(error);
    }
  } else step -= 1;
  for (const process of world.processes) process.crash();
  const { broken, counts, history } = world;
  return { ...plan, counts, history, ...(broken && { broken: { rule: broken.rule, detail: broken.message, step } }) };
}

async function takeStep(world: World, step: number): Promise<void> {
  const random = world.beginStep(step);
  actAtRandom(world);
  const passes = random.chance(0.5);
  for (let left = random.of(BURSTS); left > 0 && !world.broken; left--) {
    if (passes) await world.scheduler.runNext(() => nextDue(world));
    else if (!(await world.scheduler.runOne())) break;
  }
}

/** Runs without faults until no work is left. */
async function end(world: World): Promise<void> {
  const { scheduler } = world;
  world.heal();
  for (let tasks = 0; !world.broken; tasks++) {
    demand(tasks < ENDING_TASKS_MAX, 'something never ends', () => describeRest(world));
    if (await scheduler.runOne()) continue;
    const next = Math.min(scheduler.nextAt, nextDue(world));
    if (next >= NEVER) {
      // Only a merchant moves its clock.
      const moved = world.merchants.filter(({ id }) => world.clocks.isMoved(id));
      if (moved.length === 0) break;
      for (const merchant of moved) world.callers.setClock(merchant, { what: 'release' });
      continue;
    }
    if (next > scheduler.now) scheduler.advance(next - scheduler.now);
    // Due work waits for a poll.
    else await scheduler.runNext(() => Number.POSITIVE_INFINITY);
  }
  if (!world.broken) await checkEnd(world);
  if (!world.broken) await stop(world);
}

/** An idle process must be able to stop. */
async function stop(world: World): Promise<void> {
  const { scheduler } = world;
  world.stopAll();
  await settle();
  while (world.stopping > 0 && !world.broken) {
    if (await scheduler.runOne()) continue;
    demand(scheduler.nextAt < Number.POSITIVE_INFINITY, 'a gateway never stops', () => `${world.stopping} of them`);
    scheduler.advance(scheduler.nextAt - scheduler.now);
  }
}

/** Due time of the next row. Work that waits for a frozen clock is never due. */
function nextDue({ disk }: World): number {
  const [row] = disk.rows(
    `select min(at) as at from (select min(next_attempt_at) as at from transactions
     union all select min(next_at) from events) where at < ?`,
    NEVER,
  );
  return row?.['at'] == null ? Number.POSITIVE_INFINITY : Number(row['at']);
}

function describeRest({ disk, scheduler }: World): string {
  const rows = disk.rows(
    `select id, status, next_attempt_at from transactions where next_attempt_at is not null
     union all select id, last_result, next_at from events where next_at is not null`,
  );
  return `${JSON.stringify(rows)} at ${scheduler.now}`;
}
