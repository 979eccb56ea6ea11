/** Gateways in processes of their own, on one database, with a merchant whose wallet is full. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { auditStore } from '../../gateway/src/commands/audit.ts';
import { openPostgres } from '../../gateway/src/store/postgres.ts';
import { openSqlite } from '../../gateway/src/store/sqlite.ts';
import type { Database, Store } from '../../gateway/src/store/store.ts';
import { ROOT, run } from '../tools/process.ts';
import type { Findings } from './part.ts';

const MAIN = `${ROOT}gateway/src/main.ts`;

/** Enough for every payout, in minor units. */
export const FUNDED = 1_000_000_000_000;
export const CURRENCY = 'INR';

export type Environment = Readonly<Record<string, string>>;

export interface Account {
  readonly id: string;
  readonly key: string;
  readonly secret: string;
}

export interface Gateway {
  readonly url: string;
  readonly pid: number;
  /** Whether it still runs. */
  alive(): boolean;
  /** Sends the signal and waits for the end. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** What every tortured gateway is set to, besides its database. */
export const BASE: Environment = {
  DATABASE_URL: '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'fatal',
  REQUESTS_PER_SECOND: '1000000',
  CALLBACK_ALLOW: '127.0.0.0/8',
};

/** Adds a merchant with the gateway's own commands. */
export async function addAccount(env: Environment, name: string): Promise<Account> {
  const administer = (...args: string[]) => run(process.execPath, [MAIN, ...args], { env: { ...BASE, ...env } });
  const { stdout } = await administer('merchant', 'create', name, CURRENCY);
  const read = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? '';
  const account = {
    id: read(/merchant +(\d+)/),
    key: read(/API key +(\S+)/),
    secret: read(/signing secret +(\S+)/),
  };
  await administer('fund', account.id, String(FUNDED), CURRENCY);
  return account;
}

/** Starts a gateway and waits until it listens. Throws with what it printed when it does not. */
export async function startGateway(env: Environment): Promise<Gateway> {
  const child = spawn(process.execPath, [MAIN, 'start'], {
    env: { ...process.env, ...BASE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  RUNNING.add(child);
  child.on('exit', () => RUNNING.delete(child));
  const printed: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /http:\/\/[^:/]+:(\d+)/.exec(line)?.[1];
    if (!port) continue;
    child.stdout.resume();
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid ?? 0,
      alive: () => child.exitCode === null && child.signalCode === null,
      end: (signal) => end(child, signal),
    };
  }
  throw new Error(`the gateway ended before it listened: ${printed.join('')}`);
}

const RUNNING = new Set<ChildProcess>();
// A torture that is interrupted leaves no gateway behind.
process.on('exit', () => {
  for (const child of RUNNING) child.kill('SIGKILL');
});

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Opens the database that the environment names, beside the gateways. */
export function openDatabase(env: Environment): Store {
  return env['DATABASE_URL'] ? openPostgres(env['DATABASE_URL'], { max: 2 }) : openSqlite(env['DATABASE_FILE'] ?? '');
}

/** Audits the books as they stand at one moment, also while gateways write. */
export async function audit(store: Store, findings: Findings): Promise<void> {
  const { differences } = await atOneMoment(store, (read) => auditStore({ ...store, read }));
  for (const difference of differences) findings.add(`audit: ${difference}`);
}

/** Runs reads on one snapshot. */
async function atOneMoment<T>(store: Store, work: (db: Database) => Promise<T>): Promise<T> {
  if (store.kind === 'postgres') {
    return store.unit(async (db) => {
      await db.run('set transaction isolation level repeatable read');
      return work(db);
    });
  }
  // The reads of one turn of the event loop share a transaction on SQLite, and this work awaits nothing else. A unit of
  // work would keep the gateway from writing.
  return work(store.read);
}
