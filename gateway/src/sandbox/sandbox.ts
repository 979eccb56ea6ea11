/** The sandbox of a gateway: simulations that the gateway's own parts use, and its routes. Never with LIVE. */

import type { Hono } from 'hono';
import type { Channel } from '../channels/channel.ts';
import { inBackground, type Store } from '../database/store.ts';
import type { Step } from '../domain/transaction.ts';
import type { Authentication } from '../http/auth.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import type { RequestFaults } from '../http/routes.ts';
import type { ManagedSandbox } from '../management/operation.ts';
import { expiredMerchants, nextExpiry } from '../merchants/merchants.ts';
import { toNetwork } from '../platform/cidr.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { AttemptReport } from '../webhooks/attempt.ts';
import type { DeliveryInterceptor, InterceptorParts } from '../webhooks/delivery-interceptor.ts';
import { Changes, Followers } from './changes.ts';
import { withCondition } from './channels.ts';
import { Chaos } from './chaos.ts';
import { removeMerchant } from './handlers/merchants.ts';
import { legalEvents } from './handlers/simulate.ts';
import { SandboxLease } from './lease.ts';
import { MerchantClocks } from './merchant-clocks.ts';
import type { GatewayServices, MerchantPolicy, SandboxServices } from './operation.ts';
import { createMasks } from './request-log/exchange.ts';
import { RequestLog } from './request-log/request-log.ts';
import { type Admission, addSandboxRoutes } from './routes.ts';
import { SandboxState } from './sandbox-state.ts';
import { WebhookFaults } from './webhook-faults.ts';

export interface SandboxParts {
  readonly store: Store;
  readonly clock: Clock;
  /** The machine's clock, for signatures. */
  readonly machine: Clock;
  readonly log: Log;
  readonly wake: () => void;
  /** The limit that a 429 reports. */
  readonly requestsPerSecond: number;
  readonly merchantPolicy: MerchantPolicy;
}

/** Background work of the gateway, for which one process at a time serves the sandbox. */
interface ServedWork {
  begin(): void;
  end(): Promise<void>;
}

export class Sandbox {
  /** The store for work that only the process that serves the sandbox may do. */
  readonly store: Store;
  /** The time of each merchant, instead of the store's. */
  readonly time: SandboxState;
  readonly requestFaults: RequestFaults;
  readonly #parts: SandboxParts;
  readonly #lease: SandboxLease;
  readonly #followers: Followers;
  readonly #changes: Changes;
  #requests: RequestLog | undefined;
  #startExpiry: (stopped: AbortSignal) => Promise<void> = async () => undefined;
  #serving = new AbortController();
  #expiry = Promise.resolve();

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.#lease = new SandboxLease(parts);
    this.store = this.#lease.store;
    this.time = new SandboxState({ ...parts, store: this.store });
    this.requestFaults = new Chaos(this.time, parts.requestsPerSecond).faults;
    this.#followers = new Followers(parts.clock);
    this.#changes = new Changes(this.time, this.#followers);
    this.time.onChange((merchantId) => this.#changes.onSettings(merchantId));
  }

  /** Why this process doesn't serve the sandbox; undefined if it does. */
  get obstacle(): string | undefined {
    return this.#lease.obstacle;
  }

  /** The channel as merchants reach it. */
  wrapChannel(channel: Channel): Channel {
    return withCondition(channel, this.time);
  }

  interceptDeliveries(parts: InterceptorParts): DeliveryInterceptor {
    return new WebhookFaults(this.time, this.#parts.wake, parts);
  }

  onStep({ transaction }: Step, eventId: string | undefined): void {
    this.#changes.onStep(transaction, eventId);
  }

  onAttempt(attempt: AttemptReport): void {
    this.#changes.onAttempt(attempt);
  }

  onResponse(c: HttpContext): void {
    this.#requests?.record(c);
  }

  /** Ends responses that would never end. */
  onDrain(): void {
    this.#followers.close();
  }

  addRoutes(app: Hono<HttpEnv>, services: GatewayServices, admission: Admission): ManagedSandbox {
    const { clock, wake, merchantPolicy } = this.#parts;
    const { store, time: sandboxState } = this;
    const { forgetMerchant, isAdmitted } = admission.authentication;
    const requests = new RequestLog({
      ...{ store, clock, sandboxState },
      mask: createMasks(services.bundle, [
        ['', admission.readDocument('sandbox')],
        ['management.', admission.readDocument('management')],
      ]),
      onRequest: (exchange) => this.#changes.onRequest(exchange),
    });
    const own = {
      ...{ sandboxState, requests, merchantPolicy, forgetMerchant, followers: this.#followers },
      clocks: new MerchantClocks({ sandboxState, store, wake }),
    };
    this.#requests = requests;
    this.#startExpiry = (stopped) => expireMerchants({ ...services, ...own, store: inBackground(store) }, stopped);
    addSandboxRoutes(app, { ...admission, services: { ...services, ...own } });
    return this.#manage(services, requests, isAdmitted);
  }

  /** The sandbox as the management API shows it. */
  #manage(
    { channels, methods }: GatewayServices,
    requests: RequestLog,
    isAdmitted: Authentication['isAdmitted'],
  ): ManagedSandbox {
    const { time } = this;
    const changes = this.#changes;
    return {
      requests,
      follow: (c, merchantId) =>
        changes.follow({ merchantId, network: toNetwork(c.env.address), isAdmitted: () => isAdmitted(c) }),
      onResend: (event) => changes.onResend(event),
      toMerchantTime: (merchantId, stored) => time.toMerchantTime(merchantId, stored),
      legalEvents(transaction) {
        if (!channels.find(transaction.channel)?.sandbox) return [];
        return legalEvents(methods, transaction, time.at(transaction.merchantId).now);
      },
    };
  }

  /**
   * Begins the work when this process serves the sandbox, and ends it when another process takes over, until the signal is
   * aborted.
   */
  serve(work: ServedWork, stopped: AbortSignal): Promise<void> {
    const begin = async () => {
      await this.time.load();
      this.#serving = new AbortController();
      this.#expiry = this.#startExpiry(this.#serving.signal);
      work.begin();
    };
    const end = async () => {
      this.#serving.abort();
      this.#followers.endAll();
      await Promise.all([this.#expiry, work.end()]);
    };
    return this.#lease.keep({ begin, end }, stopped);
  }

  /** Ends its own background work, once no more requests come. */
  async close(): Promise<void> {
    this.#serving.abort();
    await Promise.all([this.#expiry, this.#requests?.close()]);
  }

  /** Lets another process take over. */
  release(): Promise<void> {
    return this.#lease.release();
  }
}

/** Maximum delay between expiry and deletion, and the pause after a failure. */
const POLL_MS = 60_000;
const BATCH = 50;

/**
 * Deletes what expires until the signal is aborted. A failure is reported, stops no other merchant's expiry, and the next
 * sweep makes up for it.
 */
async function expireMerchants(services: SandboxServices, stopped: AbortSignal): Promise<void> {
  const { store, clock, report } = services;

  function fail(error: unknown): undefined {
    report(error, { job: 'expired merchants' });
  }

  /** Returns when the next one expires, or undefined after a failure. */
  async function sweep(): Promise<number | undefined> {
    const ids = await expiredMerchants(store.read, clock.now(), BATCH);
    let failed = false;
    for (const id of ids) {
      if (stopped.aborted) return undefined;
      await removeMerchant(services, id).catch((error: unknown) => {
        failed = true;
        fail(error);
      });
    }
    return failed ? undefined : ((await nextExpiry(store.read)) ?? Number.POSITIVE_INFINITY);
  }

  while (!stopped.aborted) {
    const next = await sweep().catch(fail);
    const poll = clock.now() + POLL_MS;
    await clock.until(Math.min(next ?? poll, poll), stopped);
  }
}
