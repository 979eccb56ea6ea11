/** The reference service of a trial: a gateway, with two merchants for each trial. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBundle } from '../../../contract/src/model.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { createWallet } from '../../../gateway/src/ledger/wallets.ts';
import { createApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { createGateway } from '../../../gateway/src/server.ts';

export interface Reference {
  readonly url: string;
  readonly store: Store;
  readonly key: string;
  readonly secondKey: string;
  readonly secret: string;
  readonly secondSecret?: string;
}

/** A gateway that any number of trials share. */
export interface ReferenceGateway {
  /** The gateway as two merchants of one trial see it. */
  merchants(): Promise<Reference>;
  close(): Promise<void>;
}

/** Opens an empty database; `remove` runs after it is closed. */
export type OpenStore = () => Promise<{ store: Store; remove: () => Promise<void> }>;

/** Linux keeps these files in memory. */
const MEMORY = '/dev/shm';
const CLOSE_MS_MAX = 200;
const CURRENCIES = readBundle().components.schemas['Currency']?.enum ?? [];

export type ReferenceOptions = Pick<Parameters<typeof createGateway>[0], 'channels' | 'methods' | 'sandbox'>;

/** Starts a gateway on an empty database. With `sandbox`, the driver can move transactions. */
export async function startReference(open: OpenStore, options: ReferenceOptions = {}): Promise<ReferenceGateway> {
  const { store, remove } = await open();
  let url = '';
  const gateway = await createGateway({
    store,
    publicUrl: () => url,
    callbackAllow: ['127.0.0.0/8'],
    closeMsMax: CLOSE_MS_MAX,
    limits: { requestsPerSecond: 1_000_000 },
    methods: sandboxMethods,
    ...options,
  });
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  return {
    async merchants() {
      const [first, second] = [await addMerchant(store), await addMerchant(store)];
      const keys = { key: first.key, secondKey: second.key };
      return { url, store, ...keys, secret: first.secret, secondSecret: second.secret };
    },
    async close() {
      await gateway.close();
      await remove();
    },
  };
}

export async function openSqliteFile(): Promise<{ store: Store; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), `self-${process.pid}-`));
  return {
    store: openSqlite(join(folder, 'payments.db')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function addMerchant(store: Store): Promise<{ key: string; secret: string }> {
  const now = Date.now();
  return store.unit(async (db) => {
    const { id } = await createMerchant(db, 'Trial', now);
    for (const currency of CURRENCIES) await createWallet(db, id, String(currency), now);
    const { key } = await createApiKey(db, id, now);
    return { key, secret: await createSigningSecret(db, id, now) };
  });
}
