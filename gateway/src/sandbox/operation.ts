/** Inputs and services of the sandbox's operations, in addition to the contract's. */
import type { Bundle } from '../../../contract/src/model.ts';
import type { Authentication } from '../http/auth.ts';
import type { Call, HttpContext } from '../http/context.ts';
import type { KeyRing } from '../platform/key-ring.ts';
import type { Services } from '../transactions/services.ts';
import type { DeliveryControls } from '../webhooks/delivery-job.ts';
import type { MerchantPolicy } from './admission.ts';
import type { Changes, Followers } from './changes.ts';
import type { MerchantClocks } from './merchant-clocks.ts';
import type { RequestLog } from './request-log/request-log.ts';
import type { SandboxState } from './sandbox-state.ts';

/** The gateway's services that the sandbox's operations use. */
export interface GatewayServices extends Services {
  /** The contract. */
  readonly bundle: Bundle;
  /** Wakes the workers. */
  readonly wake: () => void;
  /** Encrypt the signing secrets. */
  readonly secretKeys: KeyRing;
  readonly deliveries: DeliveryControls;
  /** Base URL at which the gateway is reached. */
  readonly publicUrl: () => string;
}

export interface SandboxServices extends GatewayServices {
  readonly sandboxState: SandboxState;
  readonly clocks: MerchantClocks;
  readonly requests: RequestLog;
  readonly changes: Changes;
  readonly followers: Followers;
  readonly merchantPolicy: MerchantPolicy;
  /** Asks for the merchant's API keys again from now on. */
  readonly forgetMerchant: Authentication['forgetMerchant'];
}

/** A call with its request. */
export interface SandboxCall<Body = unknown, Parameters = Record<string, string>> extends Call<Body, Parameters> {
  readonly c: HttpContext;
}

/** Returns the body of the success response, or it as a stream; undefined where it has none. Throws a ProblemError otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call; the routes check it before.
export type SandboxOperation = (services: SandboxServices, call: SandboxCall<any, any>) => Promise<unknown>;
