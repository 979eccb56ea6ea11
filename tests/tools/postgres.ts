/** A separate PostgreSQL server for tests, fault runs and benchmarks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Action } from './postgres-server.ts';

const SERVER = fileURLToPath(new URL('postgres-server.ts', import.meta.url));

export interface Postgres {
  readonly url: string;
  /** The parent of the server's processes. */
  readonly pid: number;
  /** Runs the action and waits for its end. */
  tell(action: Action): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** Settings of a server, by name. */
export type PostgresSettings = Readonly<Record<string, string>>;

/**
 * Starts a server with a new database, with PostgreSQL's defaults except for the settings. Throws if it does not start.
 */
export function startPostgres(settings: PostgresSettings = {}): Promise<Postgres> {
  return startServer(settings);
}

/** Starts a standby of the server at the address, as a copy of it. The settings name its primary. */
export function startStandby(url: string, settings: PostgresSettings): Promise<Postgres> {
  return startServer(settings, '--standby-of', url);
}

/** The URL of another database of the same server. */
export function databaseUrl(server: string, name: string): string {
  return Object.assign(new URL(server), { pathname: name }).href;
}

/** A connection that ignores the kill of its server. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Sends a statement over a dedicated connection. Rows are arrays. */
export async function query(url: string, statement: string, ...values: unknown[]): Promise<pg.QueryArrayResult> {
  const client = await connect(url);
  return client.query({ text: statement, values, rowMode: 'array' }).finally(() => client.end());
}

async function startServer(settings: PostgresSettings, ...flags: string[]): Promise<Postgres> {
  const given = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const child = spawn(process.execPath, [SERVER, ...flags, ...given], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('PostgreSQL has ended; see its messages above');
    return String(value);
  };
  return {
    url: await line(),
    pid: child.pid ?? 0,
    async tell(action) {
      child.stdin.write(`${action}\n`);
      await line();
    },
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
