/** Routes made from the operations of a document, the contract or that of an API of the gateway's own: one for each, with its handler. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify';
import type { Operation } from '../../../contract/src/model.ts';
import { successStatus } from '../wire/contract.ts';

/** The hooks and the handler of an operation. */
export interface RouteService {
  /** Run once the operation is known to the log and the metrics. */
  readonly onRequest: readonly onRequestHookHandler[];
  readonly onSend?: readonly onSendHookHandler[];
  /** Returns the body of the success: JSON, a stream whose headers are set, or undefined if there is none. */
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

/** Adds the route of an operation, which the log and the metrics know by a name. */
export function addDocumentedRoute(
  app: FastifyInstance,
  operation: Operation,
  { onRequest, onSend = [], handle }: RouteService,
  name = operation.id,
): void {
  const { method, path } = operation;
  const status = successStatus(operation);
  app.route({
    method: method.toUpperCase(),
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: [
      (request, _reply, done) => {
        request.operation = name;
        done();
      },
      ...onRequest,
    ],
    onSend: [...onSend],
    handler: async (request, reply) => {
      const result = await handle(request, reply);
      if (result instanceof Readable) return result;
      if (result === undefined) return reply.code(204).send();
      reply.code(status).header('content-type', 'application/json; charset=utf-8');
      // Not the reply itself, whose end Fastify would wait for.
      return JSON.stringify(result);
    },
  });
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
