/** Child-process servers: started, found by their printed address, and stopped with this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../scripts/tools/process.ts';

/** The gateway's command, for Node. */
export const GATEWAY = join(ROOT, 'scripts/gateway.mjs');

export interface Server {
  readonly url: string;
  /** Milliseconds from the start of the process until it listens. */
  readonly startMs: number;
  readonly pid: number;
  /** Whether it still runs. */
  alive(): boolean;
  /** Pauses the process. */
  sleep(): void;
  /** Resumes it. */
  wake(): void;
  /** Sends the signal, SIGKILL by default, and waits for the end. Returns the exit code, or null after SIGKILL. */
  end(signal?: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** By default, the Node running the tests. */
  readonly node?: string;
  readonly cwd?: string;
  /** The server's address, if it isn't printed. */
  readonly url?: string;
  /** The line that reports that it listens. By default, one with an address. */
  readonly ready?: RegExp;
}

const ADDRESS = /http:\/\/[^\s"]+/;

const RUNNING = new Set<ChildProcess>();
// Stops servers when this process is interrupted, even paused ones.
process.on('exit', () => {
  for (const child of RUNNING) child.kill('SIGKILL');
});

/** Starts a gateway like `npm run gateway`, or with other Node arguments. */
export async function startGatewayProcess(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [GATEWAY, 'start'],
): Promise<Server> {
  const server = await startServer(args, { env });
  // The printed name needs a lookup, and may first resolve to another address.
  return { ...server, url: server.url.replace('//localhost:', '//127.0.0.1:') };
}

/** Starts Node with the arguments and waits for it to listen. Throws with its output if it doesn't. */
export async function startServer(
  args: readonly string[],
  { env, node = process.execPath, cwd, url, ready = ADDRESS }: ServerOptions = {},
): Promise<Server> {
  const started = performance.now();
  const child = spawn(node, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  RUNNING.add(child);
  child.on('exit', () => RUNNING.delete(child));
  const complaints: Buffer[] = [];
  const complain = (chunk: Buffer) => complaints.push(chunk);
  child.stderr.on('data', complain);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!ready.test(line)) continue;
    // Discards further output, and prints errors.
    child.stdout.resume();
    child.stderr.off('data', complain).pipe(process.stderr);
    return {
      url: url ?? ADDRESS.exec(line)?.[0] ?? '',
      startMs: performance.now() - started,
      pid: child.pid ?? 0,
      alive: () => isAlive(child),
      sleep: () => child.kill('SIGSTOP'),
      wake: () => child.kill('SIGCONT'),
      end: (signal = 'SIGKILL') => end(child, signal),
    };
  }
  throw new Error(`${args.join(' ')} ended before it listened: ${Buffer.concat(complaints)}`);
}

/** Peak total memory, or current private memory without file pages. */
export type Memory = 'VmHWM' | 'RssAnon';

/** Memory of a process in bytes. NaN if the system does not report it. */
export async function residentBytes({ pid }: Server, which: Memory): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1];
  return Number(kibibytes ?? Number.NaN) * 1024;
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (isAlive(child)) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}
