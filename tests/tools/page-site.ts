/** A file server for pages with a strict Content-Security-Policy. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { type Loopback, listenOnLoopback } from './loopback.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};
/** Allows only scripts and resources from the same server, and no eval. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/** An empty page. */
const HOME = '<!doctype html><title>Shop</title>';

/** Serves the files of a folder, an empty page at `/`, and texts at additional paths. */
export function servePages(folder: string, texts: Readonly<Record<string, string>> = {}): Promise<Loopback> {
  const served: Readonly<Record<string, string>> = { '/': HOME, ...texts };
  const server = createServer(async ({ url = '' }, response) => {
    const content = served[url] ?? (await readFile(join(folder, url)).catch(() => undefined));
    const type = TYPES[extname(url)] ?? 'text/html';
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': type, 'content-security-policy': POLICY });
    response.end(content);
  });
  return listenOnLoopback(server);
}
