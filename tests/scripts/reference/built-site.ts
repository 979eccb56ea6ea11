/** The built reference of a sandbox, as files and in a browser. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expect } from 'vitest';
import { createReference, REFERENCE } from '../../../gateway/src/server/reference.ts';
import { buildGatewayPage } from '../../../scripts/reference/gateway-page.ts';
import { siteApp } from '../../../scripts/reference/serve-site.ts';
import { launchBrowser, openPage, type Watched } from '../../tools/browser.ts';

/** Disables animations, so that no element is half visible during the checks. */
const STILL = { reducedMotion: 'reduce' } as const;
export const WIDE = { ...STILL, viewport: { width: 1440, height: 1000 } };
export const PHONE = { ...STILL, viewport: { width: 390, height: 844 }, hasTouch: true };

const DOCS = join(fileURLToPath(REFERENCE), 'docs');

/** The files of the site by their paths, such as `createPayment.html`. */
export function builtFiles(): Map<string, string> {
  const names = readdirSync(DOCS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(DOCS.length + 1), readFileSync(path, 'utf8')]));
}

/** The pages rendered by VitePress. */
export function renderedPages(files = builtFiles()): [name: string, html: string][] {
  return [...files].filter(([name]) => name.endsWith('.html') && name !== '404.html' && name !== 'print.html');
}

export interface BuiltSite {
  readonly url: string;
  /** All opened pages with their errors. */
  readonly opened: readonly Watched[];
  /** Opens a page and waits for its script, unless scripts are disabled. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Builds the site if it is stale, serves it as a gateway does, and starts a browser. */
export async function startSite(): Promise<BuiltSite> {
  await buildGatewayPage(['sandbox']);
  let url = '';
  const { fetch } = siteApp(createReference({ url: () => url, key: 'sk_test_of_this_test' }));
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser: Browser = await launchBrowser();
  const opened: Watched[] = [];
  return {
    url,
    opened,
    async open(path, options = WIDE) {
      const watched = await openPage(browser, url + path, options);
      opened.push(watched);
      // Vue marks hydrated elements. A redirecting page has been replaced.
      const runs = () => watched.page.evaluate('!!document.querySelector("#app")?.__vue_app__').catch(() => false);
      if (options.javaScriptEnabled !== false) await expect.poll(runs).toBe(true);
      return watched.page;
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
