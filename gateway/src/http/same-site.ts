/** Where a request comes from, as browsers tell it. */
import type { FastifyRequest } from 'fastify';

/**
 * Whether a page of another site made the browser send this request. A client that is not a browser tells nothing, and
 * neither does an old browser; an origin is also `null` under our own referrer policy.
 */
export function isFromOtherSite(request: FastifyRequest): boolean {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== 'null' && origin.replace(/^https?:\/\//, '') !== request.host;
}
