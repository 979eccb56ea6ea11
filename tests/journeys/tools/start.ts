/** `npm start` in a fresh clone, the beginning of most documents. */
import { freePort } from '../../tools/loopback.ts';
import { freshClone } from './clone.ts';
import { Reader, type Running } from './reader.ts';

export interface Started {
  readonly reader: Reader;
  readonly gateway: Running;
  /** The rest of the last line that begins with the label, such as `signing secret`. */
  printedAt(label: string): string;
}

export interface StartOptions {
  /** Whether the clone's dependencies are installed. */
  readonly installed?: boolean;
  /** Printed ports besides 4000 that may be in use. */
  readonly ports?: readonly number[];
  readonly node?: 'machine' | 'tests';
}

/** For a step of a journey, which runs commands and is slow on a busy machine. */
export const STEP_MS = 240_000;

/** The last line printed by `npm start`. */
export const STARTED = /open the redirect_url\./;

/** Runs `npm start` until it has printed everything. */
export async function startInClone(
  command: string,
  { installed = true, ports: printed = [], node = 'machine' }: StartOptions = {},
): Promise<Started> {
  const ports: Record<number, number> = {};
  for (const port of [4000, ...printed]) ports[port] = await freePort();
  // Client commands use the printed port by default.
  const env = { PORT: String(ports[4000]), GATEWAY_URL: `http://localhost:${ports[4000]}` };
  const reader = new Reader(await freshClone({ installed }), { env, ports, node });
  const gateway = reader.start(command);
  await gateway.until(STARTED, 180_000);
  return { reader, gateway, printedAt: (label) => wordAt(gateway, label) };
}

/** Returns the first word after a label, from the last line that starts with it. */
export function wordAt(running: Running, label: string): string {
  return [...running.printed().matchAll(new RegExp(`^${label}\\s+(\\S+)`, 'gm'))].at(-1)?.[1] ?? '';
}
