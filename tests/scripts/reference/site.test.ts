/** The built site: its files, and a few of its pages in a browser. site.long.test.ts opens all of them. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { declineTables } from '../../../scripts/reference/declines.ts';
import { type BuiltSite, builtFiles, KEY, PHONE, renderedPages, startSite, WIDE } from './built-site.ts';
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
}, 120_000);
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
  it('have a page for each operation, webhook and table of decline codes, with Markdown next to it', () => {
    const tables = declineTables(bundle);
    const names = [...operations(bundle), ...webhooks(bundle)].map(({ id }) => id);
    for (const name of [...names, ...tables.map(({ schema }) => schema)]) {
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

  it('have a space between a mark and the link of the next sentence', () => {
    expect(files.get('decline-reasons.html')).toMatch(/<\/sup> <a [^>]*>Payment decline reasons/);
    for (const [name, html] of pages) expect(html, name).not.toContain('</sup><a');
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
  it("shows its gateway's address and key", async () => {
    const page = await site.open('/docs/createPayment');
    for (const language of ['curl', 'TypeScript', 'Python']) {
      const samples = page.locator('.tabs').first();
      await samples.locator('label', { hasText: language }).click();
      const sample = samples.locator('.panel:visible');
      expect(await sample.textContent(), language).toContain(site.url);
      expect(await sample.textContent(), language).toContain(KEY);
    }
  });

  it.each([1440, 900])('plays a payment on the first page, with the response in view at %d px', async (width) => {
    const page = await site.open('/docs/', { ...WIDE, viewport: { width, height: 900 } });
    await page.getByRole('button', { name: 'Play it in this page' }).click();
    await page.getByRole('button', { name: '1. Create the payment' }).click();
    await page.locator('.player .news', { hasText: 'The payment is EXTRA_DATA_NEEDED' }).waitFor();
    const { y = 900 } = (await page.getByLabel('Response: 1.').boundingBox()) ?? {};
    expect(y).toBeLessThan(700);
  });

  it('plays a declined payment from the page of its code', async () => {
    const page = await site.open('/docs/PaymentDeclineReason.html');
    await page.locator('a[href*="steps=decline-LIMIT_EXCEEDED"]').click();
    await page.locator('.player .news', { hasText: 'FAILED: LIMIT_EXCEEDED' }).waitFor();
  });

  it('fits a phone, and shows the rows of tables as cards there', async () => {
    const page = await site.open('/docs/getPayment', PHONE);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const title = `getComputedStyle(document.querySelector('.table-box td:last-child'), '::before').content`;
    expect(await page.evaluate(title)).toBe('"Meaning"');
    expect(
      await page.locator('.table-box').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth)),
    ).toEqual([]);
  });

  it('has one menu on a phone, with the pages, the search and the colors', async () => {
    const page = await site.open('/docs/getPayment', PHONE);
    const menus = page.locator('[aria-expanded]:visible', { hasNotText: 'On this page' });
    expect(await menus.allTextContents()).toEqual(['Menu']);
    await menus.tap();
    const menu = page.locator('.VPSidebar');
    await menu.getByRole('button', { name: 'Light or dark' }).tap();
    await page.locator('html.dark').waitFor();
    await menu.getByRole('button', { name: 'Search' }).tap();
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('Escape');
    await menus.tap();
    await menu.getByRole('link', { name: 'Reconciliation' }).tap();
    await page.waitForURL('**/docs/reconciliation.html');
  });

  it('has an address for each field, and folds the fields of an object', async () => {
    const page = await site.open('/docs/createPayment#request.customer.id');
    const field = page.locator('[id="request.customer.id"]');
    expect(await field.isVisible()).toBe(true);
    await expect.poll(async () => (await field.boundingBox())?.y).toBeLessThan(400);
    await page.getByText('Fields of customer').first().click();
    expect(await field.isVisible()).toBe(false);
  });

  it('shows its samples next to the text in a wide window, and below the description in others', async () => {
    const place = async (width: number) => {
      const page = await site.open('/docs/createPayment', { ...WIDE, viewport: { width, height: 800 } });
      const boxes = ['.samples', '.vp-doc h1', '#request'].map((one) => page.locator(one).boundingBox());
      const [samples, title, request] = await Promise.all(boxes);
      if (!samples || !title || !request) throw new Error('not all are visible');
      return samples.x > title.x + title.width
        ? 'right'
        : samples.y > title.y && samples.y < request.y
          ? 'below'
          : 'elsewhere';
    };
    expect(await Promise.all([1440, 1280, 1024, 390].map(place))).toEqual(['right', 'right', 'below', 'below']);
  });

  it('shows any example with its response in the language chosen last, as do the next pages', async () => {
    const page = await site.open('/docs/createPayment');
    const tabs = page.locator('.samples .tabs:visible');
    await page.locator('.tabs label', { hasText: 'Ruby' }).first().click();
    await page.getByLabel('Example').selectOption('Wallet in EGP, redirect');
    await expect.poll(() => tabs.first().locator('.panel:visible').textContent()).toMatch(/Net::HTTP[\s\S]*WALLET_EG/);
    expect(await tabs.last().locator('.panel:visible').textContent()).toMatch(/CREATED[\s\S]*WALLET_EG/);
    await tabs.last().locator('label', { hasText: '409' }).click();
    expect(await tabs.last().locator('.panel:visible').textContent()).toContain('"status": 409');
    await page.getByLabel('Example').press('Home');
    await expect.poll(() => tabs.last().locator('.panel:visible').textContent()).toMatch(/CREATED[\s\S]*UPI_IN/);
    await page.getByRole('link', { name: 'Get the balance' }).first().click();
    await page.waitForURL('**/docs/getBalance.html');
    await expect.poll(() => tabs.first().locator('.panel:visible').textContent()).toContain('Net::HTTP');
  });

  it('prints its samples in the chosen language, without menus, in light colors', async () => {
    const page = await site.open('/docs/getBalance', { ...WIDE, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    const colors = `[...document.querySelectorAll('h1, .vp-doc p, .vp-doc td, .vp-code span')].map((each) => getComputedStyle(each).color)`;
    const shades = (await page.evaluate<string[]>(colors)).map(
      (color) => color.match(/\d+/g)?.slice(0, 3).map(Number) ?? [],
    );
    expect(shades.length).toBeGreaterThan(50);
    expect(shades.filter((shade) => shade.every((part) => part > 150))).toEqual([]);
    const panels = page.locator('.tabs').first().locator('.panel');
    expect(await panels.filter({ visible: true }).count()).toBe(1);
    for (const part of ['.VPNav', '.VPSidebar', '.aside'])
      expect(await page.locator(part).isVisible(), part).toBe(false);
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
  'authentication-and-keys': 'api key, bearer, authentication, secret key, IP addresses, whitelist, allowlist',
  changelog: 'changelog',
  clarifyPayment: 'clarify',
  confirmPayment: 'UTR, confirm',
  createPayment: 'create payment, createPayment',
  createPayout: 'create payout',
  'decline-reasons': 'decline, decline reasons',
  errors: 'error, errors, problem, 400 field, 401, 409, 422, validation',
  flows: 'redirect, h2h, flow, return_url, kyc_level, trusted',
  getBalance: 'balance',
  'getting-started': 'getting started, polling, IFSC, bank account, php, golang',
  'go-live': 'production, go live, checklist, cors',
  limits: 'limit, limits, rate limit, 429, how long is a payment valid, limit per customer, expires, expiry, validity',
  money: 'paise, rupees, minor units, money, amount, currency, pending, settlement',
  'payment-methods': 'UPI, payment methods, QR',
  PaymentDeclineReason: 'kyc_blocked, timeout, expired, channel_down, BANK_REJECTED, bank refused',
  PayoutDeclineReason: 'insufficient_balance, fraud',
  reconciliation: 'reconcile, reconciliation',
  refunds: 'chargeback, reversal, refund, refunds',
  'safe-retries': 'retry, idempotency, idempotent, duplicate, lost response',
  states: 'status, states, lifecycle, final',
  testing: 'test, testing, sandbox, clock, time travel, move time, decline later clock',
  versions: 'version',
  webhooks:
    'callback, webhook, webhooks, signature, verify signature, notification, raw body, redeliver, resend webhook, failed webhooks',
};

/** Words with a page among their first three hits. */
const TOP_HITS: Readonly<Record<string, string>> = {
  confirmPayment: 'VERIFYING',
  findPayment: 'find payment, order id, payment exists',
  states: 'PAY_CONFIRMATION_NEEDED',
  testing: 'late decline, decline later',
};

describe('the search', () => {
  it.each([
    [1, FIRST_HITS],
    [3, TOP_HITS],
  ])(
    'finds the page that a word is about among the first %d',
    async (count, pages) => {
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
      for (const [name, words] of Object.entries(pages)) {
        for (const word of words.split(', ')) {
          await page.getByRole('searchbox').fill(word);
          await page.clock.runFor(1000);
          const hits = await links.evaluateAll((all) => all.map((link) => String(link.getAttribute('href'))));
          const found = hits.slice(0, count).map((hit) => hit.replace(/^.*\/|\.html.*$/g, ''));
          if (!found.includes(name)) wrong.push(`${word}: ${found.join(', ')} instead of ${name}`);
        }
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  it('finds pages of operators only from their book, which has its own menu', async () => {
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
    const sidebar = page.locator('.VPSidebar');
    await follow(page, sidebar.getByRole('link', { name: 'Management API' }), 'Management API');
    expect(await search()).not.toContain(false);
    await page.keyboard.press('Escape');
    await page.locator('main').getByRole('link', { name: 'Read a payment' }).click();
    await expect.poll(async () => (await page.locator('#read-a-payment').boundingBox())?.y).toBeLessThan(200);
    expect(await page.locator('details.fields[open]').count()).toBe(0);
    await sidebar.getByRole('link', { name: 'Back to the API' }).click();
    await page.waitForURL('**/docs/');
  });

  it('opens by Ctrl+K with caps lock', async () => {
    const page = await site.open('/docs/refunds');
    await page.evaluate(`dispatchEvent(new KeyboardEvent('keydown', { key: 'K', ctrlKey: true }))`);
    await page.getByRole('searchbox').waitFor();
  });

  it('shows excerpts of its hits, and leaves the tabs of the page as they are', async () => {
    const page = await site.open('/docs/webhooks');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('verify the signature');
    await page.locator('.results .excerpt .tabs').first().waitFor({ state: 'attached' });
    const tabs = page.locator('main .tabs');
    expect(await tabs.count()).toBeGreaterThan(0);
    expect(await tabs.locator('input:checked').count()).toBe(await tabs.count());
  });
});

it('leads from the address of a problem to its section', async () => {
  const page = await site.open('/problems/not-found');
  await page.waitForURL(`${site.url}/docs/errors#not-found`);
});

it('no page requested another host or reported an error', () => {
  expect(site.opened.length).toBeGreaterThan(10);
  expect(site.opened.flatMap(({ foreign, errors }) => [...foreign, ...errors])).toEqual([]);
});
