/** Serves files from memory, since pages contain the gateway's address and scripts the paths of their packages. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';

type Headers = Readonly<Record<string, string>>;
type Bytes = Uint8Array<ArrayBuffer>;

export type StaticFile = (c: Context) => Response;

/**
 * Browsers keep a copy and ask each time whether it is still the same. The file is read and compressed when it is asked for
 * the first time: starting the gateway need not wait for it. Hono's middleware would do both for each request.
 */
export function staticFile(type: string, read: () => Buffer, own: Headers = {}): StaticFile {
  let file: { readonly headers: Headers; readonly plain: Bytes; compressed?: Bytes } | undefined;
  return (c) => {
    file ??= load(type, read(), own);
    const { headers, plain } = file;
    if (c.req.header('if-none-match') === headers['etag']) return c.body(null, 304, { ...headers });
    if (!/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return c.body(plain, 200, { ...headers });
    file.compressed ??= gzipSync(plain) as Bytes;
    return c.body(file.compressed, 200, { ...headers, 'content-encoding': 'gzip' });
  };
}

function load(type: string, plain: Buffer, own: Headers) {
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`;
  return {
    plain: plain as Bytes,
    headers: { 'content-type': type, 'cache-control': 'no-cache', vary: 'accept-encoding', etag, ...own },
  };
}
