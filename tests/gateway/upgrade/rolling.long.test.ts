/**
 * A rolling upgrade and its rollback on PostgreSQL, under load, with gateways of this version and of the next one behind
 * a load balancer that checks their readiness.
 */
import { cp, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { confirmation } from '../harness/customer.ts';
import { paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { afterwards, postgresDatabase, temporaryFolder } from '../harness.ts';
import { addKey, eventually, type GatewayProcess, startProcess } from '../processes/gateways.ts';

/** Acknowledged writes between two changes. */
const WRITES = 150;
const CLIENTS = 4;
const READINESS_EVERY_MS = 50;
/** Long enough for the balancer to notice. */
const DRAIN_MS = 500;

/** Migration files added by the next version. */
const NEXT: Readonly<Record<string, string>> = {
  '900-notes.sql': 'alter table transactions add column note text; create table notes (id bigint primary key)',
  '901-notes.sql': `-- concurrently: builds an index.
    create index transactions_noted on transactions (merchant_id, note) where note is not null`,
};

/** Copies this gateway with additional migrations, and returns its main file. */
async function copyAsNextVersion(): Promise<string> {
  const folder = await temporaryFolder();
  const filter = (path: string) => !['node_modules', 'site'].includes(basename(path));
  for (const part of ['gateway', 'contract', 'generated', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true, filter });
  for (const modules of ['node_modules', 'gateway/node_modules'])
    await symlink(join(ROOT, modules), join(folder, modules));
  for (const [file, script] of Object.entries(NEXT))
    await writeFile(join(folder, 'gateway/src/database/migrations', file), script);
  return join(folder, 'gateway/src/cli.ts');
}

/** Starts a gateway: of the next version if its file is given, and of this version otherwise. */
function startVersion(databaseUrl: string, next?: string): Promise<GatewayProcess> {
  const env = { DATABASE_URL: databaseUrl, SANDBOX: 'false', MIGRATE: 'false', DRAIN_MS: String(DRAIN_MS) };
  const settings = { ...env, DATABASE_CONNECTIONS: '4', REQUESTS_PER_SECOND: '100000' };
  return startProcess(settings, next === undefined ? undefined : [next, 'start']);
}

/** Concurrent clients that create payments and payouts, read them and confirm payments, at all ready gateways. */
function startLoad(key: string) {
  const known = new Map<GatewayProcess, { ready: boolean; served: number }>();
  /** Failures seen by clients. */
  const failures: string[] = [];
  /** Acknowledged payments and payouts, by id. */
  const acknowledged: string[] = [];
  let requests = 0;
  let isOver = false;
  let clients: Promise<unknown> | undefined;

  async function send(method: string, path: string, body?: unknown) {
    const ready = [...known].filter(([, state]) => state.ready);
    const [gateway, state] = ready[requests++ % ready.length] ?? [];
    const response = await gateway?.call(method, path, key, body).catch((error: Error) => error);
    if (state && response && !(response instanceof Error) && response.status < 400) {
      state.served += 1;
      return response.body;
    }
    failures.push(`${method} ${path}: ${response instanceof Error ? response.message : JSON.stringify(response)}`);
    return undefined;
  }

  async function runClient(): Promise<void> {
    for (let count = 0; !isOver && failures.length < 10; count++) {
      const isPayout = count % 4 === 3;
      const path = isPayout ? '/payouts' : '/payments';
      const made = await send('POST', path, isPayout ? payoutRequest({ amount: 1_000 }) : paymentRequest());
      if (!made) continue;
      acknowledged.push(made.transaction_id);
      const shown = await send('GET', `${path}/${made.transaction_id}`);
      if (shown?.status !== 'PAY_CONFIRMATION_NEEDED') continue;
      await send('POST', `${path}/${made.transaction_id}/confirm`, confirmation(shown as never));
    }
  }

  async function watch(gateway: GatewayProcess, state: { ready: boolean }): Promise<void> {
    while (!isOver && known.has(gateway)) {
      const response = await fetch(`${gateway.url}/health/ready`).catch(() => undefined);
      state.ready = response?.status === 200;
      await new Promise((resolve) => setTimeout(resolve, READINESS_EVERY_MS));
    }
  }

  /** Waits until it holds, or until a failure. */
  const until = (holds: () => boolean) =>
    eventually(async () => (holds() || failures.length > 0 ? true : undefined)).then(() => undefined);
  afterwards(async () => {
    isOver = true;
  });
  return {
    ...{ failures, acknowledged },
    /** Adds a gateway, and waits until requests reach it. */
    async add(gateway: GatewayProcess) {
      const state = { ready: false, served: 0 };
      known.set(gateway, state);
      void watch(gateway, state);
      await until(() => state.ready);
      clients ??= Promise.all(Array.from({ length: CLIENTS }, runClient));
      await until(() => state.served > 0);
    },
    /** Waits for further acknowledged writes. */
    more() {
      const from = acknowledged.length;
      return until(() => acknowledged.length >= from + WRITES);
    },
    /** Stops a gateway as its supervisor would. Requests avoid it once it is unready. */
    async stop(gateway: GatewayProcess) {
      expect(await gateway.end('SIGTERM')).toBe(0);
      known.delete(gateway);
    },
    async end() {
      isOver = true;
      await clients;
    },
  };
}

it('two gateways serve all requests while replaced one after the other, forward and back', {
  timeout: 300_000,
}, async () => {
  const { address, connect } = await postgresDatabase();
  const store = connect({ max: 2 });
  await migrate(store);
  const [key, next] = await Promise.all([addKey(store), copyAsNextVersion()]);
  const load = startLoad(key);
  let running = [await startVersion(address), await startVersion(address)];
  for (const gateway of running) await load.add(gateway);
  await load.more();
  const migrated = await run(process.execPath, [next, 'migrate'], { env: { DATABASE_URL: address } });
  expect(migrated.stdout).toContain('applied');
  for (const version of [next, undefined]) {
    const replaced = [];
    for (const gateway of running) {
      await load.more();
      const successor = await startVersion(address, version);
      await load.add(successor);
      await load.more();
      await load.stop(gateway);
      replaced.push(successor);
    }
    running = replaced;
  }
  await load.more();
  await load.end();
  expect(load.failures).toEqual([]);
  expect(load.acknowledged.length).toBeGreaterThan(9 * WRITES);
  const ids = new Set((await store.read.all('select id from transactions')).map(({ id }) => String(id)));
  expect(load.acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect((await auditStore(store)).differences).toEqual([]);
});
