/** An endpoint for webhooks on loopback that remembers when each came. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  readonly url: string;
  /** When the first of each name came, by performance.now(). */
  readonly arrivals: ReadonlyMap<string, number>;
  close(): void;
}

/** Starts the endpoint. It responds to everything with 204; `nameOf` says what it was. */
export async function startReceiver(nameOf: (headers: IncomingHttpHeaders, body: string) => string): Promise<Receiver> {
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
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
