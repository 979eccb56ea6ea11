/** Signs and sends a webhook once, in a span. */

import { systemTimers } from '../platform/timers.ts';
import { errorType, type Span, type SpanStart, type TraceFields } from '../platform/tracing.ts';
import type { AttemptRecord, LoggedAttempt } from './attempt-log.ts';
import { isDelivered, type SendResult } from './retries.ts';
import { type DeliveryServices, type Sender, sentHeaders } from './sender.ts';
import { type Message, type Sign, Unsigned } from './signer.ts';

const UTF8 = new TextEncoder();

export interface AddressedMessage extends Message {
  readonly url: string;
  /** The `traceparent` of the step that wrote it. */
  readonly trace?: string | undefined;
  /** Attempts made before this one. */
  readonly attempts?: number;
}

export interface SentMessage {
  /** By the merchant's clock, in milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  readonly result: SendResult;
  /** Missing if it was not sent. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** Its span, for log lines. */
  readonly traced?: TraceFields | undefined;
  /** The simulated fault, see DeliveryInterceptor. */
  readonly fault?: string | undefined;
}

export type SendMessage = (message: AddressedMessage) => Promise<SentMessage>;

export function createSendMessage(
  { time, tracer }: Pick<DeliveryServices, 'time' | 'tracer'>,
  sign: Sign,
  send: Sender['send'],
  timers = systemTimers,
): SendMessage {
  async function deliver(
    message: AddressedMessage,
    span: Span | undefined,
  ): Promise<Pick<SentMessage, 'headers' | 'result'>> {
    const signed = await sign(message);
    if (signed instanceof Unsigned) return { result: signed };
    const headers = span?.passedOn === undefined ? signed : { ...signed, traceparent: span.passedOn };
    return { headers, result: await send(message.url, headers, message.body) };
  }

  return async (message) => {
    const { merchantId, body } = message;
    const at = time.at(merchantId).now;
    const began = timers.elapsed();
    const span = tracer?.start(describeSpan(message));
    const delivered = await deliver(message, span).catch((error: unknown) => {
      span?.end(errorType(error));
      throw error;
    });
    if (span) endSpan(span, delivered.result);
    const ms = Math.round(timers.elapsed() - began);
    return { at, ms, bodyBytes: UTF8.encode(body).length, traced: span?.fields, ...delivered };
  };
}

function describeSpan({ id, merchantId, url, trace, attempts = 0 }: AddressedMessage): SpanStart {
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

function endSpan(span: Span, result: SendResult): void {
  span.set({ 'http.response.status_code': 'status' in result ? result.status : undefined });
  if (isDelivered(result)) span.end();
  else span.end('failure' in result ? result.failure : String(result.status));
}

/** The entry for the log of the event. */
export function toLoggedAttempt({ at, ms, result }: SentMessage): LoggedAttempt {
  return { at, durationMs: ms, ...('status' in result ? { status: result.status } : { error: result.failure }) };
}

/** The entry with headers, and the beginning of the response if it was kept. */
export function toAttemptRecord(sent: SentMessage): AttemptRecord {
  const { result, headers, bodyBytes, fault } = sent;
  return {
    ...toLoggedAttempt(sent),
    requestHeaders: headers ? sentHeaders(headers, bodyBytes) : {},
    ...('status' in result && result.body !== undefined && { responseBody: result.body }),
    ...(fault !== undefined && { fault }),
  };
}
