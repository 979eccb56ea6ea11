/** Everything that was sent and received in a run, in order. Rules that hold over the whole run are judged on it. */
import type { Json } from '../../../contract/src/model.ts';
import type { Exchange } from './exchange.ts';

/** What the receiver does with an attempt to deliver: a status code, or one of the ways to fail without one. */
export type Reply = number | 'hang' | 'close';

/** One attempt of the service to deliver a webhook. */
export interface Delivery {
  readonly number: number;
  /** The address that it came to: the last part of its path. */
  readonly token: string;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, if it is JSON. */
  readonly body?: Json;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly reply: Reply;
}

export interface Journal {
  readonly exchanges: Exchange[];
  readonly deliveries: Delivery[];
}

export function openJournal(): Journal {
  return { exchanges: [], deliveries: [] };
}
