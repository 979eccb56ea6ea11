/** A real browser for tests of pages. On Linux x64 it comes from npm, and elsewhere the system's Chrome is used. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { unpackedChromium } from './chromium.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page with its errors. */
export interface Watched {
  page: Page;
  /** Requested addresses on other hosts. Each such request is aborted. */
  foreign: string[];
  /** Console errors, uncaught errors and content policy violations. */
  errors: string[];
}

interface BrowserOptions {
  readonly args: string[];
  readonly executablePath?: string;
  readonly channel?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Launch options of the browser: at CHROME_PATH, else from npm, else the system's Chrome. */
export async function browserOptions(): Promise<BrowserOptions> {
  const path = process.env['CHROME_PATH'];
  if (path) return { executablePath: path, args: FLAGS };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', args: FLAGS };
  const { executablePath, env } = await unpackedChromium();
  return { executablePath, env: { ...(process.env as Record<string, string>), ...env }, args: FLAGS };
}

/** Starts the browser. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await browserOptions());
}

/** Opens an address in a fresh profile and watches it. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext(options);
  const watched: Watched = { page: await context.newPage(), foreign: [], errors: [] };
  const home = new URL(url).origin;
  await context.route(
    (address) => /^(https?|wss?):$/.test(address.protocol) && address.origin !== home,
    (route) => {
      watched.foreign.push(route.request().url());
      return route.abort();
    },
  );
  watched.page.on('console', (message) => {
    if (message.type() === 'error') watched.errors.push(message.text());
  });
  watched.page.on('pageerror', (error) => watched.errors.push(error.message));
  await watched.page.goto(url);
  return watched;
}
