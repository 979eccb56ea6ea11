/**
 * The console's session, with which a browser calls the API without holding a key. It requires a header that a page of
 * another origin can't send without CORS, and is refused for requests of such pages.
 */
import { getCookie, setCookie } from 'hono/cookie';
import { isFromOtherSite } from './browser-checks.ts';
import type { HttpContext } from './context.ts';

/** The console's pages send it with every request; its value is not read. */
export const CONSOLE_HEADER = 'x-console';

/** The encoding of 32 random bytes. */
const TOKEN = /^[\w-]{43}$/;

/** The token of the request's session. Undefined without one, or if it may not be used. */
export function consoleSession(c: HttpContext): string | undefined {
  if (c.req.header(CONSOLE_HEADER) === undefined || isFromOtherSite(c)) return undefined;
  const token = getCookie(c, cookieName(c));
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Sets the cookie that keeps the session for some seconds. 0 ends it. */
export function setSession(c: HttpContext, token: string, seconds: number): void {
  setCookie(c, cookieName(c), token, {
    path: '/',
    maxAge: seconds,
    httpOnly: true,
    sameSite: 'Strict',
    secure: c.env.protocol === 'https',
  });
}

/** Cookies ignore ports, so two gateways on one machine need different names. */
function cookieName({ env: { host, protocol } }: HttpContext): string {
  const port = /:(\d+)$/.exec(host)?.[1] ?? 'default';
  return `${protocol === 'https' ? '__Host-' : ''}console-${port}`;
}
