/** The routes of one of the gateway's own APIs, made from its document. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { RequestTables } from '../../../contract/src/request-check.ts';
import { type GatewayApi, readApiDocument } from '../wire/gateway-apis.ts';
import { addDocumentedRoute, requireHandlers } from './documented-routes.ts';
import { idForLog } from './observe.ts';
import { requestCheck } from './request-check.ts';

/** A request that was let in and fits the document, and its reply for operations that set headers. */
export interface AdmittedRequest {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface OwnRoutes<Handler> {
  readonly api: GatewayApi;
  /** By the document's operationId. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly validators: RequestTables;
  /** The hook that lets requests in, to operations that are open to everyone or to the others. */
  readonly admit: (isOpen: boolean) => onRequestHookHandler;
  readonly run: (handler: Handler, request: AdmittedRequest) => Promise<unknown>;
  /** Begins the names under which the log and the metrics have the operations, if others have the same. */
  readonly prefix?: string;
}

/** Adds a route for each operation. An operation without a handler, or a handler without an operation, stops the start. */
export function addOwnRoutes<Handler>(app: FastifyInstance, routes: OwnRoutes<Handler>): void {
  const { api, handlers, validators, admit, run, prefix = '' } = routes;
  const { operations, open } = readApiDocument(api);
  requireHandlers(`the document of the ${api} API`, operations, handlers);
  for (const described of operations) {
    const handler = handlers[described.id] as Handler;
    const check = requestCheck(described, validators);
    addDocumentedRoute(
      app,
      described,
      {
        onRequest: [admit(open.has(described.id))],
        async handle(request, reply) {
          // Bodies are optional where all of their members are.
          const body = request.body ?? (described.request ? {} : undefined);
          const parameters = check({ params: request.params, query: request.query, body });
          request.transactionId = idForLog(parameters['transaction_id']);
          return run(handler, { operationId: described.id, parameters, body, request, reply });
        },
      },
      prefix + described.id,
    );
  }
}
