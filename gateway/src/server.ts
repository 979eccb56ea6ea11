/**
 * A gateway on Node: it listens over HTTP, has metrics for Prometheus, and reads its pages from files. `startGateway`
 * starts one with a sandbox for tests.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import type { CreateMerchantRequest } from '../../generated/sandbox/types.ts';
import { type Access, callSandbox } from './api-client/client.ts';
import type { WebhookInbox } from './api-client/inbox.ts';
import { openInbox } from './api-client/inbox-server.ts';
import { createMerchantActions, type MerchantActions } from './api-client/merchant-actions.ts';
import { readPageFiles } from './checkout/page.ts';
import { DEFAULTS } from './config/settings.ts';
import { type Core, type CoreOptions, createCore, type MountConsole, type SharedOptions } from './core.ts';
import { openStore } from './database/open-store.ts';
import type { Store } from './database/store.ts';
import type { App } from './http/app.ts';
import { readDocumentFile } from './http/gateway-apis.ts';
import { createMonitoring, type MonitoringOptions } from './monitoring/monitoring.ts';
import { systemClock } from './platform/clock.ts';
import { type Log, NO_LOG } from './platform/log.ts';
import { isLoopback } from './platform/loopback.ts';
import type { ProxyHeader } from './platform/proxy-headers.ts';
import { clearTimeout, requireNativeTimers, setTimeout } from './platform/timers.ts';
import type { MerchantPolicy } from './sandbox/operation.ts';
import { close, createHttpServer, listen, type ServerLimits } from './server/server.ts';
import { createGuard } from './webhooks/guard.ts';
import { httpSender } from './webhooks/http-sender.ts';

export { type MethodsAndChannels, resolveMethodsAndChannels } from './core.ts';

export interface GatewayOptions extends SharedOptions {
  /** Private addresses that webhooks may be sent to: CIDRs or host names. */
  readonly callbackAllow?: readonly string[];
  /** Days that settled webhooks are kept; 0 keeps them forever. */
  readonly retentionDays?: number;
  readonly limits?: Partial<GatewayLimits>;
  readonly network?: Partial<NetworkOptions>;
  /**
   * Replaces the global `Request` and `Response` with @hono/node-server's, which are twice as fast. Only for a process
   * that runs nothing else.
   */
  readonly replaceGlobals?: boolean;
  readonly log?: Log;
  /** Limits of the metrics. */
  readonly metrics?: Partial<Pick<MonitoringOptions, 'cachedMs' | 'merchantsMax'>>;
  /** Milliseconds that connections may stay open when the gateway closes. */
  readonly closeMsMax?: number;
  /** Adds the sandbox's operations. Only where no money moves. */
  readonly sandbox?: boolean;
  /** Serves the console at /console. By default it does. */
  readonly console?: boolean;
  /** Rules for creating merchants in the sandbox without an account: a key, how many, and for how long. */
  readonly sandboxMerchants?: Partial<MerchantPolicy>;
}

export interface GatewayLimits extends ServerLimits {
  readonly bodyBytesMax: number;
  /** Requests of one API key in a second. */
  readonly requestsPerSecond: number;
}

/** The network between the gateway and its clients. */
export interface NetworkOptions {
  /** The address or name that it listens on. */
  readonly host: string;
  /** Additional names of this server, besides its own and the loopback names. */
  readonly allowedHosts: readonly string[];
  /** CIDRs of the reverse proxies that name the client. */
  readonly trustProxy: readonly string[];
  /** The headers in which they do. A client can forge each that they pass on. */
  readonly proxyHeaders: readonly ProxyHeader[];
  /** Base URL at which browsers reach the gateway. Without it, their origin is compared with the host of each request. */
  readonly publicUrl: string;
  /** Origins whose pages may call the API, or `*`. */
  readonly corsOrigins: readonly string[];
}

export interface Gateway
  extends Pick<Core, 'store' | 'services' | 'time' | 'idle' | 'drain'>,
    Pick<App, 'routes' | 'rates' | 'fetch'> {
  /** Node's server, which requests come from once it listens. */
  readonly server: Server;
  /** Listens, by default at 127.0.0.1. Port 0 takes a free one. Returns the address as a URL. */
  listen(options: { readonly host?: string; readonly port: number }): Promise<string>;
  /**
   * Stops accepting connections, finishes requests in flight, and closes the store. Rejects afterwards if any step
   * failed.
   */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/** Connections still open after this time are closed. */
const CLOSE_MS_MAX = 5_000;

/** A state of the database that a second Prometheus gets too. */
const METRICS = { cachedMs: 5_000, merchantsMax: 20 };

/** Its modules are loaded only where it is served. */
const mountConsole: MountConsole = async (...options) => {
  const { addConsole } = await import('./console/console.ts');
  addConsole(...options);
};

/** Its modules are loaded only with a sandbox. */
async function loadSandbox(merchantPolicy: MerchantPolicy): Promise<CoreOptions['openSandbox']> {
  const { Sandbox } = await import('./sandbox/sandbox.ts');
  return (parts) => new Sandbox({ ...parts, merchantPolicy });
}

/** Migrates the store and starts the workers; the server is ready to listen. Throws like `createCore`. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { publicUrl, sandbox, log = NO_LOG, network = {} } = options;
  const limits = { ...DEFAULTS, ...options.limits };
  const { host = DEFAULTS.host, allowedHosts = DEFAULTS.allowedHosts, corsOrigins = [] } = network;
  const { trustProxy = [], proxyHeaders = DEFAULTS.proxyHeaders } = network;
  const guard = createGuard({ allow: options.callbackAllow ?? [] });
  const core = await createCore({
    ...options,
    ...{ log, corsOrigins, bodyBytesMax: limits.bodyBytesMax, requestsPerSecond: limits.requestsPerSecond },
    retentionDays: options.retentionDays ?? DEFAULTS.retentionDays,
    openSender: httpSender(guard),
    measure: (measured) =>
      createMonitoring({
        ...{ ...measured, tracer: options.tracer, watchWallets: sandbox !== true },
        ...METRICS,
        ...options.metrics,
      }),
    hostNames: { host, allowedHosts, publicUrl },
    publicOrigin: network.publicUrl ? new URL(network.publicUrl).origin : undefined,
    readDocument: readDocumentFile,
    uptime: options.uptime ?? (options.clock ? undefined : () => uptime() * 1_000),
    pageFiles: readPageFiles(),
    openSandbox: sandbox ? await loadSandbox({ ...DEFAULTS, ...options.sandboxMerchants }) : undefined,
    mountConsole: (options.console ?? DEFAULTS.console) ? mountConsole : undefined,
  });
  const { contract, metrics, app } = core;
  const server = createHttpServer(app, {
    ...{ contract, limits, metrics, log },
    proxies: { trustProxy, proxyHeaders },
    replaceGlobals: options.replaceGlobals === true,
  });
  return {
    ...{ store: core.store, server, services: core.services, time: core.time },
    ...{ routes: app.routes, rates: app.rates, fetch: app.fetch, idle: core.idle, drain: core.drain },
    listen: ({ host: at = LOOPBACK, port }) => listen(server, { host: at, port }),
    async close() {
      const late = new AbortController();
      // A slow client must not delay the shutdown.
      const timer = setTimeout(() => {
        late.abort();
        server.closeAllConnections();
      }, options.closeMsMax ?? CLOSE_MS_MAX);
      const closed = core.close({ closeServer: () => close(server), late: late.signal });
      await closed.finally(() => clearTimeout(timer));
    },
  };
}

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
export interface MerchantAccess extends MerchantActions {
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
const TEST_CLOSE_MS_MAX = 500;
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
    closeMsMax: TEST_CLOSE_MS_MAX,
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
  const verbs = createMerchantActions({ url, key });
  const webhooks = await openInbox(secret, async () => {
    const { signatures, now } = await verbs.clock.read();
    return signatures === 'merchant' ? Date.parse(now) : systemClock.now();
  });
  return { url, key, secret, webhooks, ...verbs };
}
