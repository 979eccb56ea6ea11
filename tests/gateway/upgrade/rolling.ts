/** Gateways of two versions on one database, under load, behind a load balancer that asks whether they are ready. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Store } from '../../../gateway/src/store/engine/store.ts';
import { confirmation } from '../harness/customer.ts';
import { paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { afterwards, temporaryFolder } from '../harness.ts';
import { eventually, type GatewayProcess, startProcess } from '../processes/gateways.ts';

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
  return startProcess({ ...env, DATABASE_CONNECTIONS: '4', REQUESTS_PER_SECOND: '100000' }, before, ['start']);
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

export interface Orders {
  /** Failures as clients saw them: must stay empty. */
  readonly failures: readonly string[];
  /** Payments and payouts that were acknowledged, by path. */
  readonly acknowledged: readonly string[];
  /** Begins, unless that has happened. */
  begin(): void;
  /** Waits until it holds, or something has failed. */
  until(holds: () => boolean): Promise<void>;
  /** Waits for this many further acknowledged writes. */
  more(writes: number): Promise<void>;
  end(): Promise<void>;
}

/** Clients that create payments and payouts, read them, and confirm what has to be confirmed, each one after the other. */
export function placeOrders(
  clients: number,
  changes: { readonly callback_url?: string },
  call: (method: string, path: string, body?: unknown) => ReturnType<GatewayProcess['call']>,
): Orders {
  const failures: string[] = [];
  const acknowledged: string[] = [];
  let isOver = false;
  let running: Promise<unknown> | undefined;

  async function send(method: string, path: string, body?: unknown) {
    const response = await call(method, path, body).catch((error: unknown) => error as Error);
    if (response instanceof Error) failures.push(`${method} ${path}: ${response.message} ${String(response.cause)}`);
    else if (response.status >= 400) failures.push(`${method} ${path}: ${JSON.stringify(response.body)}`);
    else return response.body;
    return undefined;
  }

  const bodyFor = (path: string) =>
    path === '/payouts' ? payoutRequest({ amount: 1_000, ...changes }) : paymentRequest(changes);

  async function client(): Promise<void> {
    for (let count = 0; !isOver && failures.length < 10; count++) {
      const path = count % 4 === 3 ? '/payouts' : '/payments';
      const made = await send('POST', path, bodyFor(path));
      if (!made) continue;
      acknowledged.push(`${path}/${made.transaction_id}`);
      const shown = await send('GET', `${path}/${made.transaction_id}`);
      if (shown?.status !== 'PAY_CONFIRMATION_NEEDED') continue;
      await send('POST', `${path}/${made.transaction_id}/confirm`, confirmation(shown as never));
    }
  }

  afterwards(async () => {
    isOver = true;
  });
  const until = (holds: () => boolean) =>
    eventually(async () => (holds() || failures.length > 0 ? true : undefined)).then(() => undefined);
  return {
    ...{ failures, acknowledged, until },
    begin() {
      running ??= Promise.all(Array.from({ length: clients }, client));
    },
    more(writes) {
      const from = acknowledged.length;
      return until(() => acknowledged.length >= from + writes);
    },
    async end() {
      isOver = true;
      await running;
    },
  };
}

/** Everything that was acknowledged is in the database. */
export async function expectAllThere(store: Store, acknowledged: readonly string[]): Promise<void> {
  const rows = await store.read.all('select id from transactions');
  const ids = new Set(rows.map(({ id }) => String(id)));
  expect(acknowledged.filter((path) => !ids.has(path.split('/')[2] ?? ''))).toEqual([]);
}
