/** Sends webhooks: over HTTP on Node (http-sender.ts), and through a function in a page. */
import type { Store } from '../database/store.ts';
import { toBase64 } from '../platform/base64.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { SendResult } from './retries.ts';

export interface Sender {
  /** Makes an attempt. It never rejects. */
  send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<SendResult>;
  /** Ends attempts in flight and closes all connections. */
  close(): void;
}

export interface SenderLimits {
  /** Milliseconds for the whole response head to arrive. */
  readonly answerWithinMs: number;
  /** Maximum characters kept of response bodies. Defaults to none. */
  readonly bodyCharsKept?: number | undefined;
}

export type OpenSender = (limits: SenderLimits) => Sender;

const USER_AGENT = 'payments-gateway';

/** The result to a request that comes after the sender was closed. */
export const SENDER_CLOSED: SendResult = { failure: 'not sent: the sender is closed' };

/** The result of a request in flight when the sender was closed. */
export const CUT_OFF: SendResult = { failure: 'no response: ECONNRESET' };

/** The header for the user name and password in a URL, if it has them. */
export function readCredentials({ username, password }: URL): { readonly authorization?: string } {
  if (!username && !password) return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${toBase64(new TextEncoder().encode(credentials))}` };
}

/** All headers of a request that this side chooses. */
export function sentHeaders(headers: Readonly<Record<string, string>>, bytes: number): Record<string, string> {
  return { ...headers, 'content-length': String(bytes), 'user-agent': USER_AGENT };
}

export interface DeliveryServices {
  readonly tracer?: Tracer | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly time: MerchantTime;
  readonly ids: Ids;
}
