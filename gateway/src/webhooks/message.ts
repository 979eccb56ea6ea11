/** A message of a merchant, signed and sent once. */
import type { Services } from '../operations/operation.ts';
import { systemTimers } from '../platform/timers.ts';
import type { Span, SpanStart, TraceFields } from '../platform/tracing.ts';
import type { LoggedAttempt } from '../store/outbox/attempt-log.ts';
import type { AttemptRecord } from '../store/outbox/webhook-attempts.ts';
import type { Reply } from './retries.ts';
import { type Sender, sentHeaders } from './sender.ts';
import { type Message, type Signer, Unsigned } from './signer.ts';

const UTF8 = new TextEncoder();

/** A message with the address that gets it. */
export interface AddressedMessage extends Message {
  readonly url: string;
  /** The `traceparent` that it continues. */
  readonly trace?: string | undefined;
  /** Attempts made before this one. */
  readonly attempts?: number;
}

export interface SentMessage {
  /** By the merchant's clock, in milliseconds since 1970. */
  readonly at: number;
  /** Duration. */
  readonly ms: number;
  readonly reply: Reply;
  /** Missing if it was not sent. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** Its span, for log lines. */
  readonly traced?: TraceFields | undefined;
  /** The fault that was simulated, see Detour. */
  readonly fault?: string | undefined;
}

export interface MessageSender {
  /** Signs and sends a message. */
  send(message: AddressedMessage): Promise<SentMessage>;
}

/** Makes a sender of messages. */
export function createMessageSender(
  { time, tracer }: Pick<Services, 'time' | 'tracer'>,
  signer: Pick<Signer, 'sign'>,
  send: Sender['send'],
  timers = systemTimers,
): MessageSender {
  return {
    async send(message) {
      const { url, merchantId, body } = message;
      const at = time.at(merchantId).now;
      const began = timers.elapsed();
      const span = tracer?.start(spanOf(message));
      const signed = await signer.sign(message);
      const headers = signed instanceof Unsigned ? signed : { ...signed, ...headerOf(span) };
      const result =
        headers instanceof Unsigned ? { reply: headers } : { headers, reply: await send(url, headers, body) };
      if (span) endSpan(span, result.reply);
      const ms = Math.round(timers.elapsed() - began);
      return { at, ms, bodyBytes: UTF8.encode(body).length, traced: span?.fields, ...result };
    },
  };
}

function spanOf({ id, merchantId, url, trace, attempts = 0 }: AddressedMessage): SpanStart {
  const { hostname, port } = new URL(url);
  return {
    name: 'send webhook',
    kind: 'client',
    parent: trace,
    // Not the whole address, which may contain secrets of the merchant.
    attributes: {
      'http.request.method': 'POST',
      'http.request.resend_count': attempts || undefined,
      'server.address': hostname,
      'server.port': port ? Number(port) : undefined,
      'payments.event.id': id,
      'payments.merchant.id': merchantId,
    },
  };
}

function headerOf(span: Span | undefined): { readonly traceparent?: string } {
  return span?.passedOn === undefined ? {} : { traceparent: span.passedOn };
}

function endSpan(span: Span, reply: Reply): void {
  const status = 'status' in reply ? reply.status : undefined;
  span.set({ 'http.response.status_code': status });
  if (status === undefined || status >= 400) span.end('failure' in reply ? reply.failure : String(status));
  else span.end();
}

/** A sent message as the log of its event has it. */
export function loggedAttempt({ at, ms, reply }: SentMessage): LoggedAttempt {
  return { at, durationMs: ms, ...('status' in reply ? { status: reply.status } : { error: reply.failure }) };
}

/** A sent message with its headers, and with the beginning of the response if that was kept. */
export function recordOf(sent: SentMessage): AttemptRecord {
  const { reply, headers, bodyBytes, fault } = sent;
  return {
    ...loggedAttempt(sent),
    requestHeaders: headers ? sentHeaders(headers, bodyBytes) : {},
    ...('status' in reply && reply.body !== undefined && { responseBody: reply.body }),
    ...(fault !== undefined && { fault }),
  };
}
