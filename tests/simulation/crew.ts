/** Runs seeds on several threads, and describes the result. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Defect } from './defects.ts';
import type { Counts } from './simulated-system.ts';
import type { Assignment, RunReport } from './worker.ts';

export interface Job {
  /** Seed of the first run. Each further run has the next. */
  readonly seed: number;
  readonly runs: number;
  readonly defect?: Defect | undefined;
  readonly threads?: number;
  /** Whether a failure is shrunk. */
  readonly shrinks?: boolean;
  readonly onRun?: (runs: number) => void;
}

export interface JobResult {
  readonly runs: number;
  readonly counts: Counts;
  /** The failing run with the lowest seed, if any. */
  readonly failure: RunReport | undefined;
}

/** Runs them until one fails, or all have passed. */
export async function runJob(job: Job): Promise<JobResult> {
  const { seed, runs, threads = availableParallelism() } = job;
  const seeds = Array.from({ length: runs }, (_, index) => seed + index);
  const size = Math.min(threads, runs);
  const counts: Counts = { commits: 0, crashes: 0, webhooks: 0, transactions: 0, tasks: 0 };
  const failures: RunReport[] = [];
  let finished = 0;
  const workers: Worker[] = [];
  const shares = Array.from({ length: size }, (_, share) => seeds.filter((_, index) => index % size === share));
  const onReport = (report: RunReport) => {
    finished += 1;
    for (const name of Object.keys(counts) as (keyof Counts)[]) counts[name] += report.outcome.counts[name];
    if (report.outcome.broken) failures.push(report);
    job.onRun?.(finished);
  };
  await Promise.all(shares.map((share) => runShare(share, job, workers, onReport)));
  const [failure] = failures.sort((a, b) => a.outcome.seed - b.outcome.seed);
  return { runs: finished, counts, failure };
}

/** The other threads stop at the first finding. */
function runShare(
  seeds: readonly number[],
  { defect, shrinks = false }: Job,
  workers: Worker[],
  onReport: (report: RunReport) => void,
): Promise<void> {
  const assignment: Assignment = { seeds, shrinks, ...(defect && { defect }) };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: assignment });
  workers.push(worker);
  return new Promise((resolve, reject) => {
    worker.on('message', (report: RunReport) => {
      onReport(report);
      if (report.outcome.broken) for (const other of workers) other.terminate();
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });
}

export function formatCounts(runs: number, counts: Counts, seconds: number): string {
  const all = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const perMinute = Math.round((runs / seconds) * 60);
  return `${runs} runs in ${seconds.toFixed(1)} s (${perMinute} a minute): ${all.join(', ')}`;
}

/** Describes the broken rule, the command to reproduce it, and the shortest history found. */
export function formatFailure({ outcome, shrunk }: RunReport): string {
  const { seed, broken } = outcome;
  const lines = [
    `BROKEN ${broken?.detail}`,
    `in step ${broken?.step} of seed ${seed}. Replay it:`,
    `  npm run simulate -- --seed ${seed} --runs 1`,
  ];
  if (!shrunk) return lines.join('\n');
  const history = [...shrunk.history, `BROKEN ${shrunk.broken?.detail}`].map((line) => `  ${line}`);
  return [...lines, `With ${shrunk.only?.size} of its steps:`, ...history].join('\n');
}
