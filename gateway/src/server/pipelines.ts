/**
 * Serves the requests of a connection one after the other. Node emits all requests pipelined in one read, up to 2,000,
 * and would buffer as many responses for a client that doesn't read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

interface Pipeline {
  active: Exchange;
  readonly waiting: Exchange[];
  /** Whether the end of the active exchange is awaited. */
  isAwaited: boolean;
  /** Called once no exchange is active. */
  onIdle: (() => void) | undefined;
}

/** Requests that wait for their turn. A connection with more is closed: no client in use pipelines as many. */
export const PIPELINED_MAX = 100;

export class Pipelines {
  readonly #serve: Serve;
  readonly #onRefused: () => void;
  readonly #pipelines = new WeakMap<Socket, Pipeline>();

  constructor(serve: Serve, onRefused: () => void) {
    this.#serve = serve;
    this.#onRefused = onRefused;
  }

  /** Serves a request, once those before it on its connection have their responses. */
  accept(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    if (socket.destroyed) return;
    const exchange = { incoming, outgoing };
    const pipeline = this.#pipelines.get(socket);
    if (!pipeline) {
      this.#pipelines.set(socket, { active: exchange, waiting: [], isAwaited: false, onIdle: undefined });
      this.#serve(incoming, outgoing);
    } else if (pipeline.waiting.length === 0 && isSent(pipeline.active)) {
      pipeline.active = exchange;
      this.#serve(incoming, outgoing);
    } else if (pipeline.waiting.length < PIPELINED_MAX) {
      pipeline.waiting.push(exchange);
      socket.pause();
      this.#awaitActive(socket, pipeline);
    } else {
      this.#onRefused();
      socket.destroy();
    }
  }

  /**
   * Calls back once the complete requests on a connection have their responses. An incomplete request gets none, since
   * it will not end.
   */
  whenAnswered(socket: Socket, callback: () => void): void {
    const pipeline = this.#pipelines.get(socket);
    if (pipeline?.waiting.at(-1)?.incoming.complete === false) pipeline.waiting.pop();
    if (!pipeline || (pipeline.waiting.length === 0 && !isBeingAnswered(pipeline.active))) {
      callback();
      return;
    }
    pipeline.onIdle = callback;
    this.#awaitActive(socket, pipeline);
  }

  #awaitActive(socket: Socket, pipeline: Pipeline): void {
    if (pipeline.isAwaited) return;
    pipeline.isAwaited = true;
    pipeline.active.outgoing.once('close', () => this.#serveNext(socket, pipeline));
  }

  #serveNext(socket: Socket, pipeline: Pipeline): void {
    pipeline.isAwaited = false;
    const next = pipeline.waiting.shift();
    if (socket.destroyed) return;
    if (!next) {
      pipeline.onIdle?.();
      return;
    }
    pipeline.active = next;
    if (pipeline.waiting.length === 0) socket.resume();
    if (pipeline.waiting.length > 0 || pipeline.onIdle) this.#awaitActive(socket, pipeline);
    this.#serve(next.incoming, next.outgoing);
  }
}

function isBeingAnswered(exchange: Exchange): boolean {
  return exchange.incoming.complete && !isSent(exchange);
}

function isSent({ outgoing }: Exchange): boolean {
  return outgoing.writableFinished || outgoing.destroyed;
}
