/** Judges sets of defects by the exit code of the whole kit. */
import { fileURLToPath } from 'node:url';
import { UserError } from '../../../../contract/src/cli.ts';
import { seeded } from '../../../tools/random.ts';
import { DEFECTS } from '../defects/index.ts';
import { runTrials } from '../pool.ts';
import { VARIATIONS } from '../variations/index.ts';
import { MUTANTS } from './index.ts';
import { formatResult, isGoalMet, isUnexpected, summarize } from './report.ts';
import { Results } from './results.ts';
import type { Judged } from './trial.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

export const SETS = ['planted', 'generated', 'all'] as const;

export interface ExitCodeFlags {
  readonly set: (typeof SETS)[number];
  /** Defaults to SQLite: the store is the gateway's, and the defects are before it. */
  readonly store?: readonly string[];
  readonly only?: string;
  readonly sample?: number;
  readonly seed: number;
  readonly concurrent: number;
  readonly processes: number;
  readonly list?: boolean;
  /** File that keeps each judgement. */
  readonly results?: string;
  /** Whether to judge the survivors of the file again, instead of the missing trials. */
  readonly again?: boolean;
  readonly minutes?: number;
}

const MINUTE_MS = 60_000;

/** Runs the sets. The exit code says whether the goals were met. */
export async function judgeByExitCode(flags: ExitCodeFlags) {
  const selected = select(flags);
  if (flags.list) return selected.join('\n');
  const results = new Results(flags.results);
  const ids = waiting(selected, results, flags.again);
  let count = 0;
  const report = (one: Judged): void => {
    results.add(one);
    count += 1;
    process.stderr.write(`… ${count}/${ids.length} ${one.ending} ${one.id}\n`);
  };
  const { concurrent, processes, minutes } = flags;
  const until = minutes === undefined ? undefined : Date.now() + minutes * MINUTE_MS;
  await runTrials(WORKER, { ids, store: flags.store?.join() ?? 'sqlite', concurrent, processes, until }, report);
  const sets = summarize(within(selected, results.last()));
  console.log(sets.map(formatResult).join('\n\n'));
  if (count < ids.length) console.log(`${ids.length - count} are left. Repeat the command to run them.`);
  return count === ids.length && sets.every(isGoalMet) ? 0 : 1;
}

/** Trials without a result, or with one to correct. */
function waiting(ids: readonly string[], results: Results, again = false): string[] {
  const last = results.last();
  if (again) return within(ids, last).flatMap((one) => (isUnexpected(one) ? one.id : []));
  const known = new Set(last.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

function within(ids: readonly string[], judged: readonly Judged[]): Judged[] {
  const selected = new Set(ids);
  return judged.filter(({ id }) => selected.has(id));
}

/** A sample is the same for the same seed and set. */
function select({ set, only = '', sample, seed }: ExitCodeFlags): string[] {
  const prefixes = only.split(',');
  const chosen = [
    ...(set === 'generated' ? [] : [DEFECTS, VARIATIONS]),
    ...(set === 'planted' ? [] : [MUTANTS]),
  ].flatMap((trials) => {
    const ids = trials.map(({ id }) => id).filter((id) => prefixes.some((prefix) => id.startsWith(prefix)));
    return sample === undefined ? ids : drawSample(ids, sample, seed);
  });
  if (chosen.length === 0) throw new UserError(`No trial has an id that begins with '${only}'. Try: --list`, 2);
  return chosen;
}

export function drawSample(ids: readonly string[], size: number, seed: number): string[] {
  const random = seeded(seed);
  return ids
    .map((id) => ({ id, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, size)
    .map(({ id }) => id);
}
