/** Detects cross-site requests by browsers' headers. */
import type { HttpContext } from './context.ts';

/**
 * Whether a page of another site made the browser send this request, unless the site's origin is allowed (`*` allows
 * any). Clients other than browsers send neither header. A browser without `Sec-Fetch-Site` sends the origin of the
 * page with each form, or `null` for a page that hides it, unlike the gateway's pages.
 */
export function isFromOtherSite(c: HttpContext, allowed: readonly string[] = []): boolean {
  const origin = c.req.header('origin');
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin))) return false;
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  // Behind a proxy, the request's host may differ from the browser's.
  const { publicOrigin } = c.get('request');
  return publicOrigin === undefined ? origin.replace(/^https?:\/\//, '') !== c.env.host : origin !== publicOrigin;
}
