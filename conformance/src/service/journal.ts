/** All exchanges and deliveries of a run, in order. The checks of the phase `end` judge it. */
import type { Json } from '../../../contract/src/model.ts';
import type { Exchange } from './exchange.ts';

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
