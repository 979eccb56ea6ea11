/** A gateway inside the process that asks for it, such as a test's: listening, with a merchant, and gone when closed. */
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateMerchantRequest } from '../../generated/sandbox/types.ts';
import { createGateway } from './gateway.ts';
import { callSandbox } from './sandbox-client/client.ts';
import { openInbox, type WebhookInbox } from './sandbox-client/inbox.ts';
import { type SandboxVerbs, sandboxVerbs } from './sandbox-client/verbs.ts';
import { openSqlite } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';

export interface StartGatewayOptions {
  /** Defaults to 0, which selects a free port. */
  readonly port?: number;
  /** Defaults to 127.0.0.1. */
  readonly host?: string;
  /** `memory`, which is the default and forgets everything on close, a path of an SQLite file, or a postgres:// URL. */
  readonly store?: 'memory' | (string & {});
  /** Makes ids, keys and everything random from this text, so that two runs have the same. Defaults to random ones. */
  readonly seed?: string;
}

/** A gateway with its first merchant. */
export interface RunningGateway extends MerchantAccess {
  /** Base URL of the API, without a slash at its end. */
  readonly url: string;
  /** Creates another merchant, with a wallet for each currency. `available` says what is in them, in minor units. */
  addMerchant(request?: CreateMerchantRequest): Promise<MerchantAccess>;
  /** Completes requests and webhooks under way, then stops. */
  close(): Promise<void>;
}

/** A merchant with a wallet for each currency, and what can be done to its transactions, time and world. */
export interface MerchantAccess extends SandboxVerbs {
  readonly key: string;
  /** Signs its webhooks. */
  readonly secret: string;
  /** Receives its webhooks: use `webhooks.url` as `callback_url`, and await `webhooks.next('SUCCESS')`. */
  readonly webhooks: WebhookInbox;
}

/** Webhooks go to the test itself. */
const CALLBACK_ALLOW = ['127.0.0.0/8', '::1'];
/** A test's client may keep its connections open. */
const CLOSE_MS_MAX = 500;
/** Linux keeps these files in memory. */
const MEMORY = '/dev/shm';

/** Folders of the stores in memory. A test run that is cut short closes none of them. */
const FOLDERS = new Set<string>();

function removeFolders(): void {
  for (const folder of FOLDERS) rmSync(folder, { recursive: true, force: true });
}

/** Starts a gateway. Any number of them can run in one process; they share nothing unless they share a store. */
export async function startGateway(options: StartGatewayOptions = {}): Promise<RunningGateway> {
  const { port = 0, host = '127.0.0.1' } = options;
  const { store, remove } = await openStore(options.store ?? 'memory');
  let url = '';
  const gateway = await createGateway({
    store,
    publicUrl: () => url,
    seed: options.seed,
    callbackAllow: CALLBACK_ALLOW,
    closeMsMax: CLOSE_MS_MAX,
    sandbox: true,
  });
  const inboxes: WebhookInbox[] = [];
  const close = async () => {
    await gateway.close();
    for (const inbox of inboxes) await inbox.close();
    await remove();
  };
  try {
    await gateway.app.listen({ host, port });
    url = `http://${host.includes(':') ? `[${host}]` : host}:${(gateway.app.server.address() as AddressInfo).port}`;
    const addMerchant = async (request: CreateMerchantRequest = {}) => {
      const merchant = await createMerchant(url, request);
      inboxes.push(merchant.webhooks);
      return merchant;
    };
    return { url, ...(await addMerchant()), addMerchant, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStore(name: string): Promise<{ store: Store; remove: () => Promise<void> }> {
  const remove = async () => {};
  if (/^postgres(ql)?:/.test(name)) {
    const { openPostgres } = await import('./store/postgres/postgres-store.ts');
    return { store: openPostgres(name, { max: 10 }), remove };
  }
  if (name !== 'memory') return { store: openSqlite(name), remove };
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), `payments-gateway-${process.pid}-`));
  if (FOLDERS.size === 0) process.on('exit', removeFolders);
  FOLDERS.add(folder);
  return {
    store: openSqlite(join(folder, 'payments.db')),
    async remove() {
      FOLDERS.delete(folder);
      if (FOLDERS.size === 0) process.off('exit', removeFolders);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createMerchant(url: string, body: CreateMerchantRequest): Promise<MerchantAccess> {
  const { key, secret } = await callSandbox({ url, key: '' }, 'createMerchant', { body });
  const verbs = sandboxVerbs({ url, key });
  const webhooks = await openInbox(secret, async () => Date.parse((await verbs.clock.read()).now));
  return { key, secret, webhooks, ...verbs };
}
