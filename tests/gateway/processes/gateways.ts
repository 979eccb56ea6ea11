/** Gateways in processes of their own, as they are run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createApiKey } from '../../../gateway/src/store/access/api-keys.ts';
import type { Store } from '../../../gateway/src/store/engine/store.ts';
import { addMerchant, fund } from '../harness/fixtures.ts';
import { afterwards } from '../harness.ts';

const MAIN = fileURLToPath(new URL('../../../gateway/src/main.ts', import.meta.url));
/** A gateway whose channel never responds. */
export const STUCK = fileURLToPath(new URL('./stuck-gateway.ts', import.meta.url));

/** Sends a request with the key. Rejects when the process does not respond. */
export type Caller = (
  method: string,
  path: string,
  key: string,
  body?: unknown,
) => Promise<{ status: number; body: Shown }>;

export interface GatewayProcess {
  readonly url: string;
  /** Its output after the line with its address. */
  readonly lines: AsyncIterator<string>;
  /** Sends the signal and waits for the end. Returns the exit code; null after SIGKILL. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  readonly call: Caller;
}

/** Members of responses that these tests read. */
export interface Shown {
  readonly transaction_id: string;
  readonly status: string;
  readonly type: string;
  readonly balances: { readonly available: number; readonly pending: number }[];
}

/** Adds a merchant with money, and returns its API key. */
export async function addKey(store: Store): Promise<string> {
  const merchant = await addMerchant(store);
  await fund(store, merchant, 10_000_000);
  return (await store.unit((db) => createApiKey(db, merchant.id, Date.now()))).key;
}

/** Starts a gateway on the database that the environment names, and waits until it listens. */
export async function startProcess(
  database: Record<string, string>,
  entry = MAIN,
  args = entry === MAIN ? ['start'] : [],
): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...process.env, ...database, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterwards(() => end(child, 'SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const iterator = lines[Symbol.asyncIterator]();
  const url = await address(iterator, lines);
  return {
    url,
    lines: iterator,
    end: (signal) => end(child, signal),
    call: callerOf(url),
  };
}

/** Sends requests to an address. */
export function callerOf(url: string): Caller {
  return async (method, path, key, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    return { status: response.status, body: (await response.json()) as Shown };
  };
}

async function address(lines: AsyncIterator<string>, source: Interface): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the gateway ended without listening: ${String(source)}`);
    const port = /http:\/\/[^:/]+:(\d+)/.exec(value)?.[1];
    if (port) return `http://127.0.0.1:${port}`;
  }
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}

/** Repeats the check until it returns something other than undefined. Real processes are asked, so real time passes. */
export async function eventually<T>(check: () => Promise<T | undefined>, deadlineMs = 60_000): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await check();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`nothing came of it within ${deadlineMs} ms: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
