/** Assembles a gateway: store, workers and HTTP app. The caller adds the server and the metrics. */
import type { Hono } from 'hono';
import type { Channel } from './channels/channel.ts';
import { createChannels, requireChannels } from './channels/channels.ts';
import { requireDefinition } from './channels/definition.ts';
import { Pauses } from './channels/pauses.ts';
import { withCheckedResults } from './channels/results.ts';
import { simulatedChannels } from './channels/simulator.ts';
import { type PageFiles, pageFrame } from './checkout/page.ts';
import { checkoutApp } from './checkout/routes.ts';
import { prepareSchema } from './database/migrate.ts';
import { sharedClock } from './database/shared-clock.ts';
import { type Store, withKeys } from './database/store.ts';
import { contractMethods, type Methods, sandboxMethods } from './domain/methods.ts';
import { type App, createApp } from './http/app.ts';
import type { HostNames } from './http/browser-checks.ts';
import type { Call, HttpEnv, OperationHandler } from './http/context.ts';
import { readWireContract, type WireContract } from './http/contract.ts';
import type { ReadDocument } from './http/gateway-apis.ts';
import type { Metrics } from './http/metrics.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { ResponseCheck } from './http/routes.ts';
import { getBalance } from './ledger/wallets.ts';
import { AuditQueue } from './management/audit.ts';
import { pauseIfRestored } from './management/restores.ts';
import { addManagementRoutes } from './management/routes.ts';
import type { KeyPolicy } from './merchants/api-keys.ts';
import { requireMode, toMode } from './merchants/mode.ts';
import { requireReadableSecrets, UnusableSecrets } from './merchants/signing-secrets.ts';
import { clarifyPayment, confirmPayment, createPayment, findPayment, getPayment } from './payments/payments.ts';
import { createPayout, getPayout } from './payouts/payouts.ts';
import { type Clock, type ClockJump, ClockJumps, systemClock, watchMachineClock } from './platform/clock.ts';
import { createIds } from './platform/ids.ts';
import type { KeyRing } from './platform/key-ring.ts';
import type { Log, ReportFailure } from './platform/log.ts';
import { type MerchantTime, storeTime } from './platform/merchant-time.ts';
import type { Tracer } from './platform/tracing.ts';
import type { Sandbox, SandboxParts } from './sandbox/sandbox.ts';
import { type BackgroundWork, deferWorkers, startBackgroundWork } from './transactions/background.ts';
import { addChannelNotifications } from './transactions/channel-notifications.ts';
import { recordPersonalKey } from './transactions/personal-data.ts';
import type { Services } from './transactions/services.ts';
import type { DeliveryControls, DeliveryOptions } from './webhooks/delivery-job.ts';
import type { OpenSender } from './webhooks/sender.ts';

/** Options of every gateway, regardless of the transport. */
export interface SharedOptions {
  readonly store: Store;
  /** Brings an older schema up to date. By default it does. */
  readonly migrate?: boolean;
  readonly publicUrl: () => string;
  /** Base URL of the reference, where problem types lead. Defaults to the contract's. */
  readonly referenceUrl?: (() => string) | undefined;
  readonly webhooks?: Partial<DeliveryOptions>;
  /** API keys to accept. Defaults to test keys, without the demo's. */
  readonly keyPolicy?: Partial<KeyPolicy>;
  /** Encrypt signing secrets and personal data, and hash search keys. Without them, both are stored in the clear. */
  readonly secretKeys?: KeyRing;
  /** Makes ids, keys and everything random from this text, so that two runs have the same. Never with live keys. */
  readonly seed?: string | undefined;
  /** Replaces the machine's clock and the database's. */
  readonly clock?: Clock;
  /** The machine's uptime in milliseconds, including suspension. Without it, jumps of the clocks aren't detected. */
  readonly uptime?: (() => number) | undefined;
  /** Defaults to the contract's methods, or to the sandbox's if `channels` isn't given. */
  readonly methods?: Methods | undefined;
  /** Every channel that a method names. Defaults to simulated ones, but never with live keys. */
  readonly channels?: readonly Channel[] | undefined;
  /** Secrets of the simulated channels by their names; those without one take no notifications. */
  readonly channelSecrets?: ReadonlyMap<string, string>;
  /** Milliseconds that a call of the channel may take. */
  readonly channelMsMax?: number | undefined;
  readonly checkResponse?: ResponseCheck;
  /** Begins the spans of traces. By default, there are none. */
  readonly tracer?: Tracer | undefined;
}

export interface CoreOptions extends SharedOptions {
  readonly log: Log;
  /** Opens what carries webhooks to their endpoints. */
  readonly openSender: OpenSender;
  /** Creates the metrics. */
  readonly measure: (measured: Pick<Services, 'store' | 'clock' | 'methods'> & { readonly machine: Clock }) => Metrics;
  readonly bodyBytesMax: number;
  /** Requests of one API key in a second. */
  readonly requestsPerSecond: number;
  /** Days that settled webhooks are kept; 0 keeps them forever. */
  readonly retentionDays: number;
  /** Origins whose pages may call the API, or `*`. */
  readonly corsOrigins: readonly string[];
  /** Path of the URL that the gateway is reached at, which its routes don't have. */
  readonly basePath?: string;
  /** Origin at which browsers reach the gateway, if it is known. */
  readonly publicOrigin?: string | undefined;
  /** The names that it serves where something works without a secret. */
  readonly hostNames: HostNames;
  readonly readDocument: ReadDocument;
  /** Style and script of the payment page. */
  readonly pageFiles: PageFiles;
  /** Creates the sandbox. Only where no money moves. */
  readonly openSandbox?: ((parts: Omit<SandboxParts, 'merchantPolicy'>) => Sandbox) | undefined;
  /** Adds the console, whose sessions are accepted then. */
  readonly mountConsole?: MountConsole | undefined;
}

export type MountConsole = (
  app: Hono<HttpEnv>,
  options: {
    readonly services: Pick<Services, 'store' | 'clock' | 'methods'>;
    readonly rates: RateLimits;
    readonly keyPolicy: KeyPolicy;
    readonly sandbox: boolean;
  },
) => Promise<void>;

export interface Core {
  readonly store: Store;
  /** For operations that no request carries out. */
  readonly services: Services;
  /** The present of each merchant, and the time that its signatures have. */
  readonly time: MerchantTime;
  readonly contract: WireContract;
  readonly metrics: Metrics;
  readonly app: App;
  /** Resolves when no transaction and no delivery is due. For tests. */
  idle(): Promise<void>;
  /**
   * Reports that the gateway isn't ready, and continues to serve for this many milliseconds or until the signal is aborted, so
   * that load balancers can take it out before it closes.
   */
  drain(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Rejects new requests, finishes requests in flight, stops the workers, and closes the store. Rejects afterwards if
   * any step failed.
   */
  close(ending?: ShutdownOptions): Promise<void>;
}

/** The end of a gateway. */
export interface ShutdownOptions {
  /** Closes what requests come from. Resolves when all responses are sent. */
  readonly closeServer?: () => Promise<void>;
  /** Aborted when the drain timeout ends. */
  readonly late?: AbortSignal;
}

const NEVER = new AbortController().signal;

/**
 * Migrates the store and starts the workers. Throws UnknownSchema if the schema is newer, or older and not to be
 * migrated, and WrongMode if the database is live and the gateway isn't, or the other way around. Throws
 * UnusableDefinition before it uses the database if a method or a channel is wrong, if they don't fit each other, or if
 * they simulate with live keys.
 */
export async function createCore(given: CoreOptions): Promise<Core> {
  requireTestKeys(given);
  const methodsAndChannels = resolveMethodsAndChannels(given);
  const { keyPolicy } = given;
  const store = given.secretKeys ? withKeys(given.store, given.secretKeys) : given.store;
  const options = { ...given, store };
  await prepareSchema(store, { upgrade: options.migrate ?? true });
  await store.unit((db) => requireMode(db, toMode({ live: keyPolicy?.live === true })));
  const stopping = new AbortController();
  try {
    return await assemble(options, methodsAndChannels, stopping);
  } catch (error) {
    // The clock and the sandbox ask the database from time to time, which would keep the process alive.
    stopping.abort();
    throw error;
  }
}

/** Puts the parts together. They run until `stopping` is aborted. */
async function assemble(
  options: CoreOptions,
  methodsAndChannels: MethodsAndChannels,
  stopping: AbortController,
): Promise<Core> {
  const { store, log } = options;
  const { clock, machine, recentJump } = await openClocks(options, stopping.signal, (jump) => {
    metrics.clockJumps.inc({ clock: jump.clock });
    log.error({ clock: jump.clock, jump_ms: jump.ms }, 'a clock has jumped');
  });
  await checkSecrets(options, clock.now());
  if (await pauseIfRestored(store, clock.now())) log.warn({}, 'payouts are paused: the database was restored');
  const metrics = options.measure({ store, clock, machine, methods: methodsAndChannels.methods });
  const report: ReportFailure = (error, about) => {
    metrics.jobFailures.inc({ work: String(about?.['job']) });
    log.error({ err: error, ...about }, 'background work failed');
  };
  let started: BackgroundWork | undefined;
  const wake = () => started?.wake();
  const { requestsPerSecond } = options;
  const sandbox = options.openSandbox?.({ store, clock, machine, log, wake, requestsPerSecond });
  const services: Services = {
    ...createServices(options, methodsAndChannels, metrics, sandbox),
    ...{ clock, report },
    time: sandbox?.time ?? storeTime(clock, machine),
    workers: deferWorkers(() => started),
  };
  const contract = readWireContract(options.readDocument('contract'), options.referenceUrl);
  const deliveries = createDeliveryControls(() => started?.deliveries);
  const app = await openHttp(options, { contract, services, metrics, recentJump, sandbox, wake, deliveries });
  const work = {
    begin() {
      const { retentionDays: days } = options;
      const onDeleted = (events: number) => metrics.eventsDeleted.inc({}, events);
      started = startBackgroundWork(services, {
        deliveries: deliveryOptions(options, contract, metrics, sandbox),
        retention: { days, onDeleted, log },
      });
    },
    async end() {
      const ending = started;
      started = undefined;
      await ending?.stop();
    },
  };
  if (sandbox) await sandbox.serve(work, stopping.signal);
  else work.begin();
  const { lifecycle } = app;
  return {
    ...{ store, services, time: services.time, contract, metrics, app },
    idle: async () => started?.idle(),
    drain: (ms, signal = NEVER) => lifecycle.drain(ms, signal),
    async close({ closeServer = async () => undefined, late = NEVER } = {}) {
      lifecycle.close();
      const http = Promise.all([closeServer(), lifecycle.idle(late)]).finally(() => sandbox?.close());
      const ended = await Promise.allSettled([http, started?.stop()]);
      stopping.abort();
      await sandbox?.release();
      await store.close();
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
    },
  };
}

/** The services without the clocks and the workers. */
function createServices(
  { store, publicUrl, seed, tracer, channelMsMax }: CoreOptions,
  { methods, channels }: MethodsAndChannels,
  metrics: Metrics,
  sandbox: Sandbox | undefined,
): Omit<Services, 'clock' | 'report' | 'time' | 'workers'> {
  const checked = channels.map(withCheckedResults);
  return {
    ...{ methods, tracer },
    store: sandbox?.store ?? store,
    ids: createIds(seed),
    channels: createChannels(methods, sandbox ? checked.map((channel) => sandbox.wrapChannel(channel)) : checked, {
      callMsMax: channelMsMax,
      onCall: ({ seconds, ...call }) => metrics.channelCalls.labels(call).observe(seconds),
    }),
    pauses: new Pauses(store.read),
    checkoutUrl: (token) => `${publicUrl()}/checkout/${token}`,
    onStep(step, eventId) {
      metrics.onStep(step);
      sandbox?.onStep(step, eventId);
    },
  };
}

interface HttpParts {
  readonly contract: WireContract;
  readonly services: Services;
  readonly metrics: Metrics;
  readonly recentJump: Clocks['recentJump'];
  readonly sandbox: Sandbox | undefined;
  readonly wake: () => void;
  readonly deliveries: DeliveryControls;
}

/** The API, the payment page, the console, the management API, and the sandbox's routes. */
async function openHttp(options: CoreOptions, parts: HttpParts) {
  const { contract, services, metrics, recentJump, sandbox, wake, deliveries } = parts;
  const { log, publicUrl, bodyBytesMax, corsOrigins, readDocument, keyPolicy = {} } = options;
  const demo = keyPolicy.demo === true;
  const { mountConsole } = options;
  const app = createApp({
    ...{
      contract,
      services,
      handlers: bindOperations(services),
      log,
      metrics,
      recentJump,
      bodyBytesMax,
      corsOrigins,
      keyPolicy,
      basePath: options.basePath,
      publicOrigin: options.publicOrigin,
    },
    requestsPerSecond: options.requestsPerSecond,
    consoleSessions: sandbox !== undefined && mountConsole !== undefined,
    // All other routes require a key or a secret token.
    hostNames: sandbox || demo ? options.hostNames : undefined,
    checkResponse: options.checkResponse,
    requestFaults: sandbox?.requestFaults,
    obstacle: sandbox && (() => sandbox.obstacle),
    onDrain: sandbox && (() => sandbox.onDrain()),
  });
  const { routes, rates, authentication, unavailability } = app;
  addChannelNotifications(routes, services, rates, bodyBytesMax);
  const administration = { ...services, wake, deliveries, live: keyPolicy.live === true };
  const frame = await pageFrame(options.pageFiles);
  routes.route('/checkout', checkoutApp({ services, rates, log, unavailability, frame }));
  const policy = { live: false, demo, ...keyPolicy };
  await mountConsole?.(routes, { services, rates, keyPolicy: policy, sandbox: sandbox !== undefined });
  const managed = sandbox?.addRoutes(
    routes,
    { ...administration, bundle: contract.bundle, publicUrl },
    { rates, authentication, corsOrigins, bodyBytesMax, readDocument },
  );
  if (sandbox) app.onResponse((c) => sandbox.onResponse(c));
  addManagementRoutes(routes, {
    services: { ...administration, log, audits: new AuditQueue(), sandbox: managed },
    ...{ rates, authentication, bodyBytesMax, readDocument },
    live: policy.live,
    sessions: mountConsole !== undefined,
  });
  return app;
}

/** Throws if live keys are combined with test-only options. */
function requireTestKeys({ keyPolicy, seed, openSandbox }: CoreOptions): void {
  const forTests = [seed && 'a seed', openSandbox && 'a sandbox'].find(Boolean);
  if (forTests && keyPolicy?.live) throw new Error(`a gateway with live keys must not have ${forTests}`);
}

export interface MethodsAndChannels {
  readonly methods: Methods;
  readonly channels: readonly Channel[];
}

/** Returns the methods and the channels that carry them. Throws UnusableDefinition for invalid ones. */
export function resolveMethodsAndChannels(
  options: Pick<SharedOptions, 'methods' | 'channels' | 'channelSecrets' | 'keyPolicy'>,
): MethodsAndChannels {
  const live = options.keyPolicy?.live === true;
  const methods = options.methods ?? (options.channels || live ? contractMethods : sandboxMethods);
  const channels = options.channels ?? (live ? [] : simulatedChannels(methods, options.channelSecrets));
  requireDefinition({ methods, channels });
  requireChannels(methods, channels, live);
  return { methods, channels };
}

/** The deliveries begin after the server, which refuses to start if its handlers and the contract differ. */
function createDeliveryControls(deliveries: () => DeliveryControls | undefined): DeliveryControls {
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
  options: CoreOptions,
  { bundle }: WireContract,
  { deliveries }: Metrics,
  sandbox: Sandbox | undefined,
): DeliveryOptions {
  return {
    bundle,
    openSender: options.openSender,
    log: options.log,
    onAttempt: (attempt) => {
      deliveries.inc({ outcome: attempt.outcome });
      sandbox?.onAttempt(attempt);
    },
    onUnsigned: () => deliveries.inc({ outcome: 'unsigned' }),
    interceptor: sandbox && ((parts) => sandbox.interceptDeliveries(parts)),
    keepExchanges: sandbox !== undefined,
    ...options.webhooks,
  };
}

interface Clocks {
  /** The database's, which all processes on it share. */
  readonly clock: Clock;
  /** The machine's. Receivers of webhooks compare its time with their own. */
  readonly machine: Clock;
  /** Returns the last jump of either clock, for a minute. */
  readonly recentJump: () => ClockJump | undefined;
}

/** Opens both clocks, and watches them for jumps until the signal is aborted. */
async function openClocks(
  { store, clock, uptime }: CoreOptions,
  stopped: AbortSignal,
  onJump: (jump: ClockJump) => void,
): Promise<Clocks> {
  const machine = clock ?? systemClock;
  const jumps = uptime && new ClockJumps(uptime, onJump);
  const onServerTime = (time: number) => jumps?.observe('database', time);
  const shared = clock ?? (await sharedClock(store, stopped, { onServerTime }));
  if (jumps) void watchMachineClock(jumps, machine, stopped);
  return {
    ...{ clock: shared, machine },
    recentJump() {
      jumps?.observe('machine', machine.now());
      return jumps?.recent();
    },
  };
}

/** A missing key must not come out with the first webhook. */
async function checkSecrets({ store, keyPolicy, log }: CoreOptions, now: number) {
  const secrets = await requireReadableSecrets(store.read, now);
  const isPersonalInClear = await store.unit(recordPersonalKey);
  const inClear = [
    ...(secrets > 0 ? [`signing secrets stored in the clear: ${secrets}`] : []),
    ...(isPersonalInClear ? ['personal data stored in the clear'] : []),
  ];
  if (inClear.length === 0) return;
  if (keyPolicy?.live) throw new UnusableSecrets(inClear);
  if (store.read.keys.ids.length > 0) log.warn({}, `${inClear.join('; ')}; run: payments-gateway secret reencrypt`);
}

// biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call; the routes check it before.
type Operation = (services: Services, call: Call<any, any>) => Promise<unknown>;

/** The contract's operations by operationId. The start compares this list with the contract. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  createPayment,
  findPayment,
  getPayment,
  clarifyPayment,
  confirmPayment,
  getBalance,
  createPayout,
  getPayout,
};

/** Returns the operations' handlers. */
export function bindOperations(services: Services): Readonly<Record<string, OperationHandler>> {
  const bind =
    (operation: Operation): OperationHandler =>
    (call) =>
      operation(services, call);
  return Object.fromEntries(Object.entries(OPERATIONS).map(([id, operation]) => [id, bind(operation)]));
}
