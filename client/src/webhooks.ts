/** payments-client/webhooks: receive, verify, track and, for tests, sign events. Needs WebCrypto only. */
export {
  dispatchWebhook,
  isPayment,
  isPayout,
  kindOf,
  type WebhookHandlers,
  webhookName,
} from '../../generated/webhooks.ts';
export { WebhookError, type WebhookErrorCode } from './webhooks/errors.ts';
export type { EventKind, PaymentEvent, PayoutEvent, WebhookEvent } from './webhooks/event.ts';
export { createEventTracker, type EventStore, type EventTracker, memoryEventStore } from './webhooks/event-tracker.ts';
export { judgeState, type Seen, type TransactionState, type Verdict } from './webhooks/judge-state.ts';
export {
  createWebhookReceiver,
  type ReceiverOptions,
  type WebhookReceiver,
  type WebhookResponse,
} from './webhooks/receiver.ts';
export { checkSecret, type SignatureOptions, type SignatureScheme } from './webhooks/scheme.ts';
export { type SignedWebhook, type SignOptions, signWebhook } from './webhooks/sign.ts';
export type { HeadersLike, RawBody } from './webhooks/verify.ts';
export { type VerifyOptions, verifyWebhook } from './webhooks/verify.ts';
