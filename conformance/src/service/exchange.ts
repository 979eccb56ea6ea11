/** Requests to the service under test with their responses, webhooks from it, and the journal of a run. */

import { type Json, type Operation, readMember } from '../../../contract/src/model.ts';

/** A key that no service knows. It isn't a secret. */
export const UNKNOWN_KEY = 'sk_test_unknown_to_the_service_0123456789';

export interface ServiceCall {
  readonly operation: Operation;
  readonly path?: Readonly<Record<string, string>>;
  /** Path, sent verbatim instead of the operation's. */
  readonly target?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent verbatim instead of `query`, without a question mark. */
  readonly search?: string;
  readonly body?: Json;
  /** Sent verbatim instead of `body`. */
  readonly text?: string | Uint8Array;
  /** Defaults to the operation's; null sends none. */
  readonly mediaType?: string | null;
  /** API key; defaults to the one of the settings, and null sends none. */
  readonly key?: string | null;
  /** Sent verbatim instead of the key. */
  readonly authorization?: string;
  /** Other headers, in addition or instead of the usual ones. Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Violates the contract. If the service accepts it, later effects prove nothing. */
  readonly invalid?: boolean;
  /** Leaves the amount out of the run's budget, because the transaction is never paid. */
  readonly unpaid?: boolean;
  /** The expected status, such as 503. A busy service is asked again for any other. */
  readonly awaits?: number;
  /** Selects a response of a service that follows the `Prefer` header. */
  readonly prefer?: string;
}

export interface Exchange {
  /** Counts from 1 in the order in which requests were sent. */
  readonly number: number;
  /** Id of the check that sent it. */
  readonly check: string;
  readonly call: ServiceCall;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. They include the key; reports mask it. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestText?: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, if it is JSON. */
  readonly body?: Json;
  /** Milliseconds since 1970: when the request was sent, and when the response was complete. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The service sent no HTTP response. The message has the reason. */
export class NoHttpResponse extends Error {
  readonly call: ServiceCall;
  /** Whether the connection was open until the time was up. */
  readonly isLate: boolean;
  constructor(message: string, call: ServiceCall, isLate = false) {
    super(message);
    this.call = call;
    this.isLate = isLate;
  }
}

/** The media type of a response without parameters, in lower case; empty without one. */
export function mediaType(exchange: Exchange): string {
  return parseMediaType(exchange.headers.get('content-type') ?? '');
}

export function parseMediaType(header: string): string {
  return header.split(';')[0]?.trim().toLowerCase() ?? '';
}

export const JSON_MEDIA_TYPE = /[/+]json$/;

/** The member if it is a string. */
export function readString(value: Json | undefined, name: string): string | undefined {
  const found = readMember(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** JSON must not begin with it (RFC 8259, section 8.1). */
export const BYTE_ORDER_MARK = /^\uFEFF/;

/** The value; undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Parses the JSON of a file, which editors on Windows begin with a byte order mark. Throws a SyntaxError. */
export function parseJsonFile(text: string): unknown {
  return JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
}

/** The receiver's reply to a delivery attempt: a status code, or a way to fail without one. */
export type DeliveryReply = number | 'hang' | 'close';

/** The reply to the first webhook that reports the status. */
export interface ReplyToStatus {
  readonly status: string;
  readonly reply: DeliveryReply;
}

/** One attempt of the service to deliver a webhook. */
export interface ReceivedDelivery {
  readonly number: number;
  /** The address that it came to: the last part of its path. */
  readonly token: string;
  readonly method: string;
  /** The query with its question mark, or an empty string. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, if it is JSON. */
  readonly body?: Json;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly reply: DeliveryReply;
}

/** All exchanges and deliveries of a run, in order. The checks of the phase `end` judge it. */
export interface Journal {
  readonly exchanges: Exchange[];
  readonly deliveries: ReceivedDelivery[];
}

export function openJournal(): Journal {
  return { exchanges: [], deliveries: [] };
}

/** The last part of the callback address in a creation; empty without one. */
export function parseToken(exchange: Exchange): string {
  const { body, text } = exchange.call;
  const source = typeof text === 'string' ? text : JSON.stringify(body ?? null);
  return /"callback_url":\s*"[^"]*\/([0-9a-f]+)(?:\?[^"]*)?"/.exec(source)?.[1] ?? '';
}

/** Deliveries to the addresses of this merchant's requests that the contract allows. */
export function explainable({ exchanges, deliveries }: Journal): ReceivedDelivery[] {
  const invalid = new Set(exchanges.filter(({ call }) => call.invalid || call.key !== undefined).map(parseToken));
  return deliveries.filter(({ token }) => !invalid.has(token));
}
