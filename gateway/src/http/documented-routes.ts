/** Routes made from the operations of a document, the contract or that of an API of the gateway's own: one for each, with its handler. */
import type { Operation } from '../../../contract/src/model.ts';
import { successStatus } from '../wire/contract.ts';
import { EventStream } from './event-stream.ts';
import { JSON_TYPE, NO_CONTENT, type PlainResponse } from './plain.ts';
import type { Route } from './router.ts';
import type { ServedRequest } from './served-request.ts';

const JSON_HEADERS = { 'content-type': JSON_TYPE };
/** Proxies must neither keep a stream back nor join its messages. */
const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

/** Returns the body of the success: JSON, a stream, or undefined if there is none. */
export type RouteHandler = (request: ServedRequest) => Promise<unknown>;

/** The route of an operation, which the log and the metrics know by a name. */
export function documentedRoute(described: Operation, handle: RouteHandler, operation = described.id): Route {
  const status = successStatus(described);
  return {
    method: described.method.toUpperCase(),
    path: described.path,
    operation,
    respond: async (request) => success(status, await handle(request)),
  };
}

function success(status: number, result: unknown): PlainResponse {
  if (result === undefined) return NO_CONTENT;
  if (result instanceof EventStream) return { status, headers: STREAM_HEADERS, body: result };
  return { status, headers: JSON_HEADERS, body: JSON.stringify(result) };
}

/** Throws for each operation of the document without a handler, each handler without an operation, and `others`. */
export function requireHandlers(
  document: string,
  operations: readonly Operation[],
  handlers: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): void {
  const described = new Set(operations.map(({ id }) => id));
  const complaints = [
    ...[...described].filter((id) => !Object.hasOwn(handlers, id)).map((id) => `the operation ${id} has no handler`),
    ...Object.keys(handlers)
      .filter((id) => !described.has(id))
      .map((id) => `the handler ${id} has no operation`),
    ...others,
  ];
  if (complaints.length > 0) throw new Error(`the gateway and ${document} differ: ${complaints.join('; ')}`);
}
