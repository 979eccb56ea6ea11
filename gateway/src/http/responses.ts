/** Responses with the gateway's common headers. */
import { setTimeout } from '../platform/timers.ts';
import { ConnectionCut, type HttpContext } from './context.ts';

export const REQUEST_ID = 'x-request-id';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers of every response, unless a page overrides them. They suffice for JSON. */
export const RESPONSE_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

const TRUNCATED_AFTER_MS = 20;

/**
 * Responds with text. Hono's helpers create a `Headers` object, which accounts for a tenth of a read, so API responses
 * use this function and pages use Hono's.
 */
export function respond(
  c: HttpContext,
  status: number,
  text: string | null,
  own: Readonly<Record<string, string>> = {},
): Response {
  const request = c.get('request');
  const headers: Record<string, string> = { [REQUEST_ID]: request.id, ...RESPONSE_HEADERS, ...own };
  request.sent = { headers, text: text ?? '' };
  if (c.req.method === 'HEAD') headers['content-length'] = String(new TextEncoder().encode(text ?? '').length);
  return new Response(text, { status, headers });
}

export function respondJson(c: HttpContext, status: number, value: unknown): Response {
  return respond(c, status, JSON.stringify(value), { 'content-type': JSON_TYPE });
}

/** Adds the common headers to a response created without `respond`. */
export function addHeaders({ headers }: Response, id: string): void {
  headers.set(REQUEST_ID, id);
  for (const [name, value] of Object.entries(RESPONSE_HEADERS)) if (!headers.has(name)) headers.set(name, value);
}

/** The response with half of its body, after which the connection is cut. */
export function truncated({ status, headers }: Response, text: string): Response {
  const bytes = new TextEncoder().encode(text);
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (isSent) {
        // A server still buffering the beginning of a body would send an error instead.
        await new Promise((resolve) => setTimeout(resolve, TRUNCATED_AFTER_MS));
        controller.error(new ConnectionCut());
      } else controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
      isSent = true;
    },
  });
  return new Response(body, {
    status,
    headers: { ...Object.fromEntries(headers), 'content-length': String(bytes.length) },
  });
}
