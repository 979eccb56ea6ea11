/**
 * The reference at /docs, the index of its Markdown pages at /llms.txt, the contract at /openapi.json, and the addresses of
 * problems. A package carries the pages; in a clone, they can be built while the gateway runs.
 */
import { statSync } from 'node:fs';
import { SAMPLE_KEY } from '../../../contract/src/model.ts';
import { type App, routeNotFound } from '../http/app.ts';
import { readContract, relocateType } from '../http/contract.ts';
import { loadSite, type SiteHandler } from './site.ts';

/** The built reference, with the gateway's own APIs and a chapter on test customers. */
export const REFERENCE = new URL('../../../generated/site/gateway/', import.meta.url);

/** The reference with LIVE, without what belongs to the sandbox. */
export const LIVE_REFERENCE = new URL('../../../generated/site/live/', import.meta.url);

const ADDRESSES = ['/', '/docs', '/docs/*', '/llms.txt', '/openapi.json', '/problems/:name'];

/** The built pages have this instead of the address of the gateway that shows them. It is a word, since colored code splits an address. */
export const BUILT_ADDRESS = 'ADDRESS_OF_THIS_GATEWAY';

export interface ReferenceOptions {
  /** The gateway's address, known once it listens. */
  readonly url: () => string;
  /** Base URL of problem types, if it differs from the contract's. */
  readonly problems?: (() => string) | undefined;
  /** A public key for the samples. */
  readonly key?: string | undefined;
  /** Whether the gateway is live and hides the sandbox. */
  readonly live?: boolean;
  /** Folder of the built pages. Defaults to the gateway's. */
  readonly folder?: URL;
}

/** Serves the reference. Rebuilt pages take effect immediately. */
export function createReference({ url, problems, key = SAMPLE_KEY, live, folder }: ReferenceOptions): SiteHandler {
  const pages = folder ?? (live ? LIVE_REFERENCE : REFERENCE);
  const types = [...readContract().problems.values()].map(({ type }) => type);
  const adapt = (text: string) => {
    const page = adaptPage(text, url(), key);
    return problems
      ? types.reduce((moved, type) => moved.replaceAll(type, relocateType(problems(), type)), page)
      : page;
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
