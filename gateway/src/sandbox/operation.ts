/** What the sandbox's operations get and what they may use, in addition to what those of the contract have. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bundle } from '../../../contract/src/model.ts';
import type { Call, Services } from '../operations/operation.ts';
import type { KeyRing } from '../platform/key-ring.ts';
import type { Deliveries } from '../webhooks/delivery-job.ts';
import type { Changes } from './changes.ts';
import type { MerchantClocks } from './merchant-clocks.ts';
import type { RequestLog } from './request-log/request-log.ts';
import type { World } from './world.ts';

export interface SandboxServices extends Services {
  /** The contract. */
  readonly bundle: Bundle;
  readonly world: World;
  /** Says that there is work: transactions that are due, events that wait. */
  readonly wake: () => void;
  readonly clocks: MerchantClocks;
  readonly requests: RequestLog;
  readonly changes: Changes;
  /** Encrypt the signing secrets. */
  readonly secretKeys: KeyRing;
  readonly deliveries: DeliveryControls;
  /** Asks for the merchant's API keys again from now on. */
  readonly forgetMerchant: (merchantId: number) => void;
  /** Base URL at which the gateway is reached. */
  readonly publicUrl: () => string;
}

/** What the sandbox uses of the delivery of webhooks in this process. */
export type DeliveryControls = Pick<Deliveries, 'isClaimed' | 'sendNow' | 'forgetKeys'>;

/** A call with its request and reply, for operations that send more than JSON. */
export interface SandboxCall<Body = unknown, Parameters = Record<string, string>> extends Call<Body, Parameters> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Returns the body of the success response; undefined where it has none. Throws a ProblemError otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call; the routes check it before.
export type SandboxOperation = (services: SandboxServices, call: SandboxCall<any, any>) => Promise<unknown>;
