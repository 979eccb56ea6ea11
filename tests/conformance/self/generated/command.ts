/** Judges sets of defects by the exit code of the whole kit. */
import { fileURLToPath } from 'node:url';
import { UserError } from '../../../../contract/src/cli.ts';
import { startPostgres } from '../../../tools/postgres.ts';
import { seeded } from '../../../tools/random.ts';
import { DEFECTS } from '../defects/index.ts';
import { runWorker, share } from '../pool.ts';
import { VARIATIONS } from '../variations/index.ts';
import { MUTANTS } from './index.ts';
import { formatJudged, isGoalMet } from './report.ts';
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
}

/** Runs the sets. The exit code says whether the goals were met. */
export async function judgeByExitCode(flags: ExitCodeFlags, postgresSettings: Record<string, string>) {
  const ids = select(flags);
  if (flags.list) return ids.join('\n');
  const isOnPostgres = flags.store?.join() === 'postgres';
  const postgres = isOnPostgres ? await startPostgres(postgresSettings) : undefined;
  const judged: Judged[] = [];
  const report = (one: Judged): void => {
    judged.push(one);
    process.stderr.write(`… ${judged.length}/${ids.length} ${one.ending} ${one.id}\n`);
  };
  try {
    const { concurrent } = flags;
    await Promise.all(
      share(ids, flags.processes).map((some) =>
        runWorker(WORKER, { ids: some, concurrent, ...(postgres && { postgres: postgres.url }) }, report),
      ),
    );
  } finally {
    await postgres?.close();
  }
  console.log(formatJudged(judged));
  return isGoalMet(judged) ? 0 : 1;
}

/** A sample is the same for the same seed and set. */
function select({ set, only = '', sample, seed }: ExitCodeFlags): string[] {
  const prefixes = only.split(',');
  const chosen = [
    ...(set === 'generated' ? [] : [DEFECTS, VARIATIONS]),
    ...(set === 'planted' ? [] : [MUTANTS]),
  ].flatMap((trials) => {
    const ids = trials.map(({ id }) => id).filter((id) => prefixes.some((prefix) => id.startsWith(prefix)));
    return sample === undefined ? ids : sampleOf(ids, sample, seed);
  });
  if (chosen.length === 0) throw new UserError(`No trial has an id that begins with '${only}'. Try: --list`, 2);
  return chosen;
}

export function sampleOf(ids: readonly string[], size: number, seed: number): string[] {
  const random = seeded(seed);
  return ids
    .map((id) => ({ id, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, size)
    .map(({ id }) => id);
}
