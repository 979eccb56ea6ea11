/** Sends webhooks: over connections of its own on Node (deliver.ts), and by a function in a page. */
import type { Reply } from './retries.ts';

export interface Sender {
  /** Makes an attempt. It never rejects. */
  send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Reply>;
  /** Ends attempts that are under way, and all connections. */
  close(): void;
}

export interface SenderLimits {
  /** Milliseconds for the whole response head to arrive. */
  readonly answerWithinMs: number;
  /** Idle connections to one address that are kept. Merchants share an address, so nothing limits those in use here. */
  readonly keptPerAddress: number;
  /** Characters of response bodies that are kept; none by default. */
  readonly bodyCharsKept?: number | undefined;
}

export type OpenSender = (limits: SenderLimits) => Sender;

const USER_AGENT = 'payments-gateway';

/** All headers of a request that this side chooses. */
export function sentHeaders(headers: Readonly<Record<string, string>>, bytes: number): Record<string, string> {
  return { ...headers, 'content-length': String(bytes), 'user-agent': USER_AGENT };
}
