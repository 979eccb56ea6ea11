/** A gateway inside the process that asks for it, such as a test's: listening, with a merchant, and gone when closed. */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateMerchantRequest } from '../../generated/sandbox/types.ts';
import { openStore } from './database/open-store.ts';
import type { Store } from './database/store.ts';
import { createGateway } from './gateway.ts';
import { systemClock } from './platform/clock.ts';
import { isLoopback } from './platform/loopback.ts';
import { requireNativeTimers } from './platform/native-timers.ts';
import { type Access, callSandbox } from './sandbox-client/client.ts';
import { openInbox } from './sandbox-client/endpoint.ts';
import type { WebhookInbox } from './sandbox-client/inbox.ts';
import { type SandboxVerbs, sandboxVerbs } from './sandbox-client/verbs.ts';

export interface StartGatewayOptions {
  /** Defaults to 0, which selects a free port. */
  readonly port?: number;
  /** Defaults to 127.0.0.1. */
  readonly host?: string;
  /** Further names under which others reach it, such as `host.docker.internal`. Loopback names and `host` are always served. */
  readonly allowedHosts?: readonly string[];
  /** `memory`, which is the default and forgets everything on close, a path of an SQLite file, or a postgres:// URL. */
  readonly store?: 'memory' | (string & {});
  /**
   * Makes keys, secrets and everything random from this text, so that two runs have the same. Ids also contain the time:
   * freeze the clock at the same time to get the same transaction ids for the same orders. Defaults to random ones.
   */
  readonly seed?: string;
}

/** A gateway with its first merchant. */
export interface RunningGateway extends MerchantAccess {
  /** Creates another merchant with a wallet for each currency. `available` sets the initial balances in minor units. */
  addMerchant(request?: CreateMerchantRequest): Promise<MerchantAccess>;
  /** Completes requests and webhooks in flight, then stops. */
  close(): Promise<void>;
}

/** A merchant with a wallet for each currency, and the simulations of its transactions, clock and channels. */
export interface MerchantAccess extends SandboxVerbs {
  /** Base URL of the API, without a slash at its end. */
  readonly url: string;
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
/** Each test may have one, in a run of many. */
const MERCHANTS_MAX = 100_000;
/** Linux keeps these files in memory. */
const MEMORY = '/dev/shm';

/** Folders of in-memory databases. An interrupted test run closes none of them. */
const FOLDERS = new Set<string>();

function removeFolders(): void {
  for (const folder of FOLDERS) rmSync(folder, { recursive: true, force: true });
}

/** Starts a gateway. Several can run in one process, isolated unless they share a store. */
export async function startGateway(options: StartGatewayOptions = {}): Promise<RunningGateway> {
  requireNativeTimers();
  const { port = 0, host = '127.0.0.1', allowedHosts = [] } = options;
  // Others who can reach it use the merchants of this process, and create none.
  const sandboxKey = isLoopback(host) ? '' : randomBytes(32).toString('base64url');
  const { store, remove } = await openTestStore(options.store ?? 'memory');
  let url = '';
  const gateway = await createGateway({
    store,
    publicUrl: () => url,
    seed: options.seed,
    callbackAllow: CALLBACK_ALLOW,
    network: { host, allowedHosts },
    sandboxMerchants: { sandboxKey, sandboxMerchantsMax: MERCHANTS_MAX },
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
    await gateway.listen({ host, port });
    url = `http://${host.includes(':') ? `[${host}]` : host}:${(gateway.server.address() as AddressInfo).port}`;
    const addMerchant = async (request: CreateMerchantRequest = {}) => {
      const merchant = await createMerchant({ url, key: sandboxKey }, request);
      inboxes.push(merchant.webhooks);
      return merchant;
    };
    return { ...(await addMerchant()), addMerchant, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openTestStore(name: string): Promise<{ store: Store; remove: () => Promise<void> }> {
  if (name !== 'memory') return { store: await openStore(name), remove: async () => {} };
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), `payments-gateway-${process.pid}-`));
  if (FOLDERS.size === 0) process.on('exit', removeFolders);
  FOLDERS.add(folder);
  return {
    store: await openStore(join(folder, 'payments.db')),
    async remove() {
      FOLDERS.delete(folder);
      if (FOLDERS.size === 0) process.off('exit', removeFolders);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createMerchant(access: Access, body: CreateMerchantRequest): Promise<MerchantAccess> {
  const { key, secret } = await callSandbox(access, 'createMerchant', { body });
  const { url } = access;
  const verbs = sandboxVerbs({ url, key });
  const webhooks = await openInbox(secret, async () => {
    const { signatures, now } = await verbs.clock.read();
    return signatures === 'merchant' ? Date.parse(now) : systemClock.now();
  });
  return { url, key, secret, webhooks, ...verbs };
}
