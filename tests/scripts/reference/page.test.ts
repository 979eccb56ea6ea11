import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type RawOperation, readBundle, webhooks } from '../../../contract/src/model.ts';
import { type Site, serveSite } from '../../../gateway/src/http/site.ts';
import { buildSite, SITE_FILE } from '../../../scripts/reference/site.ts';
import { launchBrowser, lowContrast, openPage, type Watched } from '../../tools/browser.ts';

const bundle = readBundle();
const wide = { viewport: { width: 1440, height: 1000 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** Redoc draws lazily, and a busy machine takes its time. */
const patient = { timeout: 5_000 };
const opened: Watched[] = [];
let site: Site;
let browser: Browser;
/** To draw a page takes seconds, so what leaves it as it was shares this one. */
let page: Page;

beforeAll(async () => {
  await buildSite();
  [site, browser] = await Promise.all([serveSite({ file: SITE_FILE, port: 0 }), launchBrowser()]);
  page = await open('', { ...wide, colorScheme: 'light' });
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

async function open(hash = '', options: BrowserContextOptions = wide): Promise<Page> {
  const watched = await openPage(browser, `${site.url}/docs${hash}`, options);
  watched.page.setDefaultTimeout(patient.timeout);
  opened.push(watched);
  await heading(watched.page, 'Getting started').waitFor({ state: 'attached' });
  return watched.page;
}

/** By its text; Redoc puts a badge behind the title of a webhook. */
function heading(page: Page, name: string) {
  return page.locator('h1, h2').filter({ hasText: new RegExp(`^${name.replace(/[()]/g, '\\$&')}(webhook)?$`, 'i') });
}

/** Follows an address of the page, as a link in it would, and waits until its part is drawn. */
async function visit(page: Page, hash: string, title: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await heading(page, title).waitFor();
}

/** The part of the page that belongs to an operation or webhook. */
function part(page: Page, title: string) {
  return page.locator('[data-section-id]').filter({ has: heading(page, title) });
}

describe('the introduction', () => {
  it('has the title, language and description of the document', async () => {
    expect(await page.title()).toBe(bundle.info.title);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.locator('meta[name=description]').getAttribute('content')).toBe(bundle.info['summary']);
  });

  it.each(Object.entries(bundle['x-state-machines']))('draws the %s machine with every state', async (_, machine) => {
    const drawing = page.locator('figure svg').filter({ hasText: `${machine.title}: states and moves` });
    expect(await drawing.getAttribute('role')).toBe('img');
    for (const state of Object.keys(machine.states)) {
      expect(await drawing.locator('text').getByText(state, { exact: true }).isVisible(), state).toBe(true);
    }
    const drawn = machine.transitions.filter(({ tolerated }) => !tolerated);
    expect(await drawing.locator('polygon').count()).toBe(drawn.length);
  });

  it.each(['PaymentDeclineReason', 'PayoutDeclineReason'])('lists every code of %s with its texts', async (schema) => {
    const reasons = bundle.components.schemas[schema]?.anyOf?.[0]?.['x-decline-reasons'] ?? {};
    const id = schema === 'PaymentDeclineReason' ? 'payment-decline-reasons' : 'payout-decline-reasons';
    const table = page.locator(`[id$="/${id}"]`).locator('xpath=following::table[1]');
    const rows = (await table.locator('tbody tr').allInnerTexts()).map((row) => row.split(/\s*\t\s*/));
    expect(rows).toEqual(
      Object.entries(reasons).map(([code, text]) => [code, text.meaning, text.likely_cause, text.suggested_action]),
    );
  });

  it('has an entry for every assumption, reached by its link', async () => {
    const entry = (id: string) => page.locator(`h2[id="section/assumptions/${id}"]`);
    for (const { id } of bundle['x-assumptions']) expect(await entry(id).isVisible(), id).toBe(true);
    await page
      .locator('table a', { hasText: /^transitions$/ })
      .first()
      .click();
    await page.waitForURL(/#.*assumptions\/transitions/i);
    await expect.poll(async () => (await entry('transitions').boundingBox())?.y ?? -1, patient).toBeLessThan(200);
  });

  it('shows the receiver where it explains the signature', async () => {
    expect(await page.locator('pre', { hasText: 'timingSafeEqual' }).first().isVisible()).toBe(true);
  });

  it('finds an operation by search, from the keyboard', async () => {
    await page.locator('[data-testid=search-trigger]').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('settlement balance');
    const dialog = page.locator('[data-testid=search-dialog]');
    await expect.poll(() => dialog.textContent(), patient).toContain('/merchant/balance');
    expect(await lowContrast(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

describe('the operations', () => {
  it.each(operations(bundle))('$id is shown with its samples and its basis', async (operation) => {
    await visit(page, `operation/${operation.id}`, operation.summary);
    const shown = part(page, operation.summary);
    await shown.locator('.panel-request-samples').waitFor();
    const text = await shown.textContent();
    expect(text).toMatch(/(Specified|Assumed): /);
    for (const { status } of operation.responses) expect(text).toContain(status);
    for (const [label, start] of [
      ['curl', '"$BASE_URL'],
      ['TypeScript', 'createContractClient({'],
    ] as const) {
      await choose(page, shown.locator('.panel-request-samples'), label);
      await expect.poll(() => shown.locator('.panel-request-samples pre').textContent(), patient).toContain(start);
    }
  });

  it.each(operations(bundle).filter(({ callbacks }) => callbacks.length > 0))(
    '$id names every callback',
    async (operation) => {
      await visit(page, `operation/${operation.id}`, operation.summary);
      const raw = bundle.paths[operation.path]?.[operation.method]?.callbacks ?? {};
      const titles = Object.values(raw).flatMap((callback) =>
        Object.values(callback).map(({ post }: { post: RawOperation }) => post.summary),
      );
      expect(titles).toHaveLength(operation.callbacks.length);
      const panels = part(page, operation.summary).locator('.panel-response-callback');
      await expect
        .poll(async () => (await panels.allInnerTexts()).map((text) => text.split('\n')[0]), patient)
        .toEqual(titles);
    },
  );

  it.each(webhooks(bundle))('the webhook $id is shown with its example and a way to the receiver', async (webhook) => {
    await visit(page, `operation/${webhook.id}`, webhook.summary);
    const shown = part(page, webhook.summary);
    await shown.locator('.panel-request-samples').waitFor();
    const text = await shown.textContent();
    expect(text).toContain(webhook.id);
    expect(text).toContain('webhook-timestamp');
    expect(text).toContain('Receiver in TypeScript');
    expect(text).toMatch(/(Specified|Assumed): /);
  });

  /** Picks a language of the samples, unless it is picked already. */
  async function choose(on: Page, panel: ReturnType<Page['locator']>, label: string) {
    const button = panel.getByRole('button', { name: /^(curl|TypeScript|Payload)$/ });
    if ((await button.textContent())?.trim() === label) return;
    await button.click();
    await on
      .getByRole('menuitem', { name: label })
      .or(on.locator('li:visible', { hasText: new RegExp(`^${label}$`) }))
      .last()
      .click();
  }
});

describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
  it('every text can be read against its background', async () => {
    const shown = colorScheme === 'light' ? page : await open('', { ...wide, colorScheme });
    expect(await shown.locator('html').getAttribute('class')).toContain(colorScheme);
    await visit(shown, 'section/getting-started', 'Getting started');
    expect(await lowContrast(shown)).toEqual([]);
    for (const { id, summary } of [...operations(bundle).slice(0, 1), ...webhooks(bundle).slice(0, 1)]) {
      await visit(shown, `operation/${id}`, summary);
      await part(shown, summary).locator('.panel-request-samples').waitFor();
      expect(await lowContrast(shown), id).toEqual([]);
    }
  });
});

describe('on a phone', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open('', phone);
  });

  it('does not scroll sideways, and the rows of wide tables become cards that name their columns', async () => {
    for (const { id, summary } of operations(bundle).slice(0, 2)) {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await visit(page, `operation/${id}`, summary);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    const cell = page.locator('.md-table-wrapper td[data-label="Suggested action"]').first();
    const box = await cell.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 1000)).toBeLessThanOrEqual(390);
  });

  it('opens the menu and goes where it is told', async () => {
    await page.getByRole('button', { name: 'Open navigation menu' }).tap();
    await page.locator('.menu-content').getByText('Webhooks', { exact: true }).tap();
    await page.waitForURL(/#\/section\/webhooks/);
    await expect.poll(async () => (await heading(page, 'Webhooks').boundingBox())?.y ?? -1, patient).toBeLessThan(300);
  });
});

describe('by keyboard', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open();
  });

  it('the first Tab shows the skip link, which leads to the content', async () => {
    await page.keyboard.press('Tab');
    const link = page.locator('.skip-link');
    await expect.poll(async () => (await link.boundingBox())?.y ?? -1, patient).toBeGreaterThanOrEqual(0);
    expect(await page.evaluate('document.activeElement.className')).toBe('skip-link');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
  });

  it('every stop of Tab in the menu shows where it is', async () => {
    await page.reload();
    await heading(page, 'Getting started').waitFor({ state: 'attached' });
    const stops: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outline');
      stops.push(/solid/.test(outline) && !/ 0px/.test(outline) ? 'visible' : outline);
    }
    expect(stops).toEqual(stops.map(() => 'visible'));
  });

  it('Enter follows an item of the menu', async () => {
    await page.locator('.menu-content a', { hasText: 'Payouts' }).last().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/payouts/);
    const item = page.locator('.menu-content a', { hasText: 'Create a payout' });
    await item.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/payouts\/createpayout/);
  });
});

describe('all pages that were opened', () => {
  it('work without the content policy too, as when the file is opened from a disk', async () => {
    const page = await open('', { ...wide, bypassCSP: true });
    for (const { id, summary } of operations(bundle).slice(0, 1)) await visit(page, `operation/${id}`, summary);
    expect(opened.at(-1)).toMatchObject({ foreign: [], errors: [] });
  });

  it('asked no other host and reported no error', () => {
    expect(opened).toHaveLength(5);
    expect(opened.flatMap(({ foreign }) => foreign)).toEqual([]);
    expect(opened.flatMap(({ errors }) => errors)).toEqual([]);
  });
});
