/** The site that a request comes from, by the headers of browsers. */
import type { HttpContext } from './context.ts';

/**
 * Whether a page of another site made the browser send this request, and the site's origin isn't among those that are
 * allowed (`*` allows any). A client that is not a browser tells nothing, and neither does an old browser; an origin is also
 * `null` under our own referrer policy.
 */
export function isFromOtherSite(c: HttpContext, allowed: readonly string[] = []): boolean {
  const origin = c.req.header('origin');
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin))) return false;
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== 'null' && origin.replace(/^https?:\/\//, '') !== c.env.host;
}
