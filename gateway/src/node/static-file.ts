/** Files that are served from memory, since pages carry the gateway's address and scripts the addresses of their packages. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PlainResponse, RequestHeaders, ResponseHeaders } from '../http/plain.ts';

export interface StaticResponse extends PlainResponse {
  readonly body: Uint8Array | string;
}

/** Responds to a request for the file, by its headers. */
export type StaticFile = (asked: RequestHeaders) => StaticResponse;

/**
 * Browsers keep a copy and ask each time whether it is still the same. The file is read and compressed when it is asked for
 * the first time: starting the gateway need not wait for it.
 */
export function staticFile(
  type: string,
  read: () => Buffer,
  more: (body: Buffer) => ResponseHeaders = () => ({}),
): StaticFile {
  let plain: StaticResponse | undefined;
  let compressed: StaticResponse | undefined;
  return (asked) => {
    plain ??= present(type, read(), more);
    const { headers, body } = plain;
    if (asked['if-none-match'] === headers['etag']) return { status: 304, headers, body: '' };
    if (!/\bgzip\b/.test(asked['accept-encoding'] ?? '')) return plain;
    compressed ??= { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) };
    return compressed;
  };
}

function present(type: string, body: Buffer, more: (body: Buffer) => ResponseHeaders): StaticResponse {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const headers = { 'content-type': type, 'cache-control': 'no-cache', vary: 'accept-encoding', etag, ...more(body) };
  return { status: 200, headers, body };
}
