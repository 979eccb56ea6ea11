/** Receives webhooks for a test: an endpoint on this machine, which hands them out one after the other. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readText } from '../../../contract/src/read-text.ts';
import type { Payment, Payout } from '../../../generated/types.ts';
import { clearTimeout, setTimeout } from '../platform/native-timers.ts';
import { findForgery } from '../webhooks/forgery.ts';
import { readWireFormat } from '../webhooks/signature.ts';
import { readContract } from '../wire/contract.ts';

/** A webhook whose signature was right. */
export interface ReceivedWebhook {
  /** `webhook-id`: the same for each attempt of one event. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Payment | Payout;
}

export interface NextOptions {
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
  /** Webhooks that nobody has asked for yet, oldest first. */
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
const BODY_BYTES_MAX = 65_536;
/** More that nobody asks for are forgotten, the oldest first. */
const WAITING_MAX = 10_000;

/**
 * Opens an inbox for webhooks that are signed with the secret. `now` resolves with the time that
 * their timestamps are compared with, in milliseconds since 1970.
 */
export async function openInbox(secret: string, now: () => Promise<number>): Promise<WebhookInbox> {
  const format = readWireFormat(readContract().bundle);
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

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request, BODY_BYTES_MAX);
    if (body === undefined) return end(response, 413);
    const status = statuses.shift();
    if (status !== undefined && (status < 200 || status > 299)) return end(response, status);
    const header = (name = '') => String(request.headers[name.toLowerCase()] ?? '');
    const id = header(format.id);
    const [signature, timestamp] = [header(format.signatures[0]), header(format.timestamp)];
    const forgery = await findForgery({ id, timestamp, signature, body }, secret, await now());
    if (forgery !== undefined) return end(response, 400, forgery);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    end(response, status ?? 204);
    take({ id, headers, body: JSON.parse(body) as Payment | Payout });
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => end(response, 400));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that forgets to close it ends anyway.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    waiting,
    respondWith: (...next) => void statuses.push(...next),
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function end(response: ServerResponse, status: number, text = ''): void {
  if (!response.headersSent) response.writeHead(status).end(text);
}
