/** Inputs and services of the sandbox's operations, in addition to the contract's. */
import type { GuestServices, MerchantPolicy } from '../guest.ts';
import type { Authentication } from '../http/auth.ts';
import type { Call } from '../http/call.ts';
import type { HttpContext } from '../http/context.ts';
import type { Changes } from './changes.ts';
import type { Followers } from './followers.ts';
import type { MerchantClocks } from './merchant-clocks.ts';
import type { MerchantQueue } from './merchant-queue.ts';
import type { RequestLog } from './request-log/request-log.ts';
import type { SandboxState } from './sandbox-state.ts';

export interface SandboxServices extends GuestServices {
  readonly sandboxState: SandboxState;
  readonly clocks: MerchantClocks;
  readonly requests: RequestLog;
  readonly changes: Changes;
  readonly followers: Followers;
  readonly merchantPolicy: MerchantPolicy;
  /** Audits read everything that a merchant has. */
  readonly audits: MerchantQueue;
  /** Asks for the merchant's API keys again from now on. */
  readonly forgetMerchant: Authentication['forgetMerchant'];
  readonly isAdmitted: Authentication['isAdmitted'];
}

/** A call with its request. */
export interface SandboxCall<Body = unknown, Parameters = Record<string, string>> extends Call<Body, Parameters> {
  readonly c: HttpContext;
}

/** Returns the body of the success response, or it as a stream; undefined where it has none. Throws a ProblemError otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call; the routes check it before.
export type SandboxOperation = (services: SandboxServices, call: SandboxCall<any, any>) => Promise<unknown>;
