/** The spans of requests, as the conventions of OpenTelemetry describe an HTTP server. */
import type { Tracer } from '../platform/tracing.ts';
import { idForLog, PROBE } from './observe.ts';
import type { ServedRequest } from './served-request.ts';

/** Begins the span of a request whose route is known, or unknown for good. Probes, which come all the time, have none. */
export function beginSpan(tracer: Tracer, request: ServedRequest): void {
  const { method, route, headers, id, operation } = request;
  if (operation === PROBE) return;
  request.span = tracer.start({
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    parent: tracer.received(headers['traceparent']),
    attributes: { 'http.request.method': method, 'http.route': route, 'payments.request.id': id },
  });
}

/** Ends the span of a request, with what is known of it by now. */
export function endSpan(request: ServedRequest, status: number): void {
  const { span, transactionId, merchant } = request;
  if (!span) return;
  span.set({
    'url.path': pathForSpan(request),
    'http.response.status_code': status,
    'payments.transaction.id': transactionId,
    'payments.merchant.id': merchant?.id,
  });
  span.end(status >= 500 ? String(status) : undefined);
}

/** The path, or that of the route if a part of it could be a secret, such as the token of a payment page. */
function pathForSpan({ route, parameters, path }: ServedRequest): string | undefined {
  const isPlain = Object.values(parameters).every((value) => idForLog(value) !== undefined) && !route?.endsWith('*');
  return route !== undefined && isPlain ? path : route;
}
