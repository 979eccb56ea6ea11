/** Sends deliveries to the endpoint under test, each over a new connection. */

import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { VectorDelivery } from '../../../contract/src/vectors/writer.ts';
import { explainNetworkError } from '../service/http.ts';
import { timeoutWhileAwake } from '../time/awake.ts';

export interface EndpointOptions {
  readonly url: URL;
  /** Added to every delivery, such as headers that a proxy in front of the endpoint needs. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds to wait for the response when the body has been sent. */
  readonly timeoutMs: number;
}

/** The endpoint's reply: a status, or the reason why there is none. */
export interface EndpointReply {
  readonly status?: number;
  readonly retryAfter?: string;
  readonly failure?: string;
  /** Whether the endpoint had its time and didn't use it. */
  readonly late: boolean;
}

/** The pace of the body: at once; in parts; or in part, after which the connection is closed. */
export type BodyPace = 'at once' | 'slow' | 'cut';

export interface WebhookEndpoint {
  deliver(delivery: VectorDelivery, pace?: BodyPace): Promise<EndpointReply>;
}

/** Number of times in a row that the endpoint may ask to wait, with Retry-After in seconds. */
const BUSY_MAX = 8;
const BUSY = new Set([429, 503]);

const PARTS = 4;
/** Between two parts of a slow body. */
const PAUSE_MS = 250;

export function openEndpoint({ url, headers, timeoutMs }: EndpointOptions): WebhookEndpoint {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const once = async (delivery: VectorDelivery, pace: BodyPace): Promise<EndpointReply> => {
    const bytes = Buffer.from(delivery.body);
    const own = { ...headers, ...delivery.headers, 'content-length': String(bytes.length) };
    // Without an agent's idle socket: if the endpoint closes it, the delivery fails.
    const request = open(url, { method: 'POST', headers: own, agent: false });
    const reply = deliver(request);
    const cancel = await write(request, bytes, pace, timeoutMs);
    return reply.finally(cancel);
  };
  return {
    async deliver(delivery, pace = 'at once') {
      for (let attempt = 1; ; attempt += 1) {
        const reply = await once(delivery, pace);
        const waitMs = busyMs(reply);
        if (waitMs === undefined || waitMs > timeoutMs || attempt > BUSY_MAX) return reply;
        await pause(waitMs);
      }
    },
  };
}

/** Milliseconds to wait for a busy endpoint; undefined if it isn't busy. A busy reply doesn't judge the delivery. */
function busyMs({ status = 0, retryAfter = '' }: EndpointReply): number | undefined {
  return BUSY.has(status) && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : undefined;
}

function deliver(request: ClientRequest): Promise<EndpointReply> {
  return new Promise((resolve) => {
    request.once('response', (response) => {
      // Ignores the body. An endless one must not keep this process.
      response.on('error', () => {}).resume();
      response.socket.unref();
      const retryAfter = response.headers['retry-after'];
      resolve({ status: response.statusCode ?? 0, late: false, ...(retryAfter !== undefined && { retryAfter }) });
    });
    request.on('error', (error) => resolve({ failure: explainNetworkError(error), late: error instanceof Late }));
  });
}

class Late extends Error {}

/** Writes the body and starts the endpoint's timeout. Returns a function that cancels it. */
async function write(request: ClientRequest, bytes: Buffer, pace: BodyPace, timeoutMs: number): Promise<() => void> {
  if (pace === 'cut') {
    request.write(bytes.subarray(0, bytes.length / 2), () => request.destroy());
  } else if (pace === 'slow') {
    const size = Math.ceil(bytes.length / PARTS);
    for (let at = 0; at < bytes.length && !request.destroyed; at += size) {
      request.write(bytes.subarray(at, at + size));
      await pause(PAUSE_MS);
    }
    request.end();
  } else {
    request.end(bytes);
  }
  return timeoutWhileAwake(timeoutMs, () => request.destroy(new Late(`no response within ${timeoutMs} ms`)));
}
