import { ht as WebhookPayload } from "./types-4NmIYT6e.js";

//#region src/webhooks/errors.d.ts
/** Why an event is refused, and what to do about it. */
/** The codes of WebhookError with what to do. */
declare const ADVICE: {
  readonly BODY_NOT_RAW: "Pass the bytes or the text as they arrived: a parsed body cannot be verified. See the recipe for your framework.";
  readonly HEADER_MISSING: "Check that the request comes from the service and that no proxy drops headers; `header` and `scheme` set other names.";
  readonly TIMESTAMP_INVALID: "It must be whole seconds since 1970; `scheme` says which header it is in.";
  readonly TIMESTAMP_STALE: "Check the clock of this machine; if it is right, this is a replay or a very late delivery. `toleranceSeconds` allows more.";
  readonly SECRET_INVALID: "Copy the whole signing secret, such as whsec_…; it is not the API key.";
  readonly NO_MATCH: "Check that the secret is the one of this merchant, and that nothing has changed the body before.";
  readonly BODY_NOT_JSON: "The signature is right, so this comes from the service; check the scheme and tell its support.";
  readonly UNKNOWN_EVENT: "The signature is right; answer 2xx to ignore it, or update this package.";
};
type WebhookErrorCode = keyof typeof ADVICE;
/** Thrown by `verifyWebhook`. Answer 400, and do nothing with the body. */
declare class WebhookError extends Error {
  readonly name = "WebhookError";
  readonly code: WebhookErrorCode;
  constructor(code: WebhookErrorCode, what: string);
}
//#endregion
//#region src/webhooks/event.d.ts
type EventKind = 'payment' | 'payout';
/** Payments name their method, payouts do not; nothing else tells their bodies apart. */
type PaymentPayload = Extract<WebhookPayload, {
  payment_method: unknown;
}>;
type PayoutPayload = Exclude<WebhookPayload, PaymentPayload>;
type EventOf<K extends EventKind, D extends WebhookPayload> = D extends WebhookPayload ? {
  readonly kind: K;
  readonly status: D['status']; /** The same in all deliveries of this event. */
  readonly id: string; /** Time of this delivery, if the scheme carries one. */
  readonly sentAt: Date | undefined; /** What the status endpoint showed when the event was made. */
  readonly data: D;
} : never;
type PaymentEvent = EventOf<'payment', PaymentPayload>;
type PayoutEvent = EventOf<'payout', PayoutPayload>;
/** A verified event: `kind` and `status` narrow `data`. */
type WebhookEvent = PaymentEvent | PayoutEvent;
//#endregion
//#region src/webhooks/headers.d.ts
/** Headers as the frameworks give them. */
/** Fetch's `Headers`, Node's `request.headers`, or any record; names are matched in any case. */
type HeadersLike = {
  get(name: string): string | null;
} | Readonly<Record<string, string | readonly string[] | undefined>>;
//#endregion
//#region src/webhooks/order.d.ts
/** new: nothing later is known. duplicate: it was taken before. older: something later was taken before. */
type Verdict = 'new' | 'duplicate' | 'older';
/** The events of one transaction that were taken: status by id. It is plain data; keep it as JSON. */
type Seen = Readonly<Record<string, WebhookEvent['status']>>;
type Told = Pick<WebhookEvent, 'id' | 'kind' | 'status'>;
/** Where a tracker keeps what it has seen. */
interface EventStore {
  /** What is kept for a transaction. */
  read(key: string): Promise<Seen | undefined> | Seen | undefined;
  /**
   * Replaces it. With several processes: only if `before` is still what is kept (`update … where seen = before`, or
   * `insert … on conflict do nothing`); return false otherwise, and the tracker looks again.
   */
  write(key: string, seen: Seen, before: Seen | undefined): Promise<boolean> | boolean;
}
interface EventTracker {
  /** Says what an event is, and remembers it. */
  see(event: WebhookEvent): Promise<Verdict>;
  /** Forgets an event, so that it is new when it is delivered again: call it when handling has failed. */
  forget(event: WebhookEvent): Promise<void>;
  /** Runs the handler if the event is new, and forgets the event if the handler fails. */
  handle(event: WebhookEvent, handler: () => Promise<unknown> | unknown): Promise<Verdict>;
}
/** The verdict and what to keep afterwards. It is pure, for use within a transaction of your own database. */
declare function judgeEvent(seen: Seen | undefined, {
  id,
  kind,
  status
}: Told): {
  verdict: Verdict;
  seen: Seen;
};
/** A tracker over a store, which is the memory of this process by default. */
declare function createEventTracker({
  store
}?: {
  store?: EventStore;
}): EventTracker;
/** Keeps the last transactions in memory, 10,000 by default. A restart forgets them, so it suits one process and tests. */
declare function memoryEventStore({
  max
}?: {
  max?: number;
}): EventStore;
//#endregion
//#region src/webhooks/scheme.d.ts
interface SignatureScheme {
  /** Headers that may hold the signature; the first that is there counts. */
  readonly signatureHeaders: readonly string[];
  readonly idHeader: string;
  readonly timestampHeader: string;
  /** What is signed. The headers for what is not in it are not needed. */
  readonly content: 'id.timestamp.body' | 'timestamp.body' | 'body';
  readonly hash: 'SHA-256' | 'SHA-384' | 'SHA-512';
  readonly encoding: 'base64' | 'hex';
  /** Stands before each signature, such as `v1,` or `sha256=`. */
  readonly prefix: string;
  /** What the secret is: base64 (after `whsec_`), or text that is used as it is. */
  readonly secret: 'base64' | 'text';
}
interface SignatureOptions {
  /** The signing secret, or several of them while it is being replaced. */
  readonly secret: string | readonly string[];
  /** Name of the signature's header, when the service has another. */
  readonly header?: string;
  /** Parts of the scheme in which the service differs. */
  readonly scheme?: Partial<SignatureScheme>;
}
//#endregion
//#region src/webhooks/sign.d.ts
interface SignOptions extends SignatureOptions {
  /** An event's body, or any text, to test what is wrong. */
  readonly body: WebhookPayload | string;
  /** A new one by default. */
  readonly id?: string;
  /** Milliseconds since 1970; now by default. */
  readonly sentAt?: number | Date;
}
interface SignedWebhook {
  /** Send exactly this. */
  readonly body: string;
  readonly headers: Record<string, string>;
}
/** Signs an event as the service would, with each of the secrets. */
declare function signWebhook(options: SignOptions): Promise<SignedWebhook>;
//#endregion
//#region src/webhooks/verify.d.ts
interface VerifyOptions extends SignatureOptions {
  /** The body as it arrived, before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: HeadersLike;
  /** How far the time of the delivery may be from this machine's, 300 s by default. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}
/** Verifies an event and returns it. Rejects with a WebhookError whose `code` says what is wrong. */
declare function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent>;
//#endregion
export { type EventKind, type EventStore, type EventTracker, type HeadersLike, type PaymentEvent, type PayoutEvent, type Seen, type SignOptions, type SignatureOptions, type SignatureScheme, type SignedWebhook, type Verdict, type VerifyOptions, WebhookError, type WebhookErrorCode, type WebhookEvent, createEventTracker, judgeEvent, memoryEventStore, signWebhook, verifyWebhook };