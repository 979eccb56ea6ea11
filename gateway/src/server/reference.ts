/**
 * The reference at /docs, the index of its Markdown pages at /llms.txt, the contract at /openapi.json, and the addresses of
 * problems. A package carries the pages; in a clone, they can be built while the gateway runs.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import { BUNDLE_FILE, type Bundle, openEnum, SAMPLE_KEY } from '../../../contract/src/model.ts';
import { type App, routeNotFound } from '../http/app.ts';
import { readContract, relocateType } from '../http/contract.ts';
import { type StaticFile, staticFile } from './static-file.ts';

/** The built reference, with the gateway's own APIs and a chapter on test customers. */
export const REFERENCE = new URL('../../../generated/site/gateway/', import.meta.url);

/** The reference with LIVE, without what belongs to the sandbox. */
export const LIVE_REFERENCE = new URL('../../../generated/site/live/', import.meta.url);

const ADDRESSES = ['/', '/docs', '/docs/*', '/llms.txt', '/openapi.json', '/problems/:name'];

/** The built pages have this instead of the address of the gateway that shows them. It is a word, since colored code splits an address. */
export const BUILT_ADDRESS = 'ADDRESS_OF_THIS_GATEWAY';

/** The sandbox that runs in the pages. It has its own address and key, and a binary file. */
const PAGE_SANDBOX = '/docs/sandbox/';

interface ReferenceOptions {
  /** The gateway's address, known once it listens. */
  readonly url: () => string;
  /** A public key for the samples. */
  readonly key?: string | undefined;
  /** Whether the gateway is live and hides the sandbox. */
  readonly live?: boolean;
  /** Folder of the built pages. Defaults to the gateway's. */
  readonly folder?: URL;
}

/** Serves the reference. Rebuilt pages take effect immediately. */
export function createReference({ url, key = SAMPLE_KEY, live, folder }: ReferenceOptions): SiteHandler {
  const pages = folder ?? (live ? LIVE_REFERENCE : REFERENCE);
  const types = [...readContract().problems.values()].map(({ type }) => type);
  const adapt = (text: string) => {
    const page = adaptPage(text, url(), key);
    // Types of problems lead to the reference of this gateway.
    return live ? types.reduce((moved, type) => moved.replaceAll(type, relocateType(url(), type)), page) : page;
  };
  let version: number | undefined;
  let handle = loadSite(undefined);
  return (c) => {
    const present = statSync(new URL('docs/index.html', pages), { throwIfNoEntry: false })?.mtimeMs;
    if (present !== version) {
      handle = loadSite(present === undefined ? undefined : pages, { adapt });
      version = present;
    }
    return handle(c);
  };
}

/** The text of a page with the address of the gateway and a key. */
export function adaptPage(text: string, url: string, key: string): string {
  return text.replaceAll(BUILT_ADDRESS, url).replaceAll(SAMPLE_KEY, key);
}

export function addReference({ routes, rates }: Pick<App, 'routes' | 'rates'>, handle: SiteHandler): void {
  for (const address of ADDRESSES) {
    routes.get(address, (c) => {
      rates.countFileRequest(c.env.address);
      return handle(c) ?? routeNotFound(c);
    });
  }
}

// Responses for a built site: its pages and files at /docs, their index at /llms.txt, the document at /openapi.json, and the
// addresses of problems.

/** A change of the built pages' text for the server that serves them. */
type Adapt = (text: string) => string;

/** Responds to a request for the built site or the document. Returns undefined for any other. */
export type SiteHandler = (c: Context) => Response | undefined;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.yaml': 'application/yaml; charset=utf-8',
  '.ts': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/**
 * The files of a built site, or of none, with a page that says so. A file is read when it is asked for the first time, and
 * adapted then.
 */
export function loadSite(folder: string | URL | undefined, { adapt }: { readonly adapt?: Adapt } = {}): SiteHandler {
  const read = () => readFileSync(BUNDLE_FILE);
  const files: Record<string, StaticFile> = {
    '/': redirect('/docs/'),
    '/docs': redirect('/docs/'),
    '/openapi.json': staticFile('application/json', read, { 'access-control-allow-origin': '*' }),
    ...problemPages(JSON.parse(read().toString()) as Bundle),
    ...(folder && builtFiles(typeof folder === 'string' ? folder : fileURLToPath(folder), adapt)),
  };
  return (c) => {
    c.header('x-content-type-options', 'nosniff');
    c.header('referrer-policy', 'no-referrer');
    const { path } = c.req;
    const file = files[path];
    if (file) return file(c);
    if (!/^\/(docs\/|llms\.txt$)/.test(path)) return undefined;
    const isPage = extname(path) === '' || extname(path) === '.html';
    if (folder === undefined) return isPage ? notBuilt(c) : notBuiltYet(c);
    // A person reads a page; a program gets the problem of an unknown route.
    return isPage && c.req.header('accept')?.includes('text/html') ? notFound(c, files['/docs/404.html']) : undefined;
  };
}

function redirect(location: string): StaticFile {
  return (c) => c.redirect(location);
}

/** Everything in the folder `docs` of the site, by address. Pages have one without their extension, too. */
function builtFiles(folder: string, adapt: Adapt | undefined): Record<string, StaticFile> {
  const entries = readdirSync(join(folder, 'docs'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const served = files.flatMap((file): [string, StaticFile][] => {
    const type = TYPES[extname(file)];
    if (!type) return [];
    const address = file.slice(folder.length).replace(/^\/?/, '/').replaceAll('\\', '/');
    const read = () => {
      const body = readFileSync(file);
      return adapt && !address.startsWith(PAGE_SANDBOX) ? Buffer.from(adapt(body.toString())) : body;
    };
    if (extname(file) !== '.html') return [[address, staticFile(type, read)]];
    // The rest of the policy is in the page. Browsers ignore this part there.
    const page = staticFile(type, read, { 'content-security-policy': "frame-ancestors 'none'" });
    return [address, address.replace(/(index)?\.html$/, '')].map((one) => [one, page]);
  });
  const all = Object.fromEntries(served);
  return { ...all, ...(all['/docs/llms.txt'] && { '/llms.txt': all['/docs/llms.txt'] }) };
}

/** The addresses of the known kinds of problems, which the contract gives as their types, lead to their sections. */
function problemPages(bundle: Bundle): Record<string, StaticFile> {
  const types = openEnum(bundle.components.schemas['Problem']?.properties?.['type'] ?? {})?.known ?? [];
  return Object.fromEntries(
    types.map((type) => {
      const [folder, name] = new URL(String(type)).pathname.split('/').slice(-2);
      return [`/${folder}/${name}`, redirect(`/docs/errors#${name}`)];
    }),
  );
}

/** The site's 404 page, or a plain one. */
function notFound(c: Context, page: StaticFile | undefined): Response {
  const shown = page?.(c);
  if (shown?.status === 200) return new Response(shown.body, { status: 404, headers: shown.headers });
  return c.html(
    '<!DOCTYPE html><title>Not found</title><p>This page does not exist. <a href="/docs/">The reference</a>',
    404,
    {
      'content-security-policy': "default-src 'none'",
    },
  );
}

function notBuiltYet(c: Context): Response {
  return c.text('The reference is being built. Retry after the number of seconds in `Retry-After`.\n', 503, {
    'cache-control': 'no-store',
    'retry-after': '5',
  });
}

/** A page that asks again until the reference is there. */
function notBuilt(c: Context): Response {
  const body = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>The reference is being built</title>
<main>
<h1>The reference is being built</h1>
<p>npm start builds it in about 20 seconds; this page then shows it. Any other command doesn't build it: run npm run docs.</p>
<p>The contract is at <a href="/openapi.json">/openapi.json</a> already.</p>
</main>
</html>
`;
  return c.html(body, 503, {
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'retry-after': '5',
  });
}
