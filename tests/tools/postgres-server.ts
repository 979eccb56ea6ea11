/**
 * A PostgreSQL server controlled through standard input: it executes commands, prints a line after each, and exits when
 * the input closes, however its parent ends. It prints its address and cleans up after itself. Arguments are server
 * settings, such as `fsync=off`. With `--standby-of`, it starts as a copy of the server at that address.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { run } from '../../scripts/tools/process.ts';
import { copyAsStandby } from './base-backup.ts';
import { freePort } from './loopback.ts';
import { postgresPrograms } from './postgres-programs.ts';
import { give, serverFolder, serverUser } from './server-user.ts';
import { until } from './wait.ts';

const { values: flags, positionals } = parseArgs({
  options: { 'standby-of': { type: 'string' } },
  allowPositionals: true,
});
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...positionals];
/** Log line of a started primary or standby. */
const READY = 'ready to accept';
const GONE_WITHIN_MS = 60_000;
/** The line of postmaster.pid with the shared memory's key and id, counted from 0. */
const SHARED_MEMORY_LINE = 6;

const folder = await serverFolder('gateway-postgres-');
const programs = await postgresPrograms(join(folder, 'programs'));
const data = join(folder, 'data');
const pidFile = join(data, 'postmaster.pid');
const port = await freePort();
/** Other users of the machine can connect to the port, and a superuser of PostgreSQL can run programs. */
const primary = flags['standby-of'];
const password = primary ? new URL(primary).password : randomBytes(16).toString('hex');
const terminated = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => terminated.abort());
const messages: string[] = [];
const MESSAGES_MAX = 20;
let server: ChildProcess | undefined;

/** Actions by their command line. */
const ACTIONS = {
  async start() {
    const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
    server = launch('postgres', ['-D', data, '-p', String(port), ...settings]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.stderr?.on('data', (text) => String(text).includes(READY) && resolve());
    server.on('error', reject).on('exit', () => reject(new Error('it has ended')));
    await promise;
  },
  /** kill -9 of all its processes at once, so that none notices the end of others. */
  async kill() {
    const sharedMemory = (await pidFileLines())[SHARED_MEMORY_LINE]?.trim().split(/ +/)[1] ?? '';
    await awaitEnd(() => signalAll('SIGKILL'));
    // Its process id may be reused later.
    await rm(pidFile);
    await run('ipcrm', ['-m', sharedMemory]);
  },
  /** Pauses all server processes. Connections stay open without a response. */
  freeze: () => signalAll('SIGSTOP'),
  thaw: () => signalAll('SIGCONT'),
} satisfies Record<string, () => Promise<void>>;

export type Action = keyof typeof ACTIONS;

const isAction = (line: string): line is Action => Object.hasOwn(ACTIONS, line);

async function postmaster(): Promise<number> {
  return Number((await pidFileLines())[0]);
}

async function pidFileLines(): Promise<string[]> {
  return (await readFile(pidFile, 'utf8')).split('\n');
}

async function awaitEnd(end: (pid: number) => Promise<void>): Promise<void> {
  const pid = await postmaster();
  await end(pid);
  if ((await until(() => !exists(pid), GONE_WITHIN_MS)) === undefined) throw new Error('it does not end');
}

/** The parent is paused first, so that it can't start new processes. */
async function signalAll(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void> {
  const pid = await postmaster();
  process.kill(pid, 'SIGSTOP');
  const { stdout } = await run('pgrep', ['-P', String(pid)]);
  for (const child of stdout.trim().split('\n')) process.kill(Number(child), signal);
  process.kill(pid, signal);
}

/** PostgreSQL's immediate shutdown. */
async function shutDown(pid: number): Promise<void> {
  process.kill(pid, 'SIGQUIT');
}

/** Starts a program as the server's user, in a working directory accessible to that user. */
function launch(program: 'initdb' | 'postgres', args: string[]): ChildProcess {
  const child = spawn(join(programs, program), args, {
    ...serverUser(),
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.on('data', (text) => {
    messages.push(String(text));
    messages.splice(0, messages.length - MESSAGES_MAX);
  });
  return child;
}

async function initialize(): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  await give(passwordFile);
  // Independent of the machine's locale, whose encoding may not be UTF-8.
  const args = ['--locale=C', '--encoding=UTF8', '--auth=password', '--username=gateway', '--no-sync'];
  const [code] = await once(launch('initdb', [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...args]), 'exit');
  if (code !== 0) throw new Error(`initdb failed with code ${code}`);
}

try {
  if (primary === undefined) await initialize();
  else {
    await mkdir(data, { mode: 0o700 });
    await copyAsStandby(primary, data);
  }
  await ACTIONS.start();
  console.log(`postgres://gateway:${password}@127.0.0.1:${port}/postgres`);
  for await (const line of createInterface({ input: process.stdin, signal: terminated.signal })) {
    if (isAction(line)) await ACTIONS[line]();
    console.log(line);
  }
} catch (error) {
  console.error(`PostgreSQL: ${error}\n${messages.join('')}`);
  process.exitCode = 1;
} finally {
  await ACTIONS.thaw().catch(() => undefined);
  await awaitEnd(shutDown).catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
}
process.exit();

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
