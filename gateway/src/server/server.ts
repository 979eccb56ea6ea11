/** Puts the app on Node's HTTP server, with limits and time-outs of connections. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import type { App } from '../http/app.ts';
import { ConnectionCut } from '../http/context.ts';
import type { WireContract } from '../http/contract.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Log } from '../platform/log.ts';
import { setImmediate } from '../platform/native-timers.ts';
import { limitConnections, type ServerConnectionLimits } from './connections.ts';
import { respondToMalformed } from './malformed.ts';
import { NodeConnection, UNADDRESSED } from './node-connection.ts';
import { Pipelines } from './pipelines.ts';
import { clientBehindProxies, type TrustedProxies } from './proxies.ts';

export interface ServerLimits extends ServerConnectionLimits {
  /** Milliseconds that a connection may be idle after a response. */
  readonly keepAliveMs: number;
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

export interface HttpServerOptions {
  readonly contract: WireContract;
  readonly limits: ServerLimits;
  readonly proxies: TrustedProxies;
  readonly metrics: Pick<Metrics, 'connectionsRefused'>;
  readonly log: Log;
  /** Whether the global `Request` and `Response` are replaced by faster ones. */
  readonly replaceGlobals: boolean;
}

/** Number of checks for late requests within the time limit. */
const CHECKS = 4;

/** Makes the server, which doesn't listen yet. Every response is the app's own, and the time limits hold. */
export function createHttpServer(app: App, options: HttpServerOptions): Server {
  const { limits, proxies, metrics, log } = options;
  const { headerTimeoutMs, requestTimeoutMs } = limits;
  const server = createServer({
    requireHostHeader: false,
    connectionsCheckingInterval: Math.ceil(Math.min(headerTimeoutMs, requestTimeoutMs) / CHECKS),
    headersTimeout: headerTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
  });
  server.setTimeout(requestTimeoutMs);
  // A client may end its side once it has sent its request.
  Object.assign(server, { httpAllowHalfOpen: true });
  const pipelines = new Pipelines(requestListener(app, options), () =>
    metrics.connectionsRefused.inc({ limit: 'PIPELINED_MAX' }),
  );
  server.on('request', (incoming, outgoing) => pipelines.accept(incoming, outgoing));
  // A server may ignore an unknown expectation (RFC 9110, 10.1.1).
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  server.on('clientError', respondToMalformed(options.contract, app.newRequestId, log, pipelines));
  limitConnections(server, limits, proxies.trustProxy, metrics, log);
  return server;
}

function requestListener(app: App, { proxies, log, replaceGlobals }: HttpServerOptions) {
  const clientOf = clientBehindProxies(proxies);
  const endOfTurn = createTurn();
  async function respond(request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> {
    try {
      const connection = new NodeConnection(incoming as IncomingMessage, clientOf);
      const response = await app.fetch(request, connection);
      // While the gateway drains, clients move on, and no idle connection holds up the end.
      if (app.lifecycle.phase !== 'serving' || connection.hasUnclearEnd) outgoing.setHeader('connection', 'close');
      // Responses of one commit are sent together anyway.
      if (incoming.method === 'GET') await endOfTurn();
      return response;
    } catch (error) {
      if (!(error instanceof ConnectionCut)) log.error({ err: error }, 'could not respond');
      incoming.socket.destroy();
      throw error;
    }
  }
  return getRequestListener((request, env) => respond(request, env as HttpBindings), {
    // HTTP/1.0 needs no Host.
    hostname: 'localhost',
    overrideGlobalObjects: replaceGlobals,
    autoCleanupIncoming: false,
    errorHandler: (error) =>
      error instanceof RequestError ? app.fetch(new Request('http://localhost/'), UNADDRESSED) : undefined,
  });
}

/**
 * Returns a function whose promises resolve together at the end of the turn of the event loop, so that responses are written
 * one after the other. A write to a socket wakes its sleeping reader, which costs more than the rest of a read; right after
 * another write the reader is awake.
 */
function createTurn(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  return () => {
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
    return turn;
  };
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

/** Closes the server, even if it never listened. Resolves when its last connection has ended. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error?: NodeJS.ErrnoException) =>
      error && error.code !== 'ERR_SERVER_NOT_RUNNING' ? reject(error) : resolve(),
    );
  });
}
