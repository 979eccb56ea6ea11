/**
 * Requests and responses without a transport. An adapter makes the request of what it received, has it responded to, and
 * sends the response: `node/` for servers, `web/` for pages and workers.
 */
import type { Violation } from '../../../generated/types.ts';
import type { EventStream } from './event-stream.ts';

/** By name in lower case. A header that was sent several times is one, as its field allows: joined, or the first. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export interface PlainRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** Of the client. Behind a trusted proxy, it is the address that the proxy names. */
  readonly address: string;
  /** Host and port that the client asked for; empty without any. */
  readonly host: string;
  readonly protocol: string;
  readonly hasBody: boolean;
  /** A rule of HTTP that the request breaks. */
  readonly violation?: Violation | undefined;
  /**
   * Reads the body. It is read when it is needed: a client without a key sends none that anybody waits for. Throws
   * `bodyTooLarge` for more bytes, and NoResponse if the client goes before all of them have arrived.
   */
  readBody(bytesMax: number): Promise<Uint8Array>;
  /** Calls back when the client goes before it has its response. Returns a function that prevents it. */
  onGone(callback: () => void): () => void;
}

/** By name in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

export interface PlainResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Undefined without a body. The response to HEAD has the one of GET, which the adapter leaves out. */
  readonly body?: string | Uint8Array | EventStream | undefined;
  /** Ends the connection before the response, or in the middle of its body. */
  readonly cut?: 'before' | 'midway' | undefined;
}

/**
 * The status of a request that gets no response, as nginx has it. Nobody receives it; log lines and metrics keep such
 * requests apart from failures.
 */
const CLIENT_CLOSED_REQUEST = 499;

/** Ends a request without a response: its client has gone, or is to see what that is like. */
export class NoResponse extends Error {
  static readonly response: PlainResponse = { status: CLIENT_CLOSED_REQUEST, headers: {}, cut: 'before' };
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A response whose body is JSON. */
export function jsonResponse(status: number, value: unknown): PlainResponse {
  return { status, headers: { 'content-type': JSON_TYPE }, body: JSON.stringify(value) };
}

/** A response that leads on. */
export function redirect(location: string, headers: ResponseHeaders = {}): PlainResponse {
  return { status: 303, headers: { ...headers, location }, body: '' };
}

/** A success without a body. */
export const NO_CONTENT: PlainResponse = { status: 204, headers: {} };
