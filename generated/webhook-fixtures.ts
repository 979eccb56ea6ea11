// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

import { webhookExamples } from './examples.ts';
import type {
  PaymentExtraDataNeeded,
  PaymentConfirmationNeeded,
  PaymentSucceeded,
  PaymentFailed,
  PayoutSucceeded,
  PayoutFailed,
} from './types.ts';

type Changes<T> = { [K in Exclude<keyof T, 'status'>]?: T[K] | undefined };

/** The example with the changes. What repeats the value of a changed field before it changes too, as amount_paid does. */
function withChanges<T extends object>(example: T, changes: Changes<T>): T {
  const replaced = new Map<unknown, unknown>();
  const copy = (value: unknown): unknown => {
    if (replaced.has(value)) return replaced.get(value);
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
  };
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(example)) {
    const change = (changes as Record<string, unknown>)[name];
    body[name] = change ?? copy(value);
    if (change !== undefined) replaced.set(value, change);
  }
  return body as T;
}

/** Payment needs more data: the contract's example of paymentExtraDataNeeded, with your changes. */
export function examplePaymentExtraDataNeeded(changes: Changes<PaymentExtraDataNeeded> = {}): PaymentExtraDataNeeded {
  return withChanges<PaymentExtraDataNeeded>(webhookExamples.paymentExtraDataNeeded["extra-data-needed"], changes);
}

/** Payment needs confirmation: the contract's example of paymentConfirmationNeeded, with your changes. */
export function examplePaymentConfirmationNeeded(changes: Changes<PaymentConfirmationNeeded> = {}): PaymentConfirmationNeeded {
  return withChanges<PaymentConfirmationNeeded>(webhookExamples.paymentConfirmationNeeded["confirmation-needed"], changes);
}

/** Payment has succeeded: the contract's example of paymentSucceeded, with your changes. */
export function examplePaymentSucceeded(changes: Changes<PaymentSucceeded> = {}): PaymentSucceeded {
  return withChanges<PaymentSucceeded>(webhookExamples.paymentSucceeded["succeeded"], changes);
}

/** Payment has failed: the contract's example of paymentFailed, with your changes. */
export function examplePaymentFailed(changes: Changes<PaymentFailed> = {}): PaymentFailed {
  return withChanges<PaymentFailed>(webhookExamples.paymentFailed["declined"], changes);
}

/** Payout has succeeded: the contract's example of payoutSucceeded, with your changes. */
export function examplePayoutSucceeded(changes: Changes<PayoutSucceeded> = {}): PayoutSucceeded {
  return withChanges<PayoutSucceeded>(webhookExamples.payoutSucceeded["succeeded"], changes);
}

/** Payout has failed: the contract's example of payoutFailed, with your changes. */
export function examplePayoutFailed(changes: Changes<PayoutFailed> = {}): PayoutFailed {
  return withChanges<PayoutFailed>(webhookExamples.payoutFailed["declined"], changes);
}
