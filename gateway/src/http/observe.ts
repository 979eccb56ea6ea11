/**
 * Writes one log line and one measurement per response, with the response's `x-request-id`. The id is never taken from
 * the client: it must be unique and can't be forged, to identify a request in the logs. A proxy can log it next to its own
 * id.
 */
import type { Log } from '../platform/log.ts';
import { performance } from '../platform/timers.ts';
import type { HttpContext } from './context.ts';
import type { Metrics } from './metrics.ts';

/** The operation of frequent automatic requests, logged at debug level. */
export const PROBE = 'probe';

const TRANSACTION_ID = /^(?:pay|out)_\w{1,60}$/;

/** The id if it looks like a transaction's. Clients send other values by mistake, such as their API key. */
export function idForLog(id: string | undefined): string | undefined {
  return id !== undefined && TRANSACTION_ID.test(id) ? id : undefined;
}

export type Observe = (c: HttpContext) => void;

/** Creates a function that records requests in their histogram and in log lines. */
export function createObserver(requests: Metrics['requests'], log: Log): Observe {
  return (c) => {
    const request = c.get('request');
    const { status } = c.res;
    const { operation, beganAt, merchant } = request;
    const ms = performance.now() - beganAt;
    requests.labels({ operation, status: String(status) }).observe(ms / 1_000);
    // Excludes bodies and headers, which contain personal data and keys, and the path, which may contain a payment
    // page's token.
    const line = {
      request_id: request.id,
      method: c.req.method,
      route: request.route,
      client: c.env.address,
      merchant_id: merchant?.id,
      key_id: request.keyId,
      operator_id: request.operatorId,
      transaction_id: request.transactionId,
      operation,
      status,
      ms: Math.round(ms * 10) / 10,
      ...request.span?.fields,
    };
    if (operation === PROBE) log.debug(line, 'responded');
    else log.info(line, 'responded');
  };
}
