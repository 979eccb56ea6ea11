/** Reduces a failing run to fewer steps that break the same rule. */
import type { Disk } from './disk.ts';
import { type RunOutcome, type RunPlan, simulate } from './run.ts';

const TRIALS_MAX = 500;

/** The smallest failing run, with its history. */
export async function shrink({ seed, steps, broken }: RunOutcome, disk: Disk): Promise<RunOutcome> {
  let trials = 0;
  const fails = async (plan: RunPlan) =>
    ++trials <= TRIALS_MAX && (await simulate(plan, disk)).broken?.rule === broken?.rule;
  const last = Math.min(steps, broken?.step ?? steps);
  let kept = Array.from({ length: last }, (_, index) => index + 1);
  const plan = (only: readonly number[]): RunPlan => ({ seed, steps: last, only: new Set(only) });
  for (let size = Math.ceil(last / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = kept.length; end > 0; end -= size) {
      const fewer = kept.toSpliced(Math.max(end - size, 0), Math.min(size, end));
      if (await fails(plan(fewer))) kept = fewer;
    }
  }
  return simulate({ ...plan(kept), recorded: true }, disk);
}
