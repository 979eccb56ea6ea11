/** Load on loopback, from a process of its own, since the generator needs a core as the server does. */
import autocannon from 'autocannon';

export interface LoadOptions {
  url: string;
  /** Connections, each with one request at a time. */
  connections: number;
  seconds: number;
  key: string;
  /** Requests with a body of their own; a GET of the path otherwise. */
  body?: (index: number) => unknown;
}

export interface Load {
  requestsPerSecond: number;
  /** Milliseconds. */
  p99Ms: number;
  failures: number;
}

/** Runs the load and returns what was answered. Anything but a 2xx counts as a failure. */
export async function load({ url, connections, seconds, key, body }: LoadOptions): Promise<Load> {
  let index = 0;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    ...(body && {
      requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, body: JSON.stringify(body(index++)) }) }],
    }),
  });
  return {
    requestsPerSecond: result.requests.average,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
