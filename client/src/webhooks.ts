/** payments-client/webhooks: verify, order and, for tests, sign events. It needs nothing but WebCrypto. */
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
export type { HeadersLike } from './webhooks/headers.ts';
export {
  createEventTracker,
  type EventStore,
  type EventTracker,
  judgeEvent,
  memoryEventStore,
  type Seen,
  type Verdict,
} from './webhooks/order.ts';
export type { SignatureOptions, SignatureScheme } from './webhooks/scheme.ts';
export { type SignedWebhook, type SignOptions, signWebhook } from './webhooks/sign.ts';
export { type VerifyOptions, verifyWebhook } from './webhooks/verify.ts';
