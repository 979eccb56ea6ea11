/** Judges sets of defects by the exit code of the whole kit. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import conformancePackage from '../../../../conformance/package.json' with { type: 'json' };
import { UserError } from '../../../../contract/src/cli.ts';
import { type Entry, type SetResult, withRun } from '../../../../scripts/conformance/record.ts';
import { startPostgres } from '../../../tools/postgres.ts';
import { seeded } from '../../../tools/random.ts';
import { DEFECTS } from '../defects/index.ts';
import { runWorker, share } from '../pool.ts';
import { VARIATIONS } from '../variations/index.ts';
import { MUTANTS } from './index.ts';
import { BUNDLE } from './places.ts';
import { formatResult, isGoalMet, summarize } from './report.ts';
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
  readonly record?: string;
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
  const results = summarize(judged);
  console.log(results.map(formatResult).join('\n\n'));
  if (flags.record !== undefined) writeRecord(flags.record, results);
  return results.every(isGoalMet) ? 0 : 1;
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

function writeRecord(file: string, results: readonly SetResult[]): void {
  const [cpu] = cpus();
  const how = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores of ${cpu?.model.trim() ?? 'an unknown processor'}, load average ${Math.round(loadavg()[0] ?? 0)}`,
    command: ['npm run verify:self --', ...withoutRecord(process.argv.slice(2))].join(' '),
  };
  let record = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Entry[]) : [];
  for (const result of results) {
    record = withRun(record, conformancePackage.version, BUNDLE.info.version, { ...how, ...result });
  }
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** The file in which the results are kept has no influence on them. */
function withoutRecord(args: readonly string[]): string[] {
  const at = args.indexOf('--record');
  return args.filter((_arg, index) => at < 0 || (index !== at && index !== at + 1));
}
