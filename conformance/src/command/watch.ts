/** `--watch`: after a run, waits for a change and repeats the failed checks. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Terminal, UserError } from '../../../contract/src/cli.ts';
import type { Report } from '../report/report.ts';
import { takesConnections } from '../service/liveness.ts';

export interface Watch {
  readonly terminal: Terminal;
  /** The report of an earlier run, whose failures are repeated at once. */
  readonly before?: Report;
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

export type Trigger = 'start' | 'file' | 'enter';

export interface TriggerSources {
  readonly isUp: () => Promise<boolean>;
  /** Waits between two looks at the service. */
  readonly pause: (signal: AbortSignal) => Promise<unknown>;
  readonly changed: (signal: AbortSignal) => Promise<unknown>;
  readonly entered: (signal: AbortSignal) => Promise<unknown>;
}

/** Resolves with the first reason from now on. A changed service is waited for until it responds. */
export async function nextTrigger({ isUp, pause: wait, changed, entered }: TriggerSources): Promise<Trigger> {
  const ended = new AbortController();
  const { signal } = ended;
  const untilUp = async (isWanted: boolean) => {
    while ((await isUp()) !== isWanted) await wait(signal);
  };
  const started = async (): Promise<Trigger> => {
    await untilUp(false);
    await untilUp(true);
    return 'start';
  };
  const edited = async (): Promise<Trigger> => {
    await changed(signal);
    // A program that restarts the service on a change needs a moment to notice it.
    await wait(signal);
    await untilUp(true);
    return 'file';
  };
  const all = [started(), edited(), entered(signal).then((): Trigger => 'enter')];
  for (const one of all) one.catch(() => undefined);
  try {
    return await Promise.race(all);
  } finally {
    ended.abort();
  }
}

const LOOK_MS = 200;
const CONNECT_MS = 2_000;

/** The sources of a terminal: the service at the address, the files of the folder, and the keyboard. */
export function terminalSources(baseUrl: string, folder: string): TriggerSources {
  return {
    isUp: () => takesConnections(baseUrl, CONNECT_MS),
    pause: (signal) => pause(LOOK_MS, undefined, { signal }),
    changed: (signal) => sourceChanged(folder, signal),
    entered: (signal) => once(process.stdin, 'data', { signal }),
  };
}

/** Sources only: a service writes data and logs itself. */
const SOURCE = /\.([cm]?[jt]sx?|py|rb|go|java|kts?|rs|php|cs|exs?|scala|swift|clj)$/;

/** Resolves when a source file of the folder changes. Ignores dependencies and hidden files. */
export async function sourceChanged(folder: string, signal: AbortSignal): Promise<void> {
  const inner = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name))
    .map(({ name }) => firstChange(join(folder, name), { recursive: true, signal }));
  await Promise.race([firstChange(folder, { signal }), ...inner]);
}

async function firstChange(folder: string, options: { recursive?: boolean; signal: AbortSignal }): Promise<void> {
  for await (const { filename } of watch(folder, options)) {
    if (SOURCE.test(filename ?? '') && !filename?.includes('node_modules')) return;
  }
}
