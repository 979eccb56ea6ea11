/**
 * Where the pages have been built: the reference at /docs, the sandbox's at /docs/sandbox, all of the reference as Markdown
 * and for printing, the index at /llms.txt, the contract at /openapi.json, and the addresses of problems.
 */
import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { loadSite, type SiteHandler } from './site.ts';

/** The built page, with the chapter on the sandbox. A package carries it; a clone builds it at its first start. */
export const REFERENCE_FILE = new URL('../../../generated/site/gateway.html', import.meta.url);

/** The page of the sandbox's own operations, at /docs/sandbox. */
export const SANDBOX_PAGE_FILE = new URL('../../../generated/site/sandbox.html', import.meta.url);

/** The reference as Markdown, with its index. */
export const MARKDOWN_FOLDER = new URL('../../../generated/site/gateway/', import.meta.url);

const ADDRESSES = ['/', '/docs', '/docs/', '/docs/:page', '/llms.txt', '/openapi.json', '/problems/:name'];

/** Reads the page; undefined if it has not been built. */
export async function readReference(): Promise<SiteHandler | undefined> {
  const built = [REFERENCE_FILE, MARKDOWN_FOLDER, SANDBOX_PAGE_FILE].every((file) => existsSync(file));
  return built ? loadSite(REFERENCE_FILE, MARKDOWN_FOLDER, { '/docs/sandbox': SANDBOX_PAGE_FILE }) : undefined;
}

/** Adds the routes of a page that `loadSite` has read. */
export function addReference(app: FastifyInstance, handle: SiteHandler): void {
  for (const url of ADDRESSES) {
    app.get(url, async (request, reply) => {
      const { status, headers, body } = handle(request.method, request.url, request.headers);
      // As everywhere else in the gateway, what does not exist is a problem of the contract.
      if (status === 404) return reply.callNotFound();
      return reply.code(status).headers(headers).send(body);
    });
  }
}
