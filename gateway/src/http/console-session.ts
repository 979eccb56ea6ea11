/**
 * The session of the console, with which a browser calls the API without ever holding a key. It counts only together with
 * a header that a page of another origin can't send without CORS, and never for a request that such a page made.
 */
import { getCookie, setCookie } from 'hono/cookie';
import type { HttpContext } from './context.ts';
import { isFromOtherSite } from './same-site.ts';

/** The console's pages send it with every request; its value is not read. */
export const CONSOLE_HEADER = 'x-console';

/** As 32 random bytes are written. */
const TOKEN = /^[\w-]{43}$/;

/** The token of the session that the request is made in; undefined without one, or if it may not be used. */
export function consoleSession(c: HttpContext): string | undefined {
  if (c.req.header(CONSOLE_HEADER) === undefined || isFromOtherSite(c)) return undefined;
  const token = getCookie(c, cookieName(c));
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Sets the cookie that keeps the session for some seconds; 0 ends it. */
export function setSession(c: HttpContext, token: string, seconds: number): void {
  setCookie(c, cookieName(c), token, {
    path: '/',
    maxAge: seconds,
    httpOnly: true,
    sameSite: 'Strict',
    secure: c.env.protocol === 'https',
  });
}

/** Cookies don't know ports: two gateways on one machine need a name each. */
function cookieName({ env: { host, protocol } }: HttpContext): string {
  const port = /:(\d+)$/.exec(host)?.[1] ?? 'default';
  return `${protocol === 'https' ? '__Host-' : ''}console-${port}`;
}
