/** Node's HTTP server in front of the gateway: limits and time-outs, and what comes in and goes out over a connection. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../http/metrics.ts';
import type { Responder } from '../http/respond.ts';
import type { Log } from '../platform/log.ts';
import type { WireContract } from '../wire/contract.ts';
import { createBatch } from './batched-responses.ts';
import { limitConnections, type ServerConnectionLimits } from './connections.ts';
import { respondToMalformed } from './malformed.ts';
import { clientBehindProxies } from './proxies.ts';
import { ReceivedRequest } from './received-request.ts';
import { cutConnection, sendResponse } from './send-response.ts';

export interface ServerLimits extends ServerConnectionLimits {
  /** Milliseconds that a connection may be idle after a response. */
  readonly keepAliveMs: number;
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

export interface HttpServerOptions {
  readonly contract: WireContract;
  readonly limits: ServerLimits;
  /** CIDRs of the reverse proxies whose X-Forwarded headers are believed. */
  readonly trustProxy: readonly string[];
  readonly metrics: Pick<Metrics, 'connectionsRefused'>;
  readonly log: Log;
}

/** Looks for what is late this many times in the time that it has. */
const CHECKS = 4;

/** Makes the server, which doesn't listen yet. Every response is the gateway's own, and the time limits hold. */
export function createHttpServer(responder: Responder, options: HttpServerOptions): Server {
  const { limits, trustProxy, metrics, log } = options;
  const { headerTimeoutMs, requestTimeoutMs } = limits;
  const server = createServer({
    requireHostHeader: false,
    connectionsCheckingInterval: Math.ceil(Math.min(headerTimeoutMs, requestTimeoutMs) / CHECKS),
    headersTimeout: headerTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
  });
  server.setTimeout(requestTimeoutMs);
  const clientOf = clientBehindProxies(trustProxy);
  const batch = createBatch();
  server.on('request', (incoming, outgoing) => {
    const send = responder.respond(new ReceivedRequest(incoming, clientOf)).then((response) => {
      // A response that waits for a commit is sent with those of the same commit anyway.
      if (incoming.method === 'GET') batch(() => sendResponse(incoming, outgoing, response));
      else sendResponse(incoming, outgoing, response);
    });
    send.catch((error: unknown) => {
      log.error({ err: error }, 'could not send a response');
      cutConnection(incoming);
    });
  });
  // An expectation that nobody knows may be left unmet (RFC 9110, 10.1.1).
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  server.on('clientError', respondToMalformed(options.contract, responder.newRequestId, log));
  limitConnections(server, limits, trustProxy, metrics, log);
  return server;
}

/** Listens, and returns the server's address as a URL. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const { address, family, port: taken } = server.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`);
    });
  });
}

/** Closes the server, also if it never listened. Resolves when its last connection has ended. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error?: NodeJS.ErrnoException) =>
      error && error.code !== 'ERR_SERVER_NOT_RUNNING' ? reject(error) : resolve(),
    );
  });
}
