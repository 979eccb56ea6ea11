/** The built site: its files, and a few of its pages in a browser. site.long.test.ts opens all of them. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { type BuiltSite, builtFiles, PHONE, renderedPages, startSite, WIDE } from './built-site.ts';
import { follow } from './panel.ts';

const WEIGHT_MAX = 130_000;
const FIRST_PAGE_WEIGHT_MAX = 110_000;

const bundle = readBundle();
let site: BuiltSite;
let files: Map<string, string>;
let pages: [name: string, html: string][];

beforeAll(async () => {
  site = await startSite();
  files = builtFiles();
  pages = renderedPages(files);
});
afterAll(() => site?.close());

/** The values of an attribute. */
function attributes(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value = '']) => value);
}

/** The file of a site's address. File servers need not try extensions. */
function toFile(address: string): string {
  return address.replace(/^\/docs\/?/, '').split('#')[0] || 'index.html';
}

describe('the files', () => {
  it('have a page for each operation and webhook, with Markdown next to it', () => {
    for (const { id: name } of [...operations(bundle), ...webhooks(bundle)]) {
      expect(files.get(`${name}.html`), name).toContain(`href="/docs/${name}.md"`);
      expect(files.has(`${name}.md`), name).toBe(true);
    }
  });

  it('include each download, and workflows that name the document next to them', () => {
    expect(JSON.parse(files.get('openapi.json') ?? '')).toEqual(bundle);
    const links = attributes(files.get('downloads.html') ?? '', /<a href="([\w.-]+\.(?:json|yaml|ts|txt))"/g);
    expect(links.length).toBeGreaterThan(8);
    expect(links.filter((name) => !files.get(name))).toEqual([]);
    expect(files.get('payout.arazzo.yaml')).toContain('url: openapi.json');
  });

  it('are small: a page with its styles and scripts', () => {
    const gzipped = (name: string) => gzipSync(files.get(name) ?? '').length;
    for (const [name, html] of pages) {
      const parts = attributes(html, /<(?:link|script)[^>]* (?:href|src)="(\/docs\/[^"]+)"/g);
      expect(parts.length).toBeGreaterThan(4);
      const weight = gzipped(name) + parts.map((part) => gzipped(toFile(part))).reduce((sum, size) => sum + size, 0);
      expect(weight, name).toBeLessThan(name === 'index.html' ? FIRST_PAGE_WEIGHT_MAX : WEIGHT_MAX);
    }
  });

  it('have a content policy before their scripts, which allows inline scripts by hash and no other host', () => {
    for (const [name, html] of files) {
      if (!name.endsWith('.html')) continue;
      const [before = '', policy = ''] = html.split(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/);
      expect(policy, name).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'");
      expect(policy, name).toContain("connect-src 'self';");
      expect(policy, name).not.toMatch(/https?:|\*|'unsafe-eval|script-src[^;]*unsafe-inline/);
      expect(before, name).not.toContain('<script');
    }
  });

  it('link only to pages and headings that exist', () => {
    const dead = pages.flatMap(([name, html]) =>
      attributes(html, /<a[^>]* href="([^"]*)"/g)
        .filter((link) => !/^https?:/.test(link))
        .map((link) => new URL(link, `http://x/docs/${name}`))
        .filter(({ pathname, hash }) => {
          const target = files.get(toFile(pathname));
          return target === undefined || (hash && !target.includes(` id="${decodeURIComponent(hash.slice(1))}"`));
        })
        .map(({ pathname, hash }) => `${name}: ${pathname}${hash}`),
    );
    expect(dead).toEqual([]);
  });
});

describe('a page', () => {
  it('plays a payment on the first page, with the response in view', async () => {
    const page = await site.open('/docs/', { ...WIDE, viewport: { width: 1440, height: 900 } });
    await page.getByRole('button', { name: 'Play it in this page' }).click();
    await page.getByRole('button', { name: '1. Create the payment' }).click();
    await page.locator('.player .news', { hasText: 'The payment is EXTRA_DATA_NEEDED' }).waitFor();
    const { y = 900 } = (await page.getByLabel('Response: 1.').boundingBox()) ?? {};
    expect(y).toBeLessThan(700);
  });

  it('has an address for each field, and folds the fields of an object', async () => {
    const page = await site.open('/docs/createPayment#request.customer.id');
    const field = page.locator('[id="request.customer.id"]');
    expect(await field.isVisible()).toBe(true);
    await expect.poll(async () => (await field.boundingBox())?.y).toBeLessThan(400);
    await page.getByText('Fields of customer').first().click();
    expect(await field.isVisible()).toBe(false);
  });

  it('shows any example with its response in the chosen language, as does the next page', async () => {
    const page = await site.open('/docs/createPayment');
    const tabs = page.locator('.samples .tabs:visible');
    await page.locator('.tabs label', { hasText: 'Ruby' }).first().click();
    await page.getByLabel('Example').selectOption('Wallet in EGP, redirect');
    await expect.poll(() => tabs.first().locator('.panel:visible').textContent()).toMatch(/Net::HTTP[\s\S]*WALLET_EG/);
    expect(await tabs.last().locator('.panel:visible').textContent()).toMatch(/CREATED[\s\S]*WALLET_EG/);
    await page.getByRole('link', { name: 'Get the balance' }).first().click();
    await page.waitForURL('**/docs/getBalance.html');
    await expect.poll(() => tabs.first().locator('.panel:visible').textContent()).toContain('Net::HTTP');
  });
});

describe('without scripts', () => {
  it('shows content and menu, and samples as tabs', async () => {
    const page = await site.open('/docs/createPayment', { ...PHONE, javaScriptEnabled: false });
    const samples = page.locator('.tabs').first();
    expect(await samples.locator('.panel:visible').textContent()).toContain('curl');
    await samples.locator('label', { hasText: 'Python' }).click();
    expect(await samples.locator('.panel:visible').textContent()).toContain('urllib');
    await page.locator('summary', { hasText: 'Wallet in EGP, redirect' }).click();
    expect(await page.locator('.panel:visible').first().textContent()).toContain('WALLET_EG');
    await page.locator('.VPSidebar').getByText('Go live').click();
    expect(new URL(page.url()).pathname).toBe('/docs/go-live.html');
    expect(await page.locator('h1').textContent()).toContain('Go live');
  });
});

/** Words with the page of their first hit. */
const FIRST_HITS: Readonly<Record<string, string>> = {
  'authentication-and-keys': 'api key, bearer, allowlist',
  createPayment: 'create payment, createPayment',
  errors: 'error, 400 field, 409',
  'getting-started': 'getting started, polling, golang',
  limits: 'rate limit, 429, expiry',
  money: 'paise, minor units',
  PaymentDeclineReason: 'kyc_blocked, bank refused',
  PayoutDeclineReason: 'insufficient_balance',
  refunds: 'chargeback',
  'safe-retries': 'idempotency, lost response',
  testing: 'sandbox, time travel, decline later clock',
  webhooks: 'callback, verify signature, raw body, resend webhook',
};

describe('the search', () => {
  it('finds the page that a word is about first', async () => {
    const page = await site.open('/docs/');
    await page.evaluate(`localStorage.setItem('vitepress:local-search-detailed-list', 'false')`);
    await page.reload();
    await page.getByRole('button', { name: 'Search' }).click();
    const links = page.locator('.results > li a');
    await page.getByRole('searchbox').fill('webhook');
    await links.first().waitFor();
    // The search waits until the reader stops typing. Until then, it shows the results of the previous word.
    await page.clock.install();
    const wrong: string[] = [];
    for (const [name, words] of Object.entries(FIRST_HITS)) {
      for (const word of words.split(', ')) {
        await page.getByRole('searchbox').fill(word);
        await page.clock.runFor(1000);
        const found = (await links.first().getAttribute('href'))?.replace(/^.*\/|\.html.*$/g, '');
        if (found !== name) wrong.push(`${word}: ${found} instead of ${name}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('finds pages of operators only from their book', async () => {
    const page = await site.open('/docs/');
    const search = async () => {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill('settlement');
      await page.locator('.results > li').first().waitFor();
      const links = page.locator('.results > li a');
      return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')?.includes('/management')));
    };
    expect(await search()).not.toContain(true);
    await page.keyboard.press('Escape');
    await follow(page, page.locator('.VPSidebar').getByRole('link', { name: 'Management API' }), 'Management API');
    expect(await search()).not.toContain(false);
  });
});

it('no page requested another host or reported an error', () => {
  expect(site.opened.length).toBeGreaterThan(4);
  expect(site.opened.flatMap(({ foreign, errors }) => [...foreign, ...errors])).toEqual([]);
});
