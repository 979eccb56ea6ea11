/**
 * Observes every request until its response leaves: one log line and one measurement each, under the id that the response
 * carries as `x-request-id`. The id is never taken from the client: it finds one request among all log lines, so it must
 * be unique and can't be chosen to look like another's. A proxy that has ids of its own can log this one too.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Histogram } from 'prom-client';
import type { Log } from '../platform/log.ts';
import { performance } from '../platform/native-timers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the contract's operation, `probe` for health and metrics, or `other`. */
    operation: string;
    /** The transaction that the request is about, once it is known. */
    transactionId: string | undefined;
    /** Id of the operator who has sent the request to the operators' API. */
    operatorId: string | undefined;
    /** By performance.now. */
    beganAt: number;
  }
}

/** The operation of requests that machines send all the time. They are logged at debug, not at info. */
export const PROBE = 'probe';

/**
 * Headers of every response, unless a page has others of its own. They are few, since JSON that is never rendered needs no
 * more, and each is written for every read. Names are in lower case, as Fastify keeps them.
 */
export const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
export const REQUEST_ID = 'x-request-id';

const TRANSACTION_ID = /^(?:pay|out)_\w{1,60}$/;

/** The id if it looks like one of a transaction. Clients put other things there by mistake, such as their API key. */
export function idForLog(id: string | undefined): string | undefined {
  return id !== undefined && TRANSACTION_ID.test(id) ? id : undefined;
}

/** Records a request whose response is about to leave. */
export type Observe = (request: FastifyRequest, reply: FastifyReply) => void;

type Requests = Histogram<'operation' | 'status'>;
type Timer = ReturnType<Requests['labels']>;

/** Makes what records requests in their histogram and in log lines. */
export function createObserver(requests: Requests, log: Log): Observe {
  // Found by operation and status: prom-client would sort and join the labels for each request.
  const timers = new Map<string, Map<number, Timer>>();
  const addTimer = (operation: string, status: number) => {
    const timer = requests.labels({ operation, status: String(status) });
    timers.set(operation, new Map(timers.get(operation)).set(status, timer));
    return timer;
  };
  return ({ id, merchant, operatorId, transactionId, operation, beganAt }, { statusCode: status }) => {
    const ms = performance.now() - beganAt;
    (timers.get(operation)?.get(status) ?? addTimer(operation, status)).observe(ms / 1_000);
    // Neither bodies nor headers: they hold personal data and keys.
    const line = {
      request_id: id,
      merchant_id: merchant?.id,
      operator_id: operatorId,
      transaction_id: transactionId,
      operation,
      status,
      ms: Math.round(ms * 10) / 10,
    };
    if (operation === PROBE) log.debug(line, 'responded');
    else log.info(line, 'responded');
  };
}

/** Adds hooks that give every response its headers and record its request. */
export function observeRequests(app: FastifyInstance, observe: Observe): void {
  app.decorateRequest('operation', 'other');
  app.decorateRequest('transactionId', undefined);
  app.decorateRequest('operatorId', undefined);
  app.decorateRequest('beganAt', 0);
  app.addHook('onRequest', (request, reply, done) => {
    startObserving(request, reply);
    done();
  });
  // Not onResponse, for which Fastify listens to the end of each response: that costs as much as the rest of a hook.
  app.addHook('onSend', (request, reply, _payload, done) => {
    observe(request, reply);
    done();
  });
}

/** Notes the time and adds the headers that all responses have. */
export function startObserving(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.beganAt = performance.now();
  reply.header(REQUEST_ID, request.id);
  for (const name in RESPONSE_HEADERS) reply.header(name, RESPONSE_HEADERS[name]);
  return reply;
}
