/** A gateway inside the process that asks for it, such as a test's: listening, with a merchant, and gone when closed. */
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContract } from './contract/contract.ts';
import { createGateway } from './gateway.ts';
import { createIds, type Ids } from './platform/ids.ts';
import { NO_KEYS } from './platform/key-ring.ts';
import { createApiKey } from './store/api-keys.ts';
import { createMerchant } from './store/merchants.ts';
import { openPostgres } from './store/postgres/postgres-store.ts';
import { createSigningSecret } from './store/signing-secrets.ts';
import { openSqlite } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';
import { createWallet } from './store/wallets.ts';

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

export interface RunningGateway {
  /** Base URL of the API, without a slash at its end. */
  readonly url: string;
  /** API key of a merchant that was created at the start, with a wallet for each currency. */
  readonly key: string;
  /** Signing secret of that merchant's webhooks. */
  readonly secret: string;
  /** Creates another merchant, with a wallet for each currency, and resolves with its key and secret. */
  addMerchant(): Promise<MerchantAccess>;
  /** Completes requests and webhooks under way, then stops. */
  close(): Promise<void>;
}

export interface MerchantAccess {
  readonly key: string;
  readonly secret: string;
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
  const close = async () => {
    await gateway.close();
    await remove();
  };
  try {
    const ids = createIds(options.seed);
    const merchant = await addMerchant(store, ids);
    await gateway.app.listen({ host, port });
    url = `http://${host.includes(':') ? `[${host}]` : host}:${(gateway.app.server.address() as AddressInfo).port}`;
    return { url, ...merchant, addMerchant: () => addMerchant(store, ids), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStore(name: string): Promise<{ store: Store; remove: () => Promise<void> }> {
  const remove = async () => {};
  if (/^postgres(ql)?:/.test(name)) return { store: openPostgres(name, { max: 10 }), remove };
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

function addMerchant(store: Store, ids: Ids): Promise<MerchantAccess> {
  const now = Date.now();
  const currencies = readContract().bundle.components.schemas['Currency']?.enum ?? [];
  return store.unit(async (db) => {
    const { id } = await createMerchant(db, 'Test Shop', now);
    for (const currency of currencies) await createWallet(db, id, String(currency), now);
    const { key } = await createApiKey(db, id, now, { live: false }, ids);
    return { key, secret: await createSigningSecret(db, id, now, NO_KEYS, ids) };
  });
}
