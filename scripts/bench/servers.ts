/** The servers that are compared, each a process of its own on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ROOT, run } from '../tools/process.ts';

export interface Server {
  url: string;
  /** Milliseconds from the start of the process to its address. */
  startMs: number;
  child: ChildProcess;
  stop(): Promise<void>;
}

const FLOOR = fileURLToPath(new URL('floor.ts', import.meta.url));
const GATEWAY = join(ROOT, 'gateway/src/main.ts');
const PRISM = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'));

/** A POST with two durable inserts, and nothing else. */
export function startFloor(folder: string): Promise<Server> {
  return start([FLOOR, 'floor', join(folder, 'floor.db')]);
}

/** node:http with a constant answer. */
export function startEcho(): Promise<Server> {
  return start([FLOOR, 'echo']);
}

/** Prism's own command at its default settings. */
export function startPrism(port: number): Promise<Server> {
  return start([PRISM, 'mock', join(ROOT, 'generated/openapi.json'), '-p', String(port)], {
    url: `http://127.0.0.1:${port}`,
    ready: /is listening/,
  });
}

export interface BenchGateway extends Server {
  key: string;
}

/** The gateway with a merchant, on an SQLite file in the folder or on PostgreSQL. */
export async function startGateway(folder: string, settings: Record<string, string> = {}): Promise<BenchGateway> {
  const env = {
    DATABASE_URL: '',
    DATABASE_FILE: join(folder, 'gateway.db'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    REQUESTS_PER_SECOND: '1000000',
    CALLBACK_ALLOW: '127.0.0.0/8',
    ...settings,
  };
  const made = await run(process.execPath, [GATEWAY, 'merchant', 'create', 'Bench', 'INR'], { env });
  const key = made.stdout.match(/sk_test_\S+/)?.[0] ?? '';
  return { ...(await start([GATEWAY, 'start'], { env })), key };
}

async function start(
  args: string[],
  options: { env?: Record<string, string>; url?: string; ready?: RegExp } = {},
): Promise<Server> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const url = options.url ?? line.match(/http:\S+/)?.[0];
    if (!url || (options.ready && !options.ready.test(line))) continue;
    const startMs = performance.now() - started;
    // What is printed from here on is read and dropped, as a terminal would do.
    child.stdout.resume();
    return { url, startMs, child, stop: () => stop(child) };
  }
  throw new Error(`${args.join(' ')} ended before it listened`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
