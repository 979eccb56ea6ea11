/** A gateway on Node: it listens over HTTP, has metrics for Prometheus, and reads its pages from files. */
import type { Server } from 'node:http';
import { uptime } from 'node:os';
import { readPageFiles } from './checkout/page-files.ts';
import { DEFAULTS } from './config/settings.ts';
import { type Core, type CoreOptions, createCore, type MountConsole, type SharedOptions } from './core.ts';
import type { App } from './http/app.ts';
import { readDocumentFile } from './http/gateway-apis.ts';
import { createMonitoring, type MonitoringOptions } from './monitoring/monitoring.ts';
import { type Log, NO_LOG } from './platform/log.ts';
import { clearTimeout, setTimeout } from './platform/native-timers.ts';
import type { ProxyHeader } from './platform/proxy-headers.ts';
import type { MerchantPolicy } from './sandbox/admission.ts';
import { close, createHttpServer, listen, type ServerLimits } from './server/server.ts';
import { createGuard } from './webhooks/guard.ts';
import { httpSender } from './webhooks/http-sender.ts';

export { type MethodsAndChannels, methodsAndChannelsOf } from './core.ts';

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
  const { store, publicUrl, sandbox, log = NO_LOG, network = {} } = options;
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
    ...{ store, server, services: core.services, time: core.time },
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
