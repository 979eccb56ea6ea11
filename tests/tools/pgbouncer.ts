/** PgBouncer in front of a PostgreSQL server, if installed. PGBOUNCER selects another build. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort } from './loopback.ts';
import { give, serverFolder, serverUser } from './server-user.ts';
import { until } from './wait.ts';

const LISTENS_WITHIN_MS = 60_000;
/** Debian installs it in root's path. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];

/** The program, or undefined if it isn't installed. */
export const PGBOUNCER =
  process.env['PGBOUNCER'] || FOLDERS.map((folder) => join(folder, 'pgbouncer')).find(existsSync);

export interface PgBouncer {
  /** The server's address through it. */
  readonly url: string;
  close(): Promise<void>;
}

export interface PgBouncerSettings {
  readonly pool_mode: 'session' | 'transaction';
  /** Server connections per database. */
  readonly default_pool_size: number;
}

/** Starts it. It ends with this process, even after a kill. */
export async function startPgBouncer(serverUrl: string, settings: PgBouncerSettings): Promise<PgBouncer> {
  if (PGBOUNCER === undefined) throw new Error('PgBouncer is not installed');
  const server = new URL(serverUrl);
  const port = await freePort();
  const folder = await serverFolder('pgbouncer-');
  const file = join(folder, 'pgbouncer.ini');
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    max_client_conn: 500,
    ...settings,
  };
  await writeFile(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port || 5432} user=${server.username} password=${server.password}
[pgbouncer]
${Object.entries(lines)
  .map(([name, value]) => `${name} = ${value}\n`)
  .join('')}`,
  );
  await give(file);
  const command = '"$@" & read -r _; kill $!; wait';
  const child = spawn('sh', ['-c', command, 'sh', PGBOUNCER, '--quiet', file], {
    ...serverUser(),
    cwd: folder,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const close = async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  if ((await until(() => isListening(port), LISTENS_WITHIN_MS)) === undefined) {
    await close();
    throw new Error('PgBouncer does not listen; see its messages above');
  }
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, close };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
