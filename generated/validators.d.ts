// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

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
  readonly "findPayment": Validator<Record<string, string>>;
  readonly "getPayment": Validator<Record<string, string>>;
  readonly "clarifyPayment": Validator<Record<string, string>>;
  readonly "confirmPayment": Validator<Record<string, string>>;
  readonly "getPayout": Validator<Record<string, string>>;
};

/** Request bodies, by operation. */
export const requestBodies: {
  readonly "createPayment": Validator<types.CreatePaymentRequest>;
  readonly "clarifyPayment": Validator<types.ClarifyPaymentRequest>;
  readonly "confirmPayment": Validator<types.ConfirmPaymentRequest>;
  readonly "createPayout": Validator<types.CreatePayoutRequest>;
};

/** Response bodies, by operation and status. */
export const responseBodies: {
  readonly "findPayment": { readonly "200": Validator<types.Payment>; readonly "400": Validator<types.ValidationProblem>; readonly "401": Validator<types.Problem>; readonly "404": Validator<types.Problem>; readonly "429": Validator<types.Problem>; readonly "500": Validator<types.Problem>; readonly "503": Validator<types.Problem> };
  readonly "createPayment": { readonly "200": Validator<types.CreatePaymentResponse>; readonly "400": Validator<types.ValidationProblem>; readonly "401": Validator<types.Problem>; readonly "409": Validator<types.Problem>; readonly "413": Validator<types.Problem>; readonly "415": Validator<types.Problem>; readonly "429": Validator<types.Problem>; readonly "500": Validator<types.Problem>; readonly "503": Validator<types.Problem> };
  readonly "getPayment": { readonly "200": Validator<types.Payment>; readonly "400": Validator<types.ValidationProblem>; readonly "401": Validator<types.Problem>; readonly "404": Validator<types.Problem>; readonly "429": Validator<types.Problem>; readonly "500": Validator<types.Problem>; readonly "503": Validator<types.Problem> };
  readonly "clarifyPayment": { readonly "200": Validator<types.Payment>; readonly "400": Validator<types.ValidationProblem>; readonly "401": Validator<types.Problem>; readonly "404": Validator<types.Problem>; readonly "409": Validator<types.Problem>; readonly "413": Validator<types.Problem>; readonly "415": Validator<types.Problem>; readonly "429": Validator<types.Problem>; readonly "500": Validator<types.Problem>; readonly "503": Validator<types.Problem> };
  readonly "confirmPayment": { readonly "200": Validator<types.ConfirmPaymentResponse>; readonly "400": Validator<types.ValidationProblem>; readonly "401": Validator<types.Problem>; readonly "404": Validator<types.Problem>; readonly "409": Validator<types.Problem>; readonly "413": Validator<types.Problem>; readonly "415": Validator<types.Problem>; readonly "429": Validator<types.Problem>; readonly "500": Validator<types.Problem>; readonly "503": Validator<types.Problem> };
  readonly "getBalance": { readonly "200": Validator<types.Balance>; readonly "400": Validator<types.ValidationProblem>; readonly "401": Validator<types.Problem>; readonly "429": Validator<types.Problem>; readonly "500": Validator<types.Problem>; readonly "503": Validator<types.Problem> };
  readonly "createPayout": { readonly "201": Validator<types.CreatePayoutResponse>; readonly "400": Validator<types.ValidationProblem>; readonly "401": Validator<types.Problem>; readonly "409": Validator<types.Problem>; readonly "413": Validator<types.Problem>; readonly "415": Validator<types.Problem>; readonly "429": Validator<types.Problem>; readonly "500": Validator<types.Problem>; readonly "503": Validator<types.Problem> };
  readonly "getPayout": { readonly "200": Validator<types.Payout>; readonly "400": Validator<types.ValidationProblem>; readonly "401": Validator<types.Problem>; readonly "404": Validator<types.Problem>; readonly "429": Validator<types.Problem>; readonly "500": Validator<types.Problem>; readonly "503": Validator<types.Problem> };
};

/** Webhook bodies, by webhook. */
export const webhookBodies: {
  readonly "paymentExtraDataNeeded": Validator<types.PaymentExtraDataNeeded>;
  readonly "paymentConfirmationNeeded": Validator<types.PaymentConfirmationNeeded>;
  readonly "paymentSucceeded": Validator<types.PaymentSucceeded>;
  readonly "paymentFailed": Validator<types.PaymentFailed>;
  readonly "payoutSucceeded": Validator<types.PayoutSucceeded>;
  readonly "payoutFailed": Validator<types.PayoutFailed>;
};

/** Every schema of the document, by name. */
export const schemas: {
  readonly "MerchantOrderId": Validator<types.MerchantOrderId>;
  readonly "Violation": Validator<types.Violation>;
  readonly "Problem": Validator<types.Problem>;
  readonly "TransactionId": Validator<types.TransactionId>;
  readonly "EchoedOrderId": Validator<types.EchoedOrderId>;
  readonly "Amount": Validator<types.Amount>;
  readonly "Currency": Validator<types.Currency>;
  readonly "EchoedPaymentMethod": Validator<types.EchoedPaymentMethod>;
  readonly "CreatedAt": Validator<types.CreatedAt>;
  readonly "PaymentCreated": Validator<types.PaymentCreated>;
  readonly "DataItemName": Validator<types.DataItemName>;
  readonly "PaymentExtraDataNeeded": Validator<types.PaymentExtraDataNeeded>;
  readonly "PayData": Validator<types.PayData>;
  readonly "ConfirmItemName": Validator<types.ConfirmItemName>;
  readonly "PaymentConfirmationNeeded": Validator<types.PaymentConfirmationNeeded>;
  readonly "PaymentVerifying": Validator<types.PaymentVerifying>;
  readonly "AmountPaid": Validator<types.AmountPaid>;
  readonly "FinalizedAt": Validator<types.FinalizedAt>;
  readonly "PaymentSucceeded": Validator<types.PaymentSucceeded>;
  readonly "PaymentDeclineReason": Validator<types.PaymentDeclineReason>;
  readonly "PaymentFailed": Validator<types.PaymentFailed>;
  readonly "Payment": Validator<types.Payment>;
  readonly "ValidationProblem": Validator<types.ValidationProblem>;
  readonly "CustomerId": Validator<types.CustomerId>;
  readonly "CustomerName": Validator<types.CustomerName>;
  readonly "CustomerEmail": Validator<types.CustomerEmail>;
  readonly "CustomerPhone": Validator<types.CustomerPhone>;
  readonly "KycLevel": Validator<types.KycLevel>;
  readonly "PaymentCustomer": Validator<types.PaymentCustomer>;
  readonly "PaymentMethodType": Validator<types.PaymentMethodType>;
  readonly "ReturnUrl": Validator<types.ReturnUrl>;
  readonly "CallbackUrl": Validator<types.CallbackUrl>;
  readonly "CreatePaymentRequest": Validator<types.CreatePaymentRequest>;
  readonly "RedirectUrl": Validator<types.RedirectUrl>;
  readonly "CreatePaymentResponseCreated": Validator<types.CreatePaymentResponseCreated>;
  readonly "CreatePaymentResponseFailed": Validator<types.CreatePaymentResponseFailed>;
  readonly "CreatePaymentResponse": Validator<types.CreatePaymentResponse>;
  readonly "ClarifyItems": Validator<types.ClarifyItems>;
  readonly "ClarifyPaymentRequest": Validator<types.ClarifyPaymentRequest>;
  readonly "ConfirmItems": Validator<types.ConfirmItems>;
  readonly "ConfirmPaymentRequest": Validator<types.ConfirmPaymentRequest>;
  readonly "ConfirmPaymentResponse": Validator<types.ConfirmPaymentResponse>;
  readonly "CurrencyBalance": Validator<types.CurrencyBalance>;
  readonly "Balance": Validator<types.Balance>;
  readonly "PayoutCustomer": Validator<types.PayoutCustomer>;
  readonly "PayoutMethodType": Validator<types.PayoutMethodType>;
  readonly "CreatePayoutRequest": Validator<types.CreatePayoutRequest>;
  readonly "PayoutProcessing": Validator<types.PayoutProcessing>;
  readonly "PayoutDeclineReason": Validator<types.PayoutDeclineReason>;
  readonly "PayoutFailed": Validator<types.PayoutFailed>;
  readonly "CreatePayoutResponse": Validator<types.CreatePayoutResponse>;
  readonly "PayoutSucceeded": Validator<types.PayoutSucceeded>;
  readonly "Payout": Validator<types.Payout>;
};
