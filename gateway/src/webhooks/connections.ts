/**
 * Connections to webhook endpoints. A connection carries one request at a time and stays open briefly afterwards. The
 * number of active connections per address isn't limited, since merchants share addresses and must not wait for each
 * other. Idle connections are limited.
 */
import { isIP, type LookupFunction, connect as openPlain, type Socket } from 'node:net';
import { connect as openSecure } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { areTimersFake } from '../platform/native-timers.ts';
import type { Guard } from './guard.ts';

export interface ConnectionLimits {
  /** Maximum idle connections per address, and in total. */
  readonly perAddress: number;
  readonly total: number;
}

/** Milliseconds for which an idle connection is kept. */
const KEPT_MS = 5_000;
/** An endpoint that says how long it keeps a connection may close it this much sooner. */
const KEPT_MARGIN_MS = 1_000;
/** Maximum cached TLS sessions, which speed up reconnects. */
const SESSIONS_MAX = 100;

type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;

/** One connection. It is opened with its first request, and again if it was closed before the next one was sent. */
export class EndpointConnection {
  readonly origin: string;
  readonly #client: Client;
  #socket: Socket | undefined;
  #responded = false;

  constructor(origin: string, connect: Connect, onClose: (connection: EndpointConnection) => void) {
    this.origin = origin;
    this.#client = new Client(origin, {
      connect: (options, callback) => {
        this.#responded = false;
        this.#socket = connect(options, callback);
      },
      // The sender limits the time itself: to the millisecond, and from before the connection is opened.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: KEPT_MS,
      keepAliveTimeoutThreshold: KEPT_MARGIN_MS,
    });
    this.#client.on('disconnect', () => onClose(this));
  }

  /** Whether a response has come on it before. Such a connection may have been closed since. */
  get responded(): boolean {
    return this.#responded;
  }

  request(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(options, handler);
  }

  markResponded(): void {
    this.#responded = true;
  }

  /** Closes it, even while connecting. Call it after a request's handler, not within. */
  end(): void {
    void this.#client.destroy();
    this.#socket?.destroy();
  }
}

export class EndpointConnections {
  readonly #connect: Connect;
  readonly #limits: ConnectionLimits;
  /** By origin. The most recently used one is last in the map and in its array. */
  readonly #idle = new Map<string, EndpointConnection[]>();
  #idleCount = 0;

  constructor(guard: Guard, limits: ConnectionLimits) {
    this.#connect = createConnect(guard);
    this.#limits = limits;
  }

  /** An idle connection, or a new one. */
  take(origin: string): EndpointConnection {
    const idle = this.#idle.get(origin)?.at(-1);
    // undici takes a connection again after a global setImmediate.
    if (!idle || areTimersFake()) return this.open(origin);
    this.#remove(idle);
    return idle;
  }

  /** An unused connection. */
  open(origin: string): EndpointConnection {
    return new EndpointConnection(origin, this.#connect, (closed) => this.#remove(closed));
  }

  /** Keeps a connection whose request has ended. */
  keep(connection: EndpointConnection): void {
    const { origin } = connection;
    const others = this.#idle.get(origin) ?? [];
    if (others.length >= this.#limits.perAddress) {
      connection.end();
      return;
    }
    this.#idle.delete(origin);
    this.#idle.set(origin, others);
    others.push(connection);
    this.#idleCount += 1;
    if (this.#idleCount > this.#limits.total) this.#endOldest();
  }

  /** Closes idle connections. */
  close(): void {
    while (this.#idleCount > 0) this.#endOldest();
  }

  #endOldest(): void {
    for (const [oldest] of this.#idle.values()) {
      if (!oldest) continue;
      this.#remove(oldest);
      oldest.end();
      return;
    }
  }

  #remove(connection: EndpointConnection): void {
    const others = this.#idle.get(connection.origin);
    const index = others?.indexOf(connection) ?? -1;
    if (!others || index === -1) return;
    others.splice(index, 1);
    if (others.length === 0) this.#idle.delete(connection.origin);
    this.#idleCount -= 1;
  }
}

/**
 * Returns a function that opens sockets to admitted addresses. It throws for a host that is rejected without a lookup.
 */
function createConnect(guard: Guard): Connect {
  const sessions = new Map<string, Buffer>();

  function remember(key: string, session: Buffer): void {
    sessions.delete(key);
    sessions.set(key, session);
    const [oldest] = sessions.keys();
    if (oldest !== undefined && sessions.size > SESSIONS_MAX) sessions.delete(oldest);
  }

  function secure(host: string, port: number, key: string, lookup: LookupFunction): Socket {
    // An address is not a server name in TLS; the certificate is checked for the host either way.
    const servername = isIP(host) === 0 ? host : '';
    const options = { host, port, servername, session: sessions.get(key), lookup };
    const socket = openSecure({ ...options, ALPNProtocols: ['http/1.1'] }).setNoDelay(true);
    return socket.on('session', (session) => remember(key, session));
  }

  return ({ protocol, hostname, port }, callback) => {
    guard.admit(hostname);
    const isSecure = protocol === 'https:';
    const key = `${hostname}:${port}`;
    const gone = new AbortController();
    const lookup = guard.lookup(gone.signal);
    const socket = isSecure
      ? secure(hostname, Number(port || 443), key, lookup)
      : openPlain({ host: hostname, port: Number(port || 80), lookup, noDelay: true });
    socket.once('close', () => gone.abort());
    const fail = (error: Error) => {
      // The session may be what the endpoint objects to.
      sessions.delete(key);
      callback(error, null);
    };
    return socket.once('error', fail).once(isSecure ? 'secureConnect' : 'connect', () => {
      socket.off('error', fail);
      callback(null, socket);
    });
  };
}
