/**
 * A small server for the built site: the page at /docs, its parts as Markdown at /docs/NAME.md, all of them for printing at
 * /docs/print.html, their index at /llms.txt, the document at /openapi.json, and the addresses of problems.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { UserError } from '../../../contract/src/cli.ts';
import { BUNDLE_FILE, type Bundle, openEnum } from '../../../contract/src/model.ts';
import { type StaticFile, type StaticResponse, staticFile } from './static-file.ts';

export interface Site {
  url: string;
  close: () => Promise<void>;
}

export interface ServeOptions {
  /** The built page. */
  file: string;
  /** 0 takes a free one. */
  port: number;
  host?: string;
}

/** A change of the built pages' text for the server that serves them. */
export type Adapt = (text: string) => string;

/** Responds to a request for the built site or the document, and with 404 to any other. */
export type SiteHandler = (method: string, target: string, headers: IncomingHttpHeaders) => StaticResponse;

/** The folder next to a built page that holds its parts as Markdown. */
export function markdownFolder(pageFile: string): string {
  return pageFile.replace(/\.html$/, '/');
}

/**
 * Reads the built site, the document, and further pages by their addresses, once. Rejects with a line for the user when they
 * are not built. `adapt` is called with a page when it is asked for the first time.
 */
export async function loadSite(
  pageFile: string | URL,
  markdown: string | URL,
  more: Readonly<Record<string, string | URL>> = {},
  adapt?: Adapt,
): Promise<SiteHandler> {
  const [page, document, pages, others] = await Promise.all([
    read(pageFile),
    read(BUNDLE_FILE),
    markdownPages(markdown, adapt),
    Promise.all(
      Object.entries(more).map(async ([address, file]) => [address, htmlPage(await read(file), adapt)] as const),
    ),
  ]);
  const files: Record<string, StaticFile> = {
    '/': redirect('/docs'),
    '/docs': htmlPage(page, adapt),
    ...Object.fromEntries(others),
    '/docs/': redirect('/docs'),
    '/openapi.json': staticFile(
      'application/json',
      () => document,
      () => ({ 'access-control-allow-origin': '*' }),
    ),
    ...pages,
    ...problemPages(JSON.parse(document.toString()) as Bundle),
  };
  return (method, target, asked) => {
    const response = respondTo(files, method, target, asked);
    const headers = {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-length': Buffer.byteLength(response.body),
      ...response.headers,
    };
    return { ...response, headers };
  };
}

function redirect(location: string): StaticFile {
  return () => ({ status: 302, headers: { location }, body: '' });
}

function htmlPage(page: Buffer, adapt?: Adapt): StaticFile {
  return staticFile('text/html; charset=utf-8', adapted(page, adapt), (served) => ({
    'content-security-policy': contentPolicy(served.toString()),
  }));
}

function adapted(body: Buffer, adapt?: Adapt): () => Buffer {
  return () => (adapt ? Buffer.from(adapt(body.toString())) : body);
}

/** The index, the Markdown pages and the page for printing by their addresses. */
async function markdownPages(folder: string | URL, adapt?: Adapt): Promise<Record<string, StaticFile>> {
  const names = await readdir(folder).catch(missing(folder));
  const pages = names.map(async (name) => {
    const content = await read(folder instanceof URL ? new URL(name, folder) : join(folder, name));
    const served = adapted(content, adapt);
    if (name === 'llms.txt') return ['/llms.txt', staticFile('text/plain; charset=utf-8', served)] as const;
    if (name.endsWith('.html')) return [`/docs/${name}`, htmlPage(content, adapt)] as const;
    return [`/docs/${name}`, staticFile('text/markdown; charset=utf-8', served)] as const;
  });
  return Object.fromEntries(await Promise.all(pages));
}

/** The addresses of the known kinds of problems, which the contract gives as their types, lead to the chapter on errors. */
function problemPages(bundle: Bundle): Record<string, StaticFile> {
  const types = openEnum(bundle.components.schemas['Problem']?.properties?.['type'] ?? {})?.known ?? [];
  return Object.fromEntries(
    types.map((type) => [
      `/${new URL(String(type)).pathname.split('/').slice(-2).join('/')}`,
      redirect('/docs#section/Errors'),
    ]),
  );
}

/** Serves the built site. Rejects with a line for the user when the port is taken or the site is not built. */
export async function serveSite({ file, port, host = '127.0.0.1' }: ServeOptions): Promise<Site> {
  const handle = await loadSite(file, markdownFolder(file));
  const server = createServer((request, response) => {
    const { status, headers, body } = handle(request.method ?? '', request.url ?? '', request.headers);
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await listen(server, port, host);
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

function respondTo(
  files: Record<string, StaticFile>,
  method: string,
  target: string,
  asked: IncomingHttpHeaders,
): StaticResponse {
  const file = files[target.split('?')[0] ?? ''];
  if (!file)
    return text(
      404,
      'Nothing is here. The reference is at /docs, its Markdown pages are listed in /llms.txt, the document is at /openapi.json.\n',
    );
  if (method !== 'GET' && method !== 'HEAD')
    return { ...text(405, 'Only GET and HEAD.\n'), headers: { allow: 'GET, HEAD' } };
  return file(asked);
}

function text(status: number, body: string): StaticResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

/**
 * The Content-Security-Policy of a page. It allows its own inline scripts, known by their hashes, styles that Redoc
 * writes, inlined images, and the search, which runs in a worker made from a blob.
 */
export function contentPolicy(page: string): string {
  const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, source = '']) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${[...new Set(scripts)].join(' ')} blob:`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function read(path: string | URL): Promise<Buffer> {
  return readFile(path).catch(missing(path));
}

function missing(path: string | URL): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new UserError(`${path instanceof URL ? path.pathname : path} is missing. Build it first: npm run build`);
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken ? new UserError(`Port ${port} on ${host} is taken. Stop what uses it, or choose another port.`) : error,
      );
    });
    server.listen(port, host, () => resolve());
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
