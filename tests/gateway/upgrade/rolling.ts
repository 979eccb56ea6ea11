/** Gateways of two versions on one database, under load, behind a load balancer that checks their readiness. */
import { cp, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { afterwards, temporaryFolder } from '../harness.ts';
import { type GatewayProcess, startProcess } from '../processes/gateways.ts';
import { type Orders, placeOrders } from '../processes/orders.ts';

/** Migration files added by the next version. */
const NEXT: Readonly<Record<string, string>> = {
  '900-notes.sql': 'alter table transactions add column note text; create table notes (id bigint primary key)',
  '901-notes.sql': `-- concurrently: builds an index.
    create index transactions_noted on transactions (merchant_id, note) where note is not null`,
};
const PARTS = ['gateway', 'contract', 'generated', 'package.json'];
const LEFT_OUT = ['node_modules', 'site'];

/** Copies this gateway with additional migrations, and returns its main file. */
export async function copyAsNextVersion(): Promise<string> {
  const folder = await temporaryFolder();
  const filter = (path: string) => !LEFT_OUT.includes(basename(path));
  for (const part of PARTS) await cp(join(ROOT, part), join(folder, part), { recursive: true, filter });
  for (const modules of ['node_modules', 'gateway/node_modules'])
    await symlink(join(ROOT, modules), join(folder, modules));
  for (const [file, script] of Object.entries(NEXT))
    await writeFile(join(folder, 'gateway/src/database/migrations', file), script);
  return join(folder, 'gateway/src/cli.ts');
}

/** Long enough for the balancer to notice. */
const DRAIN_MS = 500;
const ASKED_EVERY_MS = 50;

/** Starts a gateway: of the next version if its file is given, and of this version otherwise. */
export function startVersion(databaseUrl: string, next?: string): Promise<GatewayProcess> {
  const env = { DATABASE_URL: databaseUrl, SANDBOX: 'false', MIGRATE: 'false', DRAIN_MS: String(DRAIN_MS) };
  const settings = { ...env, DATABASE_CONNECTIONS: '4', REQUESTS_PER_SECOND: '100000' };
  return startProcess(settings, next === undefined ? undefined : [next, 'start']);
}

export interface Load extends Pick<Orders, 'failures' | 'acknowledged' | 'more' | 'end'> {
  /** Adds a gateway, and waits until requests reach it. */
  add(gateway: GatewayProcess): Promise<void>;
  /** Stops a gateway as its supervisor would. Requests avoid it once it is unready. */
  stop(gateway: GatewayProcess): Promise<void>;
}

/** Sends payments and payouts with a key, from several concurrent clients, to all ready gateways. */
export function startLoad(key: string, clients: number, changes: { readonly callback_url?: string } = {}): Load {
  const known = new Map<GatewayProcess, { ready: boolean; served: number }>();
  let turn = 0;
  let isOver = false;
  const orders = placeOrders(clients, changes, async (method, path, body) => {
    const ready = [...known].filter(([, state]) => state.ready);
    const [gateway, state] = ready[turn++ % ready.length] ?? [];
    if (!gateway || !state) throw new Error('no gateway is ready');
    const response = await gateway.call(method, path, key, body);
    if (response.status < 400) state.served += 1;
    return response;
  });
  const { failures, acknowledged, until } = orders;

  async function watch(gateway: GatewayProcess, state: { ready: boolean }): Promise<void> {
    while (!isOver && known.has(gateway)) {
      const response = await fetch(`${gateway.url}/health/ready`).catch(() => undefined);
      state.ready = response?.status === 200;
      await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS));
    }
  }

  afterwards(async () => {
    isOver = true;
  });
  return {
    failures,
    acknowledged,
    more: orders.more,
    async add(gateway) {
      const state = { ready: false, served: 0 };
      known.set(gateway, state);
      void watch(gateway, state);
      await until(() => state.ready);
      orders.begin();
      await until(() => state.served > 0);
    },
    async stop(gateway) {
      expect(await gateway.end('SIGTERM')).toBe(0);
      known.delete(gateway);
    },
    async end() {
      await orders.end();
      isOver = true;
    },
  };
}

/** Expects all acknowledged transactions in the database. */
export async function expectAllThere(store: Store, acknowledged: readonly string[]): Promise<void> {
  const rows = await store.read.all('select id from transactions');
  const ids = new Set(rows.map(({ id }) => String(id)));
  expect(acknowledged.filter((path) => !ids.has(path.split('/')[2] ?? ''))).toEqual([]);
}
