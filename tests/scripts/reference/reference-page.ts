/** The reference in a browser, and what each operation and webhook of it must show. */
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expect } from 'vitest';
import type { Operation } from '../../../contract/src/model.ts';
import { type Site, serveSite } from '../../../gateway/src/http/site.ts';
import { buildSite, SITE_FILE, type SiteOptions } from '../../../scripts/reference/site.ts';
import { launchBrowser, openPage, type Watched } from '../../tools/browser.ts';
import { builtSite } from './built-site.ts';

export const WIDE = { viewport: { width: 1440, height: 1000 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** Redoc draws lazily, and a busy machine takes its time. */
export const PATIENT = { timeout: 60_000 };

export interface Reference {
  /** Every page that was opened, with what it did that it should not have done. */
  readonly opened: readonly Watched[];
  /** Opens the page, which takes seconds to draw. */
  open(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Builds and serves the reference, and starts a browser. */
export async function startReference(options?: SiteOptions): Promise<Reference> {
  const { file = SITE_FILE } = options ?? {};
  await (options ? buildSite(options) : builtSite());
  const [site, browser]: [Site, Browser] = await Promise.all([serveSite({ file, port: 0 }), launchBrowser()]);
  const opened: Watched[] = [];
  return {
    opened,
    async open(options = WIDE) {
      const watched = await openPage(browser, `${site.url}/docs`, options);
      watched.page.setDefaultTimeout(PATIENT.timeout);
      opened.push(watched);
      await heading(watched.page, 'Getting started').waitFor({ state: 'attached' });
      return watched.page;
    },
    async close() {
      await browser.close();
      await site.close();
    },
  };
}

/** By its text; Redoc puts a badge behind the title of a webhook. */
export function heading(page: Page, name: string) {
  return page.locator('h1, h2').filter({ hasText: new RegExp(`^${name.replace(/[()]/g, '\\$&')}(webhook)?$`, 'i') });
}

/** Follows an address of the page, as a link in it would, and waits until its part is drawn. */
export async function visit(page: Page, hash: string, title: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await heading(page, title).waitFor();
}

/** The part of the page that belongs to an operation or webhook. */
export function part(page: Page, title: string) {
  return page.locator('[data-section-id]').filter({ has: heading(page, title) });
}

/** The search finds the title by the words, and the hit opens its own place. */
export async function expectFound(page: Page, words: string, title: string, address: string): Promise<void> {
  await page.locator('[data-testid=search-trigger]').click();
  const dialog = page.locator('[data-testid=search-dialog]');
  await dialog.locator('input').fill(words);
  const hit = dialog.locator(`[href="#${address}"]`);
  await hit.waitFor();
  expect(await hit.textContent()).toContain(title);
  expect(await dialog.locator('[href="#/"]').count()).toBe(0);
  await hit.click();
  await page.waitForURL((url) => url.hash === `#${address}`);
  const place = page.getByText(title, { exact: true }).and(page.locator('main h2 *, main td *')).first();
  await expect.poll(async () => (await place.boundingBox())?.y ?? -1, PATIENT).toBeLessThan(200);
}

/** The operation has its samples in each language, its responses, and says what it is based on. */
export async function expectOperation(page: Page, operation: Operation): Promise<void> {
  await visit(page, `operation/${operation.id}`, operation.summary);
  const shown = part(page, operation.summary);
  await shown.locator('.panel-request-samples').waitFor();
  const text = await shown.textContent();
  expect(text).toMatch(/(Specified|Assumed): /);
  for (const { status } of operation.responses) expect(text).toContain(status);
  for (const [label, start] of [
    ['curl', '"${BASE_URL:-'],
    ['TypeScript', 'createPaymentsClient({'],
    ['Python', 'urllib.request'],
  ] as const) {
    await choose(page, shown.locator('.panel-request-samples'), label);
    await expect.poll(() => shown.locator('.panel-request-samples pre').textContent(), PATIENT).toContain(start);
  }
}

/** The webhook has its example, its signature, and a way to the receiver. */
export async function expectWebhook(page: Page, webhook: Operation): Promise<void> {
  await visit(page, `operation/${webhook.id}`, webhook.summary);
  const shown = part(page, webhook.summary);
  await shown.locator('.panel-request-samples').waitFor();
  const text = await shown.textContent();
  expect(text).toContain(webhook.id);
  expect(text).toContain('webhook-timestamp');
  expect(text).toContain('Receiver in TypeScript');
  expect(text).toMatch(/(Specified|Assumed): /);
}

/**
 * Picks a language of the samples, unless it is picked already. The page is still drawn and moves, which can leave an open
 * menu outside of the window, where no pointer reaches it.
 */
async function choose(on: Page, panel: ReturnType<Page['locator']>, label: string) {
  const button = panel.getByRole('button', { name: /^(curl|TypeScript|Python|Payload)$/ });
  if ((await button.textContent())?.trim() === label) return;
  await button.click();
  await on
    .getByRole('menuitem', { name: label })
    .or(on.locator('li:visible', { hasText: new RegExp(`^${label}$`) }))
    .last()
    .dispatchEvent('click');
}
