/** A webhook endpoint that records only arrival times, since there may be millions of webhooks. */

import { openEndpoint, type Received } from '../tools/endpoint.ts';
import type { Loopback } from '../tools/loopback.ts';

export interface TimedEndpoint extends Loopback {
  /** Arrival of the first request with each name, by performance.now(). */
  readonly arrivals: ReadonlyMap<string, number>;
}

/** Opens the endpoint, which responds to every request with 204. `nameOf` returns the name to record. */
export async function timeArrivals(
  nameOf: (received: Received) => string,
  onArrival: (name: string) => void = () => undefined,
): Promise<TimedEndpoint> {
  const arrivals = new Map<string, number>();
  const endpoint = await openEndpoint((response, received) => {
    const name = nameOf(received);
    if (!arrivals.has(name)) arrivals.set(name, performance.now());
    response.writeHead(204).end();
    onArrival(name);
  });
  return { ...endpoint, arrivals };
}
