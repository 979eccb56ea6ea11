/** An endpoint for webhooks that remembers when each came, and nothing else of them: there may be millions. */

import { openEndpoint, type Received } from '../tools/endpoint.ts';
import type { Loopback } from '../tools/loopback.ts';

export interface TimedEndpoint extends Loopback {
  /** Arrival of the first request of each name, by performance.now(). */
  readonly arrivals: ReadonlyMap<string, number>;
}

/** Opens the endpoint. It responds to everything with 204; `nameOf` says what it was. */
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
