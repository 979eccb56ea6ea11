/** Reasons to run again: a new start of the service, a change of a source file, or Enter. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { takesConnections } from '../service/takes-connections.ts';

export type Trigger = 'start' | 'file' | 'enter';

export interface TriggerSources {
  /** Whether the service responds. */
  readonly isUp: () => Promise<boolean>;
  /** Waits between two looks at the service. */
  readonly pause: (signal: AbortSignal) => Promise<unknown>;
  /** Resolves when a file has changed. */
  readonly changed: (signal: AbortSignal) => Promise<unknown>;
  /** Resolves when Enter was pressed. */
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
