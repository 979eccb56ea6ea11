/** The servers that are compared, each a process of its own on loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import nodeFlags from '../node-flags.json' with { type: 'json' };
import { freePort } from '../tools/port.ts';
import { ROOT } from '../tools/process.ts';
import { addMerchants, type DatabaseSettings } from './merchants.ts';

export interface Server {
  readonly url: string;
  /** Milliseconds from the start of the process to its address. */
  readonly startMs: number;
  readonly child: ChildProcess;
  /** Lets the process stand still. */
  sleep(): void;
  /** Lets it go on. */
  wake(): void;
  /** Ends it at once: what it still had to do is of no use to anybody. */
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
export async function startPrism(): Promise<Server> {
  const port = await freePort();
  return start([PRISM, 'mock', join(ROOT, 'generated/openapi.json'), '-p', String(port)], {
    url: `http://127.0.0.1:${port}`,
    ready: /is listening/,
  });
}

/** The gateway on a database, started as `npm run gateway` does it. */
export function startGateway(database: DatabaseSettings): Promise<Server> {
  return start([...nodeFlags.gateway, GATEWAY, 'start'], {
    env: {
      DATABASE_URL: '',
      PORT: '0',
      LOG_LEVEL: 'silent',
      REQUESTS_PER_SECOND: '1000000',
      CALLBACK_ALLOW: '127.0.0.0/8',
      ...database,
    },
  });
}

export interface BenchGateway extends Server {
  /** API key of its merchant. */
  readonly key: string;
}

/** The gateway on a fresh database, with a merchant. */
export async function startGatewayWithMerchant(database: DatabaseSettings): Promise<BenchGateway> {
  const [merchant] = await addMerchants(database, 1);
  return { ...(await startGateway(database)), key: merchant?.key ?? '' };
}

const RUNNING = new Set<ChildProcess>();
// A bench that is interrupted leaves no server behind, least of all one that stands still.
process.on('exit', () => {
  for (const child of RUNNING) child.kill('SIGKILL');
});

async function start(
  args: string[],
  options: { env?: Record<string, string>; url?: string; ready?: RegExp } = {},
): Promise<Server> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  RUNNING.add(child);
  child.on('exit', () => RUNNING.delete(child));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = options.url ?? line.match(/http:\S+/)?.[0];
    if (!url || (options.ready && !options.ready.test(line))) continue;
    // What is printed from here on is read and dropped, as a terminal would do.
    child.stdout.resume();
    return {
      url,
      startMs: performance.now() - started,
      child,
      sleep: () => child.kill('SIGSTOP'),
      wake: () => child.kill('SIGCONT'),
      stop: () => stop(child),
    };
  }
  throw new Error(`${args.join(' ')} ended before it listened`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
