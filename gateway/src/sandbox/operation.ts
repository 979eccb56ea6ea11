/** Inputs and services of the sandbox's operations, in addition to the contract's. */
import type { Bundle } from '../../../contract/src/model.ts';
import type { Authentication } from '../http/auth.ts';
import type { HttpContext } from '../http/context.ts';
import type { BodyOf, OperationId, ReadParameters, ResultOf } from '../http/gateway-apis.ts';
import type { Merchant } from '../merchants/merchants.ts';
import type { Services } from '../transactions/services.ts';
import type { DeliveryControls } from '../webhooks/delivery-job.ts';
import type { Followers } from './changes.ts';
import type { MerchantClocks } from './merchant-clocks.ts';
import type { RequestLog } from './request-log/request-log.ts';
import type { SandboxState } from './sandbox-state.ts';

/** Limits of merchants without an account: the key that creates them, their number and their lifetime. */
export interface MerchantPolicy {
  /** Empty if no key is required. */
  readonly sandboxKey: string;
  readonly sandboxMerchantsMax: number;
  /** 0 keeps them. */
  readonly sandboxMerchantDays: number;
}

/** The gateway's services that the sandbox's operations use. */
export interface GatewayServices extends Services {
  readonly bundle: Bundle;
  readonly wake: () => void;
  readonly deliveries: DeliveryControls;
  /** Base URL at which the gateway is reached. */
  readonly publicUrl: () => string;
}

export interface SandboxServices extends GatewayServices {
  readonly sandboxState: SandboxState;
  readonly clocks: MerchantClocks;
  readonly requests: RequestLog;
  readonly followers: Followers;
  readonly merchantPolicy: MerchantPolicy;
  /** Asks for the merchant's API keys again from now on. */
  readonly forgetMerchant: Authentication['forgetMerchant'];
}

/** An authenticated and validated request to an operation. */
export interface SandboxCall<Id extends OperationId<'sandbox'>> {
  readonly merchant: Merchant;
  readonly parameters: ReadParameters<'sandbox', Id>;
  readonly body: BodyOf<'sandbox', Id>;
  readonly c: HttpContext;
}

/** Returns the body of the success response; undefined if there is none. Throws a ProblemError otherwise. */
export type SandboxOperation<Id extends OperationId<'sandbox'>> = (
  services: SandboxServices,
  call: SandboxCall<Id>,
) => Promise<ResultOf<'sandbox', Id>>;
