/** An inbox of webhooks, from which a test takes one after the other. It is independent of the transport. */
import type { Bundle } from '../../../contract/src/model.ts';
import type { Payment, Payout } from '../../../generated/types.ts';
import { clearTimeout, setTimeout } from '../platform/timers.ts';
import { findForgery, readReceived, readWireFormat } from '../webhooks/signature.ts';

/** A webhook whose signature was right. */
export interface ReceivedWebhook {
  /** `webhook-id`: the same for each attempt of one event. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Payment | Payout;
}

interface NextOptions {
  /** Only one about this transaction. */
  readonly transactionId?: string;
  /** Milliseconds to wait; 5 seconds by default. */
  readonly timeoutMs?: number;
}

export interface WebhookInbox {
  /** Address to use as `callback_url`. */
  readonly url: string;
  /** The next webhook with this status, or of any status. Each is handed out once. Rejects when none comes in time. */
  next(status?: string, options?: NextOptions): Promise<ReceivedWebhook>;
  /** Unread webhooks, oldest first. */
  readonly waiting: readonly ReceivedWebhook[];
  /** Responds to the next attempts with these statuses, for tests of retries. */
  respondWith(...statuses: number[]): void;
  close(): Promise<void>;
}

interface Waiter {
  readonly fits: (webhook: ReceivedWebhook) => boolean;
  readonly resolve: (webhook: ReceivedWebhook) => void;
}

const TIMEOUT_MS = 5_000;
/** Limit of unread webhooks. The oldest are dropped. */
const WAITING_MAX = 10_000;

/** A request to the inbox; the names of its headers are in lower case. */
interface InboxRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface InboxResponse {
  readonly status: number;
  /** The reason of a refusal. */
  readonly text?: string | undefined;
}

export interface Inbox extends Pick<WebhookInbox, 'next' | 'waiting' | 'respondWith'> {
  receive(arrival: InboxRequest): Promise<InboxResponse>;
}

/**
 * Creates an inbox for webhooks signed with the secret in the contract's format. `now` returns the time to compare
 * timestamps with, in milliseconds since 1970.
 */
export function createInbox(contract: Bundle, secret: string, now: () => Promise<number>): Inbox {
  const format = readWireFormat(contract);
  const waiting: ReceivedWebhook[] = [];
  const waiters = new Set<Waiter>();
  const statuses: number[] = [];

  function take(webhook: ReceivedWebhook): void {
    for (const waiter of waiters) {
      if (!waiter.fits(webhook)) continue;
      waiters.delete(waiter);
      waiter.resolve(webhook);
      return;
    }
    if (waiting.push(webhook) > WAITING_MAX) waiting.shift();
  }

  return {
    waiting,
    respondWith: (...next) => void statuses.push(...next),
    async receive({ headers, body }) {
      const status = statuses.shift();
      if (status !== undefined && (status < 200 || status > 299)) return { status };
      const received = readReceived(format, (name) => headers[name.toLowerCase()], body);
      const forgery = await findForgery(received, secret, await now());
      if (forgery !== undefined) return { status: 400, text: forgery };
      take({ id: received.id, headers, body: JSON.parse(body) as Payment | Payout });
      return { status: status ?? 204 };
    },
    next(status, { transactionId, timeoutMs = TIMEOUT_MS } = {}) {
      const fits = ({ body }: ReceivedWebhook) =>
        (status === undefined || body.status === status) &&
        (transactionId === undefined || body.transaction_id === transactionId);
      const index = waiting.findIndex(fits);
      const [found] = index < 0 ? [] : waiting.splice(index, 1);
      if (found) return Promise.resolve(found);
      const { promise, resolve, reject } = Promise.withResolvers<ReceivedWebhook>();
      const waiter = { fits, resolve };
      waiters.add(waiter);
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        const seen = waiting.map(({ body }) => body.status).join(', ') || 'none';
        reject(new Error(`no webhook ${status ?? ''} within ${timeoutMs} ms; waiting: ${seen}`));
      }, timeoutMs);
      return promise.finally(() => clearTimeout(timer));
    },
  };
}
