/** An endpoint of a merchant on loopback. It records its requests. */
import type { ServerResponse } from 'node:http';
import { openEndpoint, type Received } from '../../tools/endpoint.ts';
import { afterwards } from '../harness.ts';

export type Respond = (response: ServerResponse, received: Received, count: number) => void;

export interface Receiver {
  /** Its base URL, without a path. */
  readonly address: string;
  readonly port: number;
  readonly requests: Received[];
  /** Resolves when this many requests have come. */
  received(count: number): Promise<void>;
  /** Replaces how it responds. */
  respondWith(respond: Respond): void;
}

/** Responds with a status and no body. */
export function status(code: number, headers: Record<string, string> = {}): Respond {
  return (response) => response.writeHead(code, headers).end();
}

/** Never responds. */
export const hang: Respond = () => undefined;

/** Resets the connection. */
export const reset: Respond = (response) => response.socket?.resetAndDestroy();

/** Starts a receiver, which is closed afterwards. Without `respond` it returns 204. */
export async function startReceiver(respond = status(204)): Promise<Receiver> {
  const requests: Received[] = [];
  const waiting: { count: number; done: () => void }[] = [];
  const { port, url, close } = await openEndpoint((response, received) => {
    requests.push(received);
    respond(response, received, requests.length);
    for (const { count, done } of waiting) if (requests.length >= count) done();
  });
  afterwards(close);
  return {
    address: url,
    port,
    requests,
    received(count) {
      if (requests.length >= count) return Promise.resolve();
      return new Promise((done) => waiting.push({ count, done }));
    },
    respondWith(next) {
      respond = next;
    },
  };
}
