/**
 * Lets pages of other origins call the API, for development: in production an API key never belongs in a browser. Without
 * origins nothing is added, so that requests pay nothing for it.
 */
import { REQUEST_ID } from './observe.ts';
import type { PlainResponse, ResponseHeaders } from './plain.ts';
import type { ServedRequest } from './served-request.ts';

const MAX_AGE_S = 600;

export interface Cors {
  /** The headers with which a page can read the response, if its origin is allowed. */
  headersFor(request: ServedRequest): ResponseHeaders;
}

/** The response to a preflight, without the headers that every response has. Any OPTIONS counts as one. */
export const PREFLIGHT: PlainResponse = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': String(MAX_AGE_S),
  },
};

/** Allows these origins; `*` allows any. Undefined without any. */
export function allowOrigins(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined;
  const exposed = { 'access-control-expose-headers': `retry-after, ${REQUEST_ID}` };
  if (origins.includes('*')) {
    const headers = { 'access-control-allow-origin': '*', ...exposed };
    return { headersFor: () => headers };
  }
  return {
    headersFor({ headers }) {
      const origin = headers['origin'] ?? '';
      const isAllowed = origins.includes(origin);
      return { vary: 'Origin', ...(isAllowed && { 'access-control-allow-origin': origin }), ...exposed };
    },
  };
}
