/** The headers in which a reverse proxy can name the client of a request. */
export const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'] as const;

export type ProxyHeader = (typeof PROXY_HEADERS)[number];
