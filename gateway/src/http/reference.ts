/**
 * Routes of the pages, if they have been built: the reference at /docs, that of each of the gateway's own APIs below it, such
 * as /docs/sandbox, all of the reference as Markdown and for printing, the index at /llms.txt, the contract at
 * /openapi.json, and the addresses of problems.
 */
import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { SAMPLE_KEY } from '../../../contract/src/model.ts';
import type { GatewayApi } from '../wire/gateway-apis.ts';
import { loadSite, type SiteHandler } from './site.ts';

export interface ReferenceFiles {
  readonly page: URL;
  /** The reference as Markdown, with its index. */
  readonly markdown: URL;
}

/** The built reference, with the chapter on test customers. A package carries it; a clone builds it at its first start. */
export const REFERENCE: ReferenceFiles = {
  page: new URL('../../../generated/site/gateway.html', import.meta.url),
  markdown: new URL('../../../generated/site/gateway/', import.meta.url),
};

/** The reference with LIVE, without that chapter. */
export const LIVE_REFERENCE: ReferenceFiles = {
  page: new URL('../../../generated/site/live.html', import.meta.url),
  markdown: new URL('../../../generated/site/live/', import.meta.url),
};

/** The pages of the gateway's own APIs. */
export const API_PAGE_FILES: Readonly<Record<GatewayApi, URL>> = {
  sandbox: new URL('../../../generated/site/sandbox.html', import.meta.url),
  admin: new URL('../../../generated/site/admin.html', import.meta.url),
};

const ADDRESSES = ['/', '/docs', '/docs/', '/docs/:page', '/llms.txt', '/openapi.json', '/problems/:name'];

/** The address that the pages are built with, for readers who open them from a disk. A gateway shows its own. */
export const BUILT_ADDRESS = 'http://127.0.0.1:4000';

export interface ReferenceOptions {
  /** The gateway's address, known once it listens. */
  readonly url: () => string;
  /** A key that works for everybody, which the samples use. */
  readonly key?: string | undefined;
  /** Whether the gateway is live: then nothing of the sandbox is shown. */
  readonly live?: boolean;
}

/** Reads the pages; undefined if they have not been built. */
export async function readReference(options: ReferenceOptions): Promise<SiteHandler | undefined> {
  const { url, key = SAMPLE_KEY, live = false } = options;
  const { page, markdown } = live ? LIVE_REFERENCE : REFERENCE;
  const shown = Object.entries(API_PAGE_FILES).filter(([api]) => !live || api !== 'sandbox');
  const more = shown.map(([api, file]) => [`/docs/${api}`, file] as const);
  const adapt = (text: string) => text.replaceAll(BUILT_ADDRESS, url()).replaceAll(SAMPLE_KEY, key);
  const built = [page, markdown, ...more.map(([, file]) => file)].every((file) => existsSync(file));
  return built ? loadSite(page, markdown, Object.fromEntries(more), adapt) : undefined;
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
