/**
 * The session of a console, with which a browser calls the API without ever holding a key. It counts only together with
 * a header that a page of another origin can't send without CORS, and never for a request that such a page made.
 */
import { isFromOtherSite } from './same-site.ts';
import type { ServedRequest } from './served-request.ts';

/** A console: merchants have sessions at that of a sandbox, and operators at theirs. */
export type ConsoleName = 'sandbox' | 'operators';

/** The beginnings of the cookies' names. */
const COOKIES: Readonly<Record<ConsoleName, string>> = { sandbox: 'console', operators: 'operators' };

/** Pages of a console send it with every request; its value is not read. */
export const CONSOLE_HEADER = 'x-console';

/** As 32 random bytes are written. */
const TOKEN = /^[\w-]{43}$/;

/** The token of the session that the request is made in; undefined without one, or if it may not be used. */
export function consoleSession(request: ServedRequest, console: ConsoleName): string | undefined {
  if (request.headers[CONSOLE_HEADER] === undefined || isFromOtherSite(request)) return undefined;
  const prefix = `${cookieName(request, console)}=`;
  const cookies = request.headers['cookie']?.split(/; */) ?? [];
  const token = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** A Set-Cookie header that keeps the session for some seconds; 0 ends it. */
export function sessionCookie(request: ServedRequest, console: ConsoleName, token: string, seconds: number): string {
  const parts = [
    `${cookieName(request, console)}=${token}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  return [...parts, ...(request.plain.protocol === 'https' ? ['Secure'] : [])].join('; ');
}

/** Cookies don't know ports: two gateways on one machine need a name each. */
function cookieName({ plain: { host, protocol } }: ServedRequest, console: ConsoleName): string {
  const port = /:(\d+)$/.exec(host)?.[1] ?? 'default';
  return `${protocol === 'https' ? '__Host-' : ''}${COOKIES[console]}-${port}`;
}
