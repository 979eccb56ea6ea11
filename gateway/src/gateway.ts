/** The parts put together: store, workers and server. */
import type { FastifyInstance } from 'fastify';
import { type BackgroundWork, laterWorkers, startBackgroundWork } from './background.ts';
import type { Channel } from './channel/channel.ts';
import { type Channels, createChannels } from './channel/channels.ts';
import { simulatedChannels } from './channel/simulator.ts';
import { checkout } from './checkout/plugin.ts';
import { DEFAULTS } from './config/settings.ts';
import { type Contract, readContract } from './contract/contract.ts';
import { createMetrics, type Metrics } from './http/operational.ts';
import type { ResponseCheck } from './http/routes.ts';
import { createServer, type Limits, type Network } from './http/server.ts';
import type { Services } from './operations/operation.ts';
import type { Clock } from './platform/clock.ts';
import { createIds } from './platform/ids.ts';
import { type KeyRing, NO_KEYS } from './platform/key-ring.ts';
import { type Log, NO_LOG } from './platform/log.ts';
import { type MerchantTime, storeTime } from './platform/merchant-time.ts';
import type { Report } from './platform/report.ts';
import type { DeliveryControls } from './sandbox/operation.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { KeyPolicy } from './store/api-keys.ts';
import { countFailingTransactions } from './store/failures.ts';
import { migrate } from './store/migrate.ts';
import { sharedClock } from './store/shared-clock.ts';
import { requireReadableSecrets, UnusableSecrets } from './store/signing-secrets.ts';
import type { Store } from './store/store.ts';
import type { DeliveryOptions } from './webhooks/delivery-job.ts';

export interface GatewayOptions {
  readonly store: Store;
  readonly publicUrl: () => string;
  /** Private addresses that webhooks may be sent to: CIDRs or host names. */
  readonly callbackAllow?: readonly string[];
  readonly webhooks?: Partial<DeliveryOptions>;
  /** Days that settled webhooks are kept; 0 keeps them forever. */
  readonly retentionDays?: number;
  readonly limits?: Partial<Limits>;
  readonly network?: Partial<Network>;
  /** Which API keys are accepted. Defaults to test keys, without the demo's. */
  readonly keyPolicy?: Partial<KeyPolicy>;
  /** Encrypt and decrypt the signing secrets. Without them, secrets are stored in the clear. */
  readonly secretKeys?: KeyRing;
  readonly log?: Log;
  /** Makes ids, keys and everything random from this text, so that two runs have the same. Never with live keys. */
  readonly seed?: string | undefined;
  /** Instead of the time that all processes on the store share. */
  readonly clock?: Clock;
  /** Instead of the simulated ones; every channel that a method names must be there. */
  readonly channels?: readonly Channel[];
  /** Secrets of the simulated channels by their names; those without one take no notifications. */
  readonly channelSecrets?: ReadonlyMap<string, string>;
  /** Milliseconds that a call of the channel may take. */
  readonly channelMsMax?: number | undefined;
  /** Milliseconds that connections may stay open when the gateway closes. */
  readonly closeMsMax?: number;
  readonly checkResponse?: ResponseCheck;
  /** Adds the sandbox's operations. Only where no money moves. */
  readonly sandbox?: boolean;
}

export interface Gateway {
  readonly app: FastifyInstance;
  readonly store: Store;
  /** The present of each merchant, which signatures are dated with. */
  readonly time: MerchantTime;
  /** Resolves when no transaction and no delivery is due. For tests. */
  idle(): Promise<void>;
  /**
   * Reports that the gateway isn't ready, and continues to serve for this many milliseconds or until the signal is aborted, so
   * that load balancers can take it out before it closes.
   */
  drain(ms: number, signal?: AbortSignal): Promise<void>;
  /** Stops accepting, finishes what is under way, and closes the store. */
  close(): Promise<void>;
}

/** Connections that are still open after this are cut when the gateway closes. */
const CLOSE_MS_MAX = 5_000;

const NEVER = new AbortController().signal;

/** Migrates the store and starts the workers; the server is ready to listen. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { store, publicUrl, log = NO_LOG } = options;
  requireTestKeys(options);
  await migrate(store);
  const stopping = new AbortController();
  const clock = options.clock ?? (await sharedClock(store, stopping.signal));
  await checkSecrets(options, clock.now());
  const metrics = createMetrics(() => countFailingTransactions(store.read));
  const report: Report = (error, about) => {
    metrics.jobFailures.inc({ job: String(about?.['job']) });
    log.error({ err: error, ...about }, 'background work failed');
  };
  let started: BackgroundWork | undefined;
  const wake = () => started?.wake();
  const limits = { ...DEFAULTS, ...options.limits };
  const parts = options.sandbox ? await loadSandbox() : undefined;
  const sandbox = await parts?.openSandbox(store, clock, { wake, ...limits }, stopping.signal);
  const services: Services = {
    ...{ store, clock, report },
    workers: laterWorkers(() => started),
    onStep: sandbox?.onStep,
    time: sandbox?.time ?? storeTime(clock),
    ids: createIds(options.seed),
    channels: channelsOf(options, metrics, sandbox),
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
    consoleSessions: sandbox !== undefined,
    metrics,
    addPages: async (app, rates, authentication) => {
      await app.register(checkout, { prefix: '/checkout', services, rates, log });
      await sandbox?.addRoutes(app, {
        ...{ rates, authentication },
        services: {
          ...services,
          ...{ wake, bundle: contract.bundle, publicUrl, secretKeys: options.secretKeys ?? NO_KEYS },
          deliveries: controlsOf(() => work.deliveries),
        },
      });
      const demo = options.keyPolicy?.demo === true;
      if (parts) await app.register(parts.consolePages, { prefix: '/console', services, rates, demo });
    },
    checkResponse: options.checkResponse,
    ...(sandbox && { requestFaults: sandbox.requestFaults, onDrain: sandbox.endStreams }),
  });
  const work = startBackgroundWork(services, {
    deliveries: deliveryOptions(options, contract, metrics, sandbox),
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
      await Promise.all([app.close(), work.stop()]);
      clearTimeout(late);
      stopping.abort();
      await store.close();
    },
  };
}

/** What only a gateway with a sandbox needs; others start faster, and take less memory, without loading it. */
async function loadSandbox() {
  const [{ openSandbox }, { consolePages }] = await Promise.all([
    import('./sandbox/sandbox.ts'),
    import('./console/plugin.ts'),
  ]);
  return { openSandbox, consolePages };
}

/** Throws for what is for tests only where live keys are accepted. */
function requireTestKeys({ keyPolicy, seed, sandbox }: GatewayOptions): void {
  const forTests = [seed && 'a seed', sandbox && 'a sandbox'].find(Boolean);
  if (forTests && keyPolicy?.live) throw new Error(`a gateway with live keys must not have ${forTests}`);
}

function channelsOf(options: GatewayOptions, { channelCalls }: Metrics, sandbox: Sandbox | undefined): Channels {
  const channels = options.channels ?? simulatedChannels(options.channelSecrets);
  return createChannels(sandbox ? channels.map(sandbox.condition) : channels, {
    callMsMax: options.channelMsMax,
    onCall: (call) => channelCalls.inc({ ...call }),
  });
}

/** The deliveries begin after the server, which refuses to start if its handlers and the contract differ. */
function controlsOf(deliveries: () => DeliveryControls): DeliveryControls {
  return {
    isClaimed: (eventId) => deliveries().isClaimed(eventId),
    sendNow: (message) => deliveries().sendNow(message),
    forgetKeys: (merchantId) => deliveries().forgetKeys(merchantId),
  };
}

function deliveryOptions(
  options: GatewayOptions,
  { bundle }: Contract,
  { deliveries }: Metrics,
  sandbox: Sandbox | undefined,
): DeliveryOptions {
  return {
    bundle,
    ...(options.secretKeys && { secretKeys: options.secretKeys }),
    allow: options.callbackAllow ?? [],
    log: options.log ?? NO_LOG,
    onAttempt: (attempt) => {
      deliveries.inc({ outcome: attempt.outcome });
      sandbox?.onAttempt(attempt);
    },
    faults: sandbox?.webhookFaults,
    keepAttempts: sandbox !== undefined,
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
