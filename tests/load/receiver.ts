/** An endpoint for webhooks on loopback that remembers when each came. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Loopback, listenOnLoopback } from '../tools/loopback.ts';

export interface Receiver extends Loopback {
  /** Arrival of the first request of each name, by performance.now(). */
  readonly arrivals: ReadonlyMap<string, number>;
}

/** Starts the endpoint. It responds to everything with 204; `nameOf` says what it was. */
export async function startReceiver(
  nameOf: (headers: IncomingHttpHeaders, body: string) => string,
  onArrival: (name: string) => void = () => undefined,
): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const name = nameOf(request.headers, body);
      if (!arrivals.has(name)) arrivals.set(name, performance.now());
      response.writeHead(204).end();
      onArrival(name);
    });
  });
  return { ...(await listenOnLoopback(server)), arrivals };
}
