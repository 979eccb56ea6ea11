/** The spans of requests, following OpenTelemetry's conventions for an HTTP server. */
import type { Span, Tracer } from '../platform/tracing.ts';
import type { HttpContext } from './context.ts';
import { idForLog } from './observe.ts';

/** Begins the span of a request whose route has been determined. */
export function beginSpan(tracer: Tracer, c: HttpContext, route: string | undefined): Span {
  const { method } = c.req;
  const { id } = c.get('request');
  return tracer.start({
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    parent: tracer.received(c.req.header('traceparent')),
    attributes: { 'http.request.method': method, 'http.route': route, 'payments.request.id': id },
  });
}

/** Ends a request's span with its facts. */
export function endSpan(c: HttpContext): void {
  const { span, transactionId, merchant } = c.get('request');
  if (!span) return;
  const { status } = c.res;
  span.set({
    'url.path': pathForSpan(c),
    'http.response.status_code': status,
    'payments.transaction.id': transactionId,
    'payments.merchant.id': merchant?.id,
  });
  span.end(status >= 500 ? String(status) : undefined);
}

/** The request's path, or its route if the path could contain a secret, such as a payment page's token. */
function pathForSpan(c: HttpContext): string | undefined {
  const { route } = c.get('request');
  if (route === undefined || route.endsWith('*')) return route;
  const sent = c.req.path.split('/');
  const isPlain = route.split('/').every((part, index) => !part.startsWith('{') || idForLog(sent[index]) !== undefined);
  return isPlain ? c.req.path : route;
}
