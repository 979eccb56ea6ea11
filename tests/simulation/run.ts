/** A run: a number of random steps from a seed, followed by the completion of all pending work. */
import { actAtRandom } from './actions.ts';
import { demand } from './broken-rule.ts';
import { NEVER } from './clocks.ts';
import type { Disk } from './disk.ts';
import { checkEnd } from './ending.ts';
import { settle } from './scheduler.ts';
import { type Counts, SimulatedSystem } from './simulated-system.ts';

export interface RunPlan {
  readonly seed: number;
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

const STEPS = 200;
/** Tasks to run after a step, without and with advancing time. */
const BURSTS = [0, 1, 2, 3, 5, 8, 13];
/** Runs that may be made to shrink one. */
const TRIALS_MAX = 500;
/** All work must be complete after this many tasks. */
const ENDING_TASKS_MAX = 60_000;

/** Runs the plan on a disk, which it empties first. */
export async function simulate(plan: RunPlan, disk: Disk): Promise<RunOutcome> {
  const system = new SimulatedSystem(plan.seed, disk, plan.recorded ?? false);
  await system.begin();
  await settle();
  let step = 1;
  for (; step <= STEPS && !system.broken; step++) {
    if (plan.only?.has(step) ?? true) await takeStep(system, step);
  }
  if (!system.broken) {
    try {
      system.beginStep(0);
      await end(system);
    } catch (error) {
      system.fail(error);
    }
  } else step -= 1;
  for (const process of system.processes) process.crash();
  const { broken, counts, history } = system;
  return { ...plan, counts, history, ...(broken && { broken: { rule: broken.rule, detail: broken.message, step } }) };
}

async function takeStep(system: SimulatedSystem, step: number): Promise<void> {
  const random = system.beginStep(step);
  actAtRandom(system);
  const passes = random.chance(0.5);
  for (let left = random.of(BURSTS); left > 0 && !system.broken; left--) {
    if (passes) await system.scheduler.runNext(() => nextDue(system));
    else if (!(await system.scheduler.runOne())) break;
  }
}

/** Runs without faults until no work is left. */
async function end(system: SimulatedSystem): Promise<void> {
  const { scheduler } = system;
  system.heal();
  for (let tasks = 0; !system.broken; tasks++) {
    demand(tasks < ENDING_TASKS_MAX, 'something never ends', () => describeRest(system));
    if (await scheduler.runOne()) continue;
    const next = Math.min(scheduler.nextAt, nextDue(system));
    if (next >= NEVER) {
      // Only a merchant moves its clock.
      const moved = system.merchants.filter(({ id }) => system.clocks.isMoved(id));
      if (moved.length === 0) break;
      for (const merchant of moved) system.callers.setClock(merchant, { what: 'release' });
      continue;
    }
    if (next > scheduler.now) scheduler.advance(next - scheduler.now);
    // Due work waits for a poll.
    else await scheduler.runNext(() => Number.POSITIVE_INFINITY);
  }
  if (!system.broken) await checkEnd(system);
  if (!system.broken) await stop(system);
}

/** An idle process must be able to stop. */
async function stop(system: SimulatedSystem): Promise<void> {
  const { scheduler } = system;
  system.stopAll();
  await settle();
  while (system.stopping > 0 && !system.broken) {
    if (await scheduler.runOne()) continue;
    demand(scheduler.nextAt < Number.POSITIVE_INFINITY, 'a gateway never stops', () => `${system.stopping} of them`);
    scheduler.advance(scheduler.nextAt - scheduler.now);
  }
}

/** Due time of the next row. Work that waits for a frozen clock is never due. */
function nextDue({ disk }: SimulatedSystem): number {
  const [row] = disk.rows(
    `select min(at) as at from (select min(next_attempt_at) as at from transactions
     union all select min(next_at) from events) where at < ?`,
    NEVER,
  );
  return row?.['at'] == null ? Number.POSITIVE_INFINITY : Number(row['at']);
}

function describeRest({ disk, scheduler }: SimulatedSystem): string {
  const rows = disk.rows(
    `select id, status, next_attempt_at from transactions where next_attempt_at is not null
     union all select id, last_result, next_at from events where next_at is not null`,
  );
  return `${JSON.stringify(rows)} at ${scheduler.now}`;
}

/** Reduces a failing run to fewer steps that break the same rule. Returns it with its history. */
export async function shrink({ seed, broken }: RunOutcome, disk: Disk): Promise<RunOutcome> {
  let trials = 0;
  const fails = async (plan: RunPlan) =>
    ++trials <= TRIALS_MAX && (await simulate(plan, disk)).broken?.rule === broken?.rule;
  const last = Math.min(STEPS, broken?.step ?? STEPS);
  let kept = Array.from({ length: last }, (_, index) => index + 1);
  const plan = (only: readonly number[]): RunPlan => ({ seed, only: new Set(only) });
  for (let size = Math.ceil(last / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = kept.length; end > 0; end -= size) {
      const fewer = kept.toSpliced(Math.max(end - size, 0), Math.min(size, end));
      if (await fails(plan(fewer))) kept = fewer;
    }
  }
  return simulate({ ...plan(kept), recorded: true }, disk);
}
