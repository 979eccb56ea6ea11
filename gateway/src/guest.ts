/**
 * Hooks through which the sandbox decorates the gateway's parts. The parts don't know the sandbox; `mount-sandbox.ts`
 * connects them. A live gateway has none.
 */
import type { Hono } from 'hono';
import type { Bundle } from '../../contract/src/model.ts';
import type { Channel } from './channels/channel.ts';
import type { Store } from './database/store.ts';
import type { ResponseListener } from './http/app.ts';
import type { Authentication } from './http/auth.ts';
import type { HttpEnv } from './http/context.ts';
import type { ReadDocument } from './http/gateway-apis.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { RequestFaults } from './http/routes.ts';
import type { Clock } from './platform/clock.ts';
import type { KeyRing } from './platform/key-ring.ts';
import type { Log } from './platform/log.ts';
import type { MerchantTime } from './platform/merchant-time.ts';
import type { Services } from './transactions/services.ts';
import type { AttemptOptions } from './webhooks/attempt.ts';
import type { Deliveries, DeliveryOptions } from './webhooks/delivery-job.ts';

export interface Guest {
  /** The store for work that only the process that serves the sandbox may do. */
  readonly store: Store;
  /** Returns why this process doesn't serve the sandbox; undefined if it does. */
  readonly obstacle: () => string | undefined;
  /** Begins background work when this process serves the sandbox, and ends it when another process takes over. */
  serve(work: { begin(): void; end(): Promise<void> }): Promise<void>;
  /** Lets another process take over. */
  release(): Promise<void>;
  /** The time of each merchant, instead of the store's. */
  readonly time: MerchantTime;
  /** A channel as merchants reach it. */
  readonly decorateChannel: (channel: Channel) => Channel;
  readonly interceptor: NonNullable<DeliveryOptions['interceptor']>;
  readonly requestFaults: RequestFaults;
  readonly onStep: NonNullable<Services['onStep']>;
  readonly onAttempt: NonNullable<AttemptOptions['onAttempt']>;
  /** Ends responses that would never end. */
  readonly onDrain: () => void;
  /** Adds its routes and pages. */
  open(app: Hono<HttpEnv>, options: GuestOptions): Promise<GuestPages>;
}

/** Opens the sandbox, which keeps its lease of the database until the signal is aborted. */
export type MountGuest = (store: Store, clock: Clock, settings: GuestSettings, stopped: AbortSignal) => Promise<Guest>;

export interface GuestPages {
  readonly onResponse: ResponseListener;
  /** Ends what it does in the background, once no more requests come. */
  close(): Promise<void>;
}

/** Limits of merchants without an account: the key that creates them, their number and their lifetime. */
export interface MerchantPolicy {
  /** Empty if no key is required. */
  readonly sandboxKey: string;
  readonly sandboxMerchantsMax: number;
  /** 0 keeps them. */
  readonly sandboxMerchantDays: number;
}

export interface GuestSettings {
  /** The machine's clock, for signatures. */
  readonly machine: Clock;
  /** Wakes the workers. */
  readonly wake: () => void;
  /** The limit that a 429 reports. */
  readonly requestsPerSecond: number;
  readonly merchantPolicy: MerchantPolicy;
  readonly log: Log;
}

/** The delivery controls that the sandbox uses. */
export type DeliveryControls = Pick<Deliveries, 'sendNow' | 'forgetKeys'>;

/** Services of the sandbox's operations, in addition to the contract's. */
export interface GuestServices extends Services {
  /** The contract. */
  readonly bundle: Bundle;
  /** Signals that work is due. */
  readonly wake: () => void;
  /** Encrypt the signing secrets. */
  readonly secretKeys: KeyRing;
  readonly deliveries: DeliveryControls;
  /** Base URL at which the gateway is reached. */
  readonly publicUrl: () => string;
}

export interface GuestOptions {
  readonly services: GuestServices;
  readonly rates: RateLimits;
  readonly authentication: Authentication;
  readonly bodyBytesMax: number;
  readonly readDocument: ReadDocument;
  /** Origins whose pages may use the operations without a key, or `*`. */
  readonly corsOrigins: readonly string[];
  /** Whether the demo merchant's key is accepted. */
  readonly demo: boolean;
}
