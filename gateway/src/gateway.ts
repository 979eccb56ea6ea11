/** The parts put together: store, workers and server. */

import type { FastifyInstance } from 'fastify';
import { adminRoutes } from './admin/plugin.ts';
import { type BackgroundWork, laterWorkers, startBackgroundWork } from './background.ts';
import { type Channel, plainChannel } from './channel/channel.ts';
import { type Channels, createChannels, requireChannels } from './channel/channels.ts';
import { requireDefinition } from './channel/definition.ts';
import { simulatedChannels } from './channel/simulator.ts';
import { checkout } from './checkout/plugin.ts';
import { DEFAULTS } from './config/settings.ts';
import { contractMethods, type Methods, sandboxMethods } from './domain/methods.ts';
import type { DeliveryControls, Guest, MerchantPolicy } from './guest.ts';
import type { HostNames } from './http/host-check.ts';
import { createMetrics, type MetricSources, type Metrics } from './http/operational.ts';
import type { ResponseCheck } from './http/routes.ts';
import { createServer, type Limits, type Network } from './http/server.ts';
import { mountSandbox } from './mount-sandbox.ts';
import type { Services } from './operations/operation.ts';
import type { Clock } from './platform/clock.ts';
import { createIds } from './platform/ids.ts';
import { type KeyRing, NO_KEYS } from './platform/key-ring.ts';
import { type Log, NO_LOG } from './platform/log.ts';
import { type MerchantTime, storeTime } from './platform/merchant-time.ts';
import { clearTimeout, setTimeout } from './platform/native-timers.ts';
import type { Report } from './platform/report.ts';
import type { KeyPolicy } from './store/access/api-keys.ts';
import { modeFor, requireMode } from './store/access/mode.ts';
import { requireReadableSecrets, UnusableSecrets } from './store/access/signing-secrets.ts';
import { countFailingTransactions } from './store/books/failures.ts';
import { oldestDueMs } from './store/books/lag.ts';
import { prepareSchema } from './store/engine/migrate.ts';
import { sharedClock } from './store/engine/shared-clock.ts';
import type { Database, Store } from './store/engine/store.ts';
import type { DeliveryOptions } from './webhooks/delivery-job.ts';
import { type Contract, readContract } from './wire/contract.ts';

export interface GatewayOptions {
  readonly store: Store;
  /** Brings an older schema up to date. By default it does. */
  readonly migrate?: boolean;
  readonly publicUrl: () => string;
  /** Private addresses that webhooks may be sent to: CIDRs or host names. */
  readonly callbackAllow?: readonly string[];
  readonly webhooks?: Partial<DeliveryOptions>;
  /** Days that settled webhooks are kept; 0 keeps them forever. */
  readonly retentionDays?: number;
  readonly limits?: Partial<Limits>;
  readonly network?: Partial<Network>;
  /** API keys to accept. Defaults to test keys, without the demo's. */
  readonly keyPolicy?: Partial<KeyPolicy>;
  /** Encrypt and decrypt the signing secrets. Without them, secrets are stored in the clear. */
  readonly secretKeys?: KeyRing;
  readonly log?: Log;
  /** Makes ids, keys and everything random from this text, so that two runs have the same. Never with live keys. */
  readonly seed?: string | undefined;
  /** Instead of the time that all processes on the store share. */
  readonly clock?: Clock;
  /** Defaults to the contract's methods, or to those of a sandbox if `channels` isn't given. */
  readonly methods?: Methods | undefined;
  /** Every channel that a method names. Defaults to simulated ones, but never with live keys. */
  readonly channels?: readonly Channel[] | undefined;
  /** Secrets of the simulated channels by their names; those without one take no notifications. */
  readonly channelSecrets?: ReadonlyMap<string, string>;
  /** Milliseconds that a call of the channel may take. */
  readonly channelMsMax?: number | undefined;
  /** Milliseconds that connections may stay open when the gateway closes. */
  readonly closeMsMax?: number;
  readonly checkResponse?: ResponseCheck;
  /** Adds the sandbox's operations. Only where no money moves. */
  readonly sandbox?: boolean;
  /** Rules for creating merchants in the sandbox without an account: a key, how many, and for how long. */
  readonly sandboxMerchants?: Partial<MerchantPolicy>;
}

export interface Gateway {
  readonly app: FastifyInstance;
  readonly store: Store;
  /** The present of each merchant, and the time that its signatures have. */
  readonly time: MerchantTime;
  /** Resolves when no transaction and no delivery is due. For tests. */
  idle(): Promise<void>;
  /**
   * Reports that the gateway isn't ready, and continues to serve for this many milliseconds or until the signal is aborted, so
   * that load balancers can take it out before it closes.
   */
  drain(ms: number, signal?: AbortSignal): Promise<void>;
  /** Stops accepting, finishes what is under way, and closes the store. Rejects afterwards if the server or the work failed to end. */
  close(): Promise<void>;
}

/** Connections that are still open after this are cut when the gateway closes. */
const CLOSE_MS_MAX = 5_000;

const NEVER = new AbortController().signal;

/**
 * Migrates the store and starts the workers; the server is ready to listen. Throws UnknownSchema if the schema is newer, or older
 * and not to be migrated, WrongMode or UndecidedMode if the
 * database may be live and the gateway isn't, or the other way around, and UnusableDefinition, before it touches the
 * database, if a method or a channel is wrong, if they don't fit each other, or if they simulate with live keys.
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  requireTestKeys(options);
  const carriers = carriersOf(options);
  const { store, keyPolicy } = options;
  await prepareSchema(store, { upgrade: options.migrate ?? true });
  await store.unit((db) => requireMode(db, modeFor({ live: keyPolicy?.live === true })));
  const stopping = new AbortController();
  try {
    return await assemble(options, carriers, stopping);
  } catch (error) {
    // The clock and the sandbox ask the database from time to time, which would keep the process alive.
    stopping.abort();
    throw error;
  }
}

/** Puts the parts together. They run until `stopping` is aborted. */
async function assemble(options: GatewayOptions, carriers: Carriers, stopping: AbortController): Promise<Gateway> {
  const { store, publicUrl, log = NO_LOG } = options;
  const clock = options.clock ?? (await sharedClock(store, stopping.signal));
  await checkSecrets(options, clock.now());
  const metrics = createMetrics(metricSources(store.read, clock));
  const report: Report = (error, about) => {
    metrics.jobFailures.inc({ job: String(about?.['job']) });
    log.error({ err: error, ...about }, 'background work failed');
  };
  let started: BackgroundWork | undefined;
  const wake = () => started?.wake();
  const limits = { ...DEFAULTS, ...options.limits };
  const guest = await guestOf(options, clock, wake, stopping.signal);
  const services: Services = {
    ...{ store, clock, report, methods: carriers.methods },
    workers: laterWorkers(() => started),
    onStep: guest?.onStep,
    time: guest?.time ?? storeTime(clock),
    ids: createIds(options.seed),
    channels: channelsOf(carriers, options, metrics, guest),
    checkoutUrl: (token) => `${publicUrl()}/checkout/${token}`,
  };
  const contract = readContract();
  const { app, lifecycle } = await createServer({
    contract,
    services,
    log,
    limits,
    network: options.network ?? {},
    keyPolicy: options.keyPolicy ?? {},
    consoleSessions: guest !== undefined,
    // All else needs a key or a token that is secret.
    hostNames: guest || options.keyPolicy?.demo ? hostNamesOf(options) : undefined,
    metrics,
    addPages: async (app, { rates, authentication, unavailability }) => {
      const administration = {
        ...{ ...services, wake, secretKeys: options.secretKeys ?? NO_KEYS },
        deliveries: controlsOf(() => started?.deliveries),
      };
      await app.register(checkout, { prefix: '/checkout', services, rates, log, unavailability });
      await app.register(adminRoutes, { services: { ...administration, log }, rates });
      await guest?.addPages(app, {
        ...{ rates, authentication, corsOrigins: options.network?.corsOrigins ?? [] },
        demo: options.keyPolicy?.demo === true,
        services: { ...administration, bundle: contract.bundle, publicUrl },
      });
    },
    checkResponse: options.checkResponse,
    requestFaults: guest?.requestFaults,
    onDrain: guest?.onDrain,
  });
  const work = startBackgroundWork(services, {
    deliveries: deliveryOptions(options, contract, metrics, guest),
    retention: {
      days: options.retentionDays ?? DEFAULTS.retentionDays,
      onDeleted: (events) => metrics.eventsDeleted.inc(events),
      log,
    },
  });
  started = work;
  return {
    ...{ app, store, time: services.time },
    idle: () => work.idle(),
    drain: (ms, signal = NEVER) => lifecycle.drain(ms, signal),
    async close() {
      // A client that is slow to send its request must not hold up the end.
      const late = setTimeout(() => app.server.closeAllConnections(), options.closeMsMax ?? CLOSE_MS_MAX);
      const ended = await Promise.allSettled([app.close(), work.stop()]);
      clearTimeout(late);
      stopping.abort();
      await store.close();
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
    },
  };
}

async function guestOf(
  { store, sandbox, sandboxMerchants, limits }: GatewayOptions,
  clock: Clock,
  wake: () => void,
  signal: AbortSignal,
): Promise<Guest | undefined> {
  if (!sandbox) return undefined;
  const { requestsPerSecond } = { ...DEFAULTS, ...limits };
  const merchantPolicy = { ...DEFAULTS, ...sandboxMerchants };
  return mountSandbox(store, clock, { wake, requestsPerSecond, merchantPolicy }, signal);
}

function metricSources(db: Database, clock: Clock): MetricSources {
  return { failing: () => countFailingTransactions(db), oldestDueMs: () => oldestDueMs(db, clock.now()) };
}

function hostNamesOf({ network = {}, publicUrl }: GatewayOptions): HostNames {
  const { host = DEFAULTS.host, allowedHosts = DEFAULTS.allowedHosts } = network;
  return { host, allowedHosts, publicUrl };
}

/** Throws for what is for tests only where live keys are accepted. */
function requireTestKeys({ keyPolicy, seed, sandbox }: GatewayOptions): void {
  const forTests = [seed && 'a seed', sandbox && 'a sandbox'].find(Boolean);
  if (forTests && keyPolicy?.live) throw new Error(`a gateway with live keys must not have ${forTests}`);
}

export interface Carriers {
  readonly methods: Methods;
  readonly channels: readonly Channel[];
}

/** The methods, and the channels that carry them. Throws UnusableDefinition for those that no gateway may start with. */
export function carriersOf(
  options: Pick<GatewayOptions, 'methods' | 'channels' | 'channelSecrets' | 'keyPolicy'>,
): Carriers {
  const live = options.keyPolicy?.live === true;
  const methods = options.methods ?? (options.channels || live ? contractMethods : sandboxMethods);
  const channels = options.channels ?? (live ? [] : simulatedChannels(methods, options.channelSecrets));
  requireDefinition({ methods, channels });
  requireChannels(methods, channels, live);
  return { methods, channels: channels.map(plainChannel) };
}

function channelsOf(
  { methods, channels }: Carriers,
  { channelMsMax }: GatewayOptions,
  { channelCalls }: Metrics,
  guest: Guest | undefined,
): Channels {
  return createChannels(methods, guest ? channels.map(guest.decorateChannel) : channels, {
    callMsMax: channelMsMax,
    onCall: (call) => channelCalls.inc({ ...call }),
  });
}

/** The deliveries begin after the server, which refuses to start if its handlers and the contract differ. */
function controlsOf(deliveries: () => DeliveryControls | undefined): DeliveryControls {
  return {
    sendNow(message) {
      const begun = deliveries();
      if (!begun) throw new Error('deliveries have not begun');
      return begun.sendNow(message);
    },
    forgetKeys: (merchantId) => deliveries()?.forgetKeys(merchantId),
  };
}

function deliveryOptions(
  options: GatewayOptions,
  { bundle }: Contract,
  { deliveries }: Metrics,
  guest: Guest | undefined,
): DeliveryOptions {
  return {
    bundle,
    ...(options.secretKeys && { secretKeys: options.secretKeys }),
    allow: options.callbackAllow ?? [],
    log: options.log ?? NO_LOG,
    onAttempt: (attempt) => {
      deliveries.inc({ outcome: attempt.outcome });
      guest?.onAttempt(attempt);
    },
    onUnsigned: () => deliveries.inc({ outcome: 'unsigned' }),
    detour: guest?.detour,
    keepExchanges: guest !== undefined,
    ...options.webhooks,
  };
}

/** A missing key must not come out with the first webhook. */
async function checkSecrets({ store, secretKeys = NO_KEYS, keyPolicy, log }: GatewayOptions, now: number) {
  const inClear = await requireReadableSecrets(store.read, secretKeys, now);
  if (inClear === 0) return;
  if (keyPolicy?.live) throw new UnusableSecrets([`signing secrets stored in the clear: ${inClear}`]);
  if (secretKeys.ids.length > 0) {
    log?.warn(
      { signing_secrets: inClear },
      'signing secrets are stored in the clear; run: payments-gateway secret reencrypt',
    );
  }
}
