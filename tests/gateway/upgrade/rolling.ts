/** Gateways of two versions on one database, under load, behind a load balancer that asks whether they are ready. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Store } from '../../../gateway/src/store/engine/store.ts';
import { afterwards, temporaryFolder } from '../harness.ts';
import { type GatewayProcess, startProcess } from '../processes/gateways.ts';
import { type Orders, placeOrders } from '../processes/orders.ts';

/** The gateway of the release before, bundled with all that it needs. Its number is that of its schema. */
export const BEFORE = 24;

/** Unpacks the gateway of the release before, and returns its main file. */
export async function unpackBefore(): Promise<string> {
  const folder = await temporaryFolder();
  const archive = fileURLToPath(new URL(`gateway-${BEFORE}.tgz`, import.meta.url));
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder]);
  return join(folder, 'gateway/gateway.js');
}

/** Long enough for the balancer to notice. */
const DRAIN_MS = 500;
const ASKED_EVERY_MS = 50;

/** Starts a gateway: of the release before if its file is given, and of this tree otherwise. */
export function startVersion(databaseUrl: string, before?: string): Promise<GatewayProcess> {
  const env = { DATABASE_URL: databaseUrl, SANDBOX: 'false', MIGRATE: 'false', DRAIN_MS: String(DRAIN_MS) };
  const settings = { ...env, DATABASE_CONNECTIONS: '4', REQUESTS_PER_SECOND: '100000' };
  return startProcess(settings, before === undefined ? undefined : [before, 'start']);
}

export interface Load extends Pick<Orders, 'failures' | 'acknowledged' | 'more' | 'end'> {
  /** Adds a gateway, and waits until requests reach it. */
  add(gateway: GatewayProcess): Promise<void>;
  /** Stops a gateway as its supervisor would. Requests go elsewhere once it is no longer ready. */
  stop(gateway: GatewayProcess): Promise<void>;
}

/** Sends payments and payouts with a key, from several clients at a time, to all gateways that are ready. */
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

/** Everything that was acknowledged is in the database. */
export async function expectAllThere(store: Store, acknowledged: readonly string[]): Promise<void> {
  const rows = await store.read.all('select id from transactions');
  const ids = new Set(rows.map(({ id }) => String(id)));
  expect(acknowledged.filter((path) => !ids.has(path.split('/')[2] ?? ''))).toEqual([]);
}
