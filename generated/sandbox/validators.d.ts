// Made from gateway/sandbox/ by `npm run build`.
// Do not edit: change its document and run it again.

import type * as types from './types.ts';

/** A validation error, as Ajv reports it. */
export interface ValidationError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Tells whether a value fits its schema; `errors` then holds what is wrong, until the next call. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: ValidationError[] | null;
}

/** Path and query parameters as one object, by operation. */
export const parameters: {
  readonly "askForPaymentData": Validator<Record<string, string>>;
  readonly "askForPaymentConfirmation": Validator<Record<string, string>>;
  readonly "payPayment": Validator<Record<string, string>>;
  readonly "succeedPayment": Validator<Record<string, string>>;
  readonly "settlePayment": Validator<Record<string, string>>;
  readonly "declinePayment": Validator<Record<string, string>>;
  readonly "expirePayment": Validator<Record<string, string>>;
  readonly "succeedPayout": Validator<Record<string, string>>;
  readonly "declinePayout": Validator<Record<string, string>>;
  readonly "setChannel": Validator<Record<string, string>>;
  readonly "fundWallet": Validator<Record<string, string>>;
  readonly "drainWallet": Validator<Record<string, string>>;
  readonly "blockCustomer": Validator<Record<string, string>>;
  readonly "unblockCustomer": Validator<Record<string, string>>;
  readonly "useCustomerLimits": Validator<Record<string, string>>;
  readonly "removeChaos": Validator<Record<string, string>>;
  readonly "removeWebhookFault": Validator<Record<string, string>>;
  readonly "signEvent": Validator<Record<string, string>>;
};

/** Request bodies, by operation. */
export const requestBodies: {
  readonly "askForPaymentData": Validator<types.AskForDataRequest>;
  readonly "askForPaymentConfirmation": Validator<types.AskForConfirmationRequest>;
  readonly "succeedPayment": Validator<types.SucceedPaymentRequest>;
  readonly "declinePayment": Validator<types.DeclinePaymentRequest>;
  readonly "declinePayout": Validator<types.DeclinePayoutRequest>;
  readonly "advanceClock": Validator<types.AdvanceClockRequest>;
  readonly "freezeClock": Validator<types.FreezeClockRequest>;
  readonly "setSignatureTime": Validator<types.SetSignatureTimeRequest>;
  readonly "setChannel": Validator<types.SetChannelRequest>;
  readonly "fundWallet": Validator<types.FundWalletRequest>;
  readonly "drainWallet": Validator<types.DrainWalletRequest>;
  readonly "blockCustomer": Validator<types.BlockCustomerRequest>;
  readonly "useCustomerLimits": Validator<types.UseLimitsRequest>;
  readonly "addChaos": Validator<types.ChaosRequest>;
  readonly "addWebhookFault": Validator<types.WebhookFaultRequest>;
  readonly "sendSampleEvents": Validator<types.SampleEventsRequest>;
  readonly "createMerchant": Validator<types.CreateMerchantRequest>;
};
