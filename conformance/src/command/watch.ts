/** `--watch`: after a run, waits for a change and repeats the failed checks. */
import { type Terminal, UserError } from '../../../contract/src/cli.ts';
import type { Report } from '../report/report.ts';
import type { Trigger } from './triggers.ts';

export interface Watch {
  readonly terminal: Terminal;
  /** The report of an earlier run, whose failures are repeated at once. */
  readonly before?: Report;
  /** Runs every selected check. */
  readonly runAll: () => Promise<Report>;
  /** Runs the failed checks of the report. */
  readonly repeat: (report: Report) => Promise<Report>;
  readonly nextTrigger: () => Promise<Trigger>;
  /** Resolves when the watching is to end. */
  readonly stopped: Promise<unknown>;
}

const REASONS: Readonly<Record<Trigger, string>> = {
  start: 'The service has started again.',
  file: 'A file has changed.',
  enter: 'Running again.',
};

const STOP = Symbol('stop');

/** Runs until it is stopped. Resolves with the exit code of the last run; 1 if none was completed. */
export async function watchRuns({ terminal, before, runAll, repeat, nextTrigger, stopped }: Watch): Promise<number> {
  const stop = stopped.then((): typeof STOP => STOP);
  let [last, code] = [before, 1];
  for (let isFirst = true; ; isFirst = false) {
    const failed = last && listFailures(last);
    const run = failed ? repeat(failed) : runAll();
    const ended = await Promise.race([run.catch((error: unknown) => explain(error, isFirst)), stop]);
    if (ended === STOP) return code;
    if (ended instanceof UserError) {
      terminal.err(`${ended.message}\n`);
      code = ended.exitCode;
    } else {
      last = ended;
      code = ended.exitCode;
    }
    const repeated = last && listFailures(last) ? 'what failed' : 'every check';
    terminal.out(
      `\nWatching. A new start of the service, a change of a file or Enter runs ${repeated}.\nCtrl-C ends.\n`,
    );
    const trigger = await Promise.race([nextTrigger(), stop]);
    if (trigger === STOP) return code;
    terminal.out(`\n${REASONS[trigger]}\n`);
  }
}

/** Whether the next run may succeed. A usage error at the start is permanent. */
function explain(error: unknown, isFirst: boolean): UserError {
  if (error instanceof UserError && !(isFirst && error.exitCode === 2)) return error;
  throw error;
}

/** The report with the checks that fail the run alone; undefined if none does. */
function listFailures(report: Report): Report | undefined {
  const checks = report.checks.filter(({ failure, verdict }) => failure !== undefined || verdict === 'fault');
  return checks.length === 0 ? undefined : { ...report, checks };
}
