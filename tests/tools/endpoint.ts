/** Endpoints for webhooks on loopback. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type Loopback, listenOnLoopback } from './loopback.ts';

export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Opens an endpoint that reads each request completely. Requests with a lost connection are ignored. */
export function openEndpoint(respond: (response: ServerResponse, received: Received) => void): Promise<Loopback> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { url: path = '', method = '', headers } = request;
      respond(response, { path, method, headers, body });
    });
  });
  return listenOnLoopback(server);
}
