/** Puts the app on Node's HTTP server, with limits and time-outs of connections. */

import { createServer, type IncomingMessage, maxHeaderSize, type Server } from 'node:http';
import type { AddressInfo, BlockList, Server as NetServer, Socket } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import type { Violation } from '../../../generated/types.ts';
import type { App } from '../http/app.ts';
import { ConnectionCut } from '../http/context.ts';
import type { WireContract } from '../http/contract.ts';
import type { Metrics } from '../http/metrics.ts';
import { invalid, PROBLEM_TYPE, problemBody } from '../http/problems.ts';
import { REQUEST_ID, RESPONSE_HEADERS } from '../http/responses.ts';
import { createBlockList, readFamily, toNetwork } from '../platform/cidr.ts';
import type { Log } from '../platform/log.ts';
import { LOOPBACK_CIDRS } from '../platform/loopback.ts';
import { clearTimeout, setImmediate, setTimeout } from '../platform/timers.ts';
import { NodeConnection, UNADDRESSED } from './node-connection.ts';
import { Pipelines } from './pipelines.ts';
import { clientBehindProxies, type TrustedProxies } from './proxies.ts';

export interface ServerLimits extends ServerConnectionLimits {
  /** Milliseconds that a connection may be idle after a response. */
  readonly keepAliveMs: number;
  readonly headerTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

interface HttpServerOptions {
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
  const { limits, metrics, log } = options;
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
  limitConnections(server, options);
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

// Limits connections per address, so that one client can't use them all. A connection over the limit is closed
// immediately, like Node's own limit: a response would occupy capacity that others need.

interface ServerConnectionLimits {
  readonly connectionsMax: number;
  /** 0 means a tenth of all. */
  readonly connectionsPerAddress: number;
}

const SHARE = 10;

/** Applies the limits. Connections from loopback and from trusted proxies, which stand for many clients, count for no address. */
function limitConnections(
  server: NetServer,
  { limits, proxies, metrics: { connectionsRefused }, log }: HttpServerOptions,
): void {
  const { connectionsMax, connectionsPerAddress } = limits;
  const perAddress = connectionsPerAddress || Math.max(1, Math.floor(connectionsMax / SHARE));
  const exempt = createBlockList([...LOOPBACK_CIDRS, ...proxies.trustProxy]);
  const open = new Map<string, number>();
  const warned = new Set<string>();
  server.maxConnections = connectionsMax;
  server.on('drop', () => connectionsRefused.inc({ limit: 'CONNECTIONS_MAX' }));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || includesAddress(exempt, remoteAddress)) return;
    const network = toNetwork(remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= perAddress) {
      socket.destroy();
      connectionsRefused.inc({ limit: 'CONNECTIONS_PER_ADDRESS' });
      if (warned.has(network)) return;
      warned.add(network);
      log.warn({ address: network, connections: count }, 'refused a connection over CONNECTIONS_PER_ADDRESS');
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      // An address is forgotten with its last connection.
      else if (open.delete(network)) warned.delete(network);
    });
  });
}

function includesAddress(list: BlockList, address: string): boolean {
  return list.check(address, readFamily(address));
}

// Handles input that is invalid HTTP or never ends. It gets the contract's problem over the raw socket, which then
// closes.

type ClientError = Error & { readonly code?: string };

/** Node's own errors by their code. */
const MALFORMED: Readonly<Record<string, Omit<Violation, 'pointer'>>> = {
  HPE_HEADER_OVERFLOW: { in: 'header', message: `must be at most ${maxHeaderSize} bytes in all` },
  HPE_INVALID_CHUNK_SIZE: { in: 'body', message: 'has a chunk without a valid size' },
  ERR_HTTP_REQUEST_TIMEOUT: { in: 'header', message: 'did not arrive in time' },
};
const NOT_HTTP = { in: 'header', message: 'is not valid HTTP/1.1' } as const;

/** The client has this long to read the response and to end its side. */
const LINGER_MS = 1_000;

/** Responds on a socket whose bytes Node could not read. */
function respondToMalformed(
  contract: WireContract,
  newRequestId: () => string,
  log: Log,
  pipelines: Pick<Pipelines, 'whenAnswered'>,
): (error: ClientError, socket: Socket) => void {
  const ending = new WeakSet<Socket>();
  const respond = (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const violation = { pointer: '', ...(MALFORMED[error.code ?? ''] ?? NOT_HTTP) };
    const requestId = newRequestId();
    const problem = problemBody(contract, invalid([violation]), requestId);
    const body = JSON.stringify(problem);
    const headers = {
      ...RESPONSE_HEADERS,
      [REQUEST_ID]: requestId,
      'content-type': PROBLEM_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const head = [
      `HTTP/1.1 ${problem.status} Bad Request`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    endGently(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
    // Not measured: where the body is at fault, its request has begun and is measured when it ends.
    log.info({ request_id: requestId, status: problem.status, reason: error.code }, 'refused invalid HTTP');
  };
  return (error, socket) => {
    // Ignores further unreadable input.
    if (ending.has(socket)) return;
    ending.add(socket);
    socket.pause();
    // The requests before it are served, and their responses come first.
    pipelines.whenAnswered(socket, () => respond(error, socket));
  };
}

/** Sends a connection's last bytes. Closing it while requests still arrive would reset it, and the client would lose them. */
function endGently(socket: Socket, text: string): void {
  const late = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(late));
  socket.once('end', () => socket.destroy());
  socket.end(text);
  socket.resume();
}
