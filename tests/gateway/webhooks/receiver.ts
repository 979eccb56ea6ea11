/** An endpoint of a merchant on loopback. It records its requests. */
import type { ServerResponse } from 'node:http';
import { vi } from 'vitest';
import { openEndpoint, type Received } from '../../tools/endpoint.ts';
import { afterwards } from '../harness.ts';

export type Respond = (response: ServerResponse, received: Received, count: number) => void;

/** Responds with a status and no body. */
export function status(code: number, headers: Record<string, string> = {}): Respond {
  return (response) => response.writeHead(code, headers).end();
}

/** Never responds. */
export const hang: Respond = () => undefined;

/** Resets the connection. */
export const reset: Respond = (response) => response.socket?.resetAndDestroy();

/** Leaves it to the time limit of a test to end the wait. */
export const WAITING = { interval: 2, timeout: 240_000 };

/** Starts a receiver, which is closed afterwards. Without `respond` it returns 204. */
export async function startReceiver(respond = status(204)) {
  const requests: Received[] = [];
  const { port, url, close } = await openEndpoint((response, received) => {
    requests.push(received);
    respond(response, received, requests.length);
  });
  afterwards(close);
  return {
    ...{ port, requests },
    /** Its base URL, without a path. */
    address: url,
    /** Resolves when this many requests have come. */
    received: (count: number) => vi.waitUntil(() => requests.length >= count, WAITING),
    /** Replaces how it responds. */
    respondWith(next: Respond) {
      respond = next;
    },
  };
}
