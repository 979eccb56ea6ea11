/** The reference in a browser, one operation and one webhook of it. page.long.test.ts reads all. */
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { lowContrast } from '../../tools/browser.ts';
import {
  expectFound,
  expectOperation,
  expectWebhook,
  heading,
  PATIENT,
  PHONE,
  part,
  type Reference,
  startReference,
  visit,
  WIDE,
} from './reference-page.ts';

const PAYMENT_DECLINES = '/decline-reasons/payment-decline-reasons';

const bundle = readBundle();
let reference: Reference;
/** To draw a page takes seconds, so what leaves it as it was shares this one. */
let page: Page;

beforeAll(async () => {
  reference = await startReference();
  page = await reference.open({ ...WIDE, colorScheme: 'light' });
});
afterAll(() => reference?.close());

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
    await visit(page, 'section/Assumptions/transitions', 'transitions');
    await page.waitForURL(/#.*assumptions\/transitions/i);
    await expect.poll(async () => (await entry('transitions').boundingBox())?.y ?? -1, PATIENT).toBeLessThan(200);
  });

  it.each([
    ['raw body', 'Verify the signature', '/section/webhooks/verify-the-signature'],
    ['changelog', 'Changelog', '/section/changelog'],
    ['limit_exceeded', 'LIMIT_EXCEEDED', `/section${PAYMENT_DECLINES}#section${PAYMENT_DECLINES}/limit_exceeded`],
  ])('finds %s by search, and opens its own place', (words, title, address) =>
    expectFound(page, words, title, address),
  );

  it('shows the words of an operation in the search as they are written', async () => {
    await page.locator('[data-testid=search-trigger]').click();
    const dialog = page.locator('[data-testid=search-dialog]');
    await dialog.locator('input').fill('payment session');
    const hit = dialog.locator('[href*="createpayment"]').first();
    await expect.poll(() => hit.textContent(), PATIENT).toContain('Creates a payment session. In the redirect flow');
    await page.keyboard.press('Escape');
  });

  it('leads from a mention of a decline code to its row', async () => {
    await visit(page, 'section/limits', 'Limits');
    await page.locator('[data-section-id="/section/limits"] a', { hasText: 'INSUFFICIENT_BALANCE' }).click();
    const row = page.locator('[id="section/decline-reasons/payout-decline-reasons/insufficient_balance"]');
    await expect.poll(async () => (await row.boundingBox())?.y ?? -1, PATIENT).toBeLessThan(200);
    expect(await page.locator('tr.target').textContent()).toMatch(/^INSUFFICIENT_BALANCE/);
  });

  it('shows the receiver where it explains the signature', async () => {
    expect(await page.locator('pre', { hasText: 'timingSafeEqual' }).first().isVisible()).toBe(true);
  });
});

describe('where statements come from', () => {
  it('is folded until the switch in the menu shows it, and the choice is remembered', async () => {
    const section = page.locator('[data-section-id="/section/limits"]');
    const source = section.locator('sup').first();
    const basis = page.locator('th[data-label=Basis]').first();
    const button = page.getByRole('button', { name: 'Show sources' });
    expect([await source.isVisible(), await basis.isVisible()]).toEqual([false, false]);
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    expect([await source.isVisible(), await basis.isVisible()]).toEqual([true, true]);
    await page
      .locator('table a', { hasText: /^transitions$/ })
      .first()
      .click();
    await page.waitForURL(/#.*assumptions\/transitions/i);
    await page.reload();
    await source.waitFor();
    await button.click();
    expect(await source.isVisible()).toBe(false);
  });
});

describe('before its script has run', () => {
  it('no link of the menu leads away, and a chapter opens', async () => {
    const page = await reference.open({ ...WIDE, javaScriptEnabled: false });
    const links = await page.locator('.menu-content a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(links.filter((href) => href?.startsWith('/'))).toEqual([]);
    await page.locator('.menu-content a', { hasText: 'Webhooks' }).first().click();
    await expect.poll(async () => (await heading(page, 'Webhooks').boundingBox())?.y ?? -1, PATIENT).toBeLessThan(200);
    await page.locator('a', { hasText: 'the whole reference on one page' }).click();
    expect(new URL(page.url()).pathname).toBe('/docs/print.html');
  });
});

describe('in the light scheme', () => {
  it('every text of the introduction can be read against its background', async () => {
    expect(await page.locator('html').getAttribute('class')).toContain('light');
    await visit(page, 'section/getting-started', 'Getting started');
    expect(await lowContrast(page)).toEqual([]);
  });
});

describe('the operations', () => {
  it.each(operations(bundle).slice(0, 1))('$id is shown with its samples and its basis', async (operation) => {
    await expectOperation(page, operation);
    const errors = part(page, operation.summary).locator('details', { hasText: 'Errors' });
    await errors.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await errors.locator('td', { hasText: 'validation-failed' }).isVisible()).toBe(true);
    expect(await lowContrast(page)).toEqual([]);
  });

  it.each(webhooks(bundle).slice(0, 1))('the webhook $id is shown with a way to the receiver', async (webhook) => {
    await expectWebhook(page, webhook);
    expect(await lowContrast(page)).toEqual([]);
  });
});

describe('on a phone', () => {
  it('does not scroll sideways, and the rows of wide tables become cards that name their columns', async () => {
    const page = await reference.open(PHONE);
    for (const { id, summary } of operations(bundle).slice(0, 2)) {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await visit(page, `operation/${id}`, summary);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.locator('details summary').first().tap();
    const error = await page.locator('details td[data-label=Meaning]').first().boundingBox();
    expect((error?.x ?? 0) + (error?.width ?? 1000)).toBeLessThanOrEqual(390);
    const title = await page.locator('h1').first().boundingBox();
    expect(title?.height).toBeLessThan(3 * 32);
    const cell = page.locator('.md-table-wrapper td[data-label="Suggested action"]').first();
    const box = await cell.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 1000)).toBeLessThanOrEqual(390);
  });
});

describe('the pages that were opened', () => {
  it('asked no other host and reported no error', () => {
    expect(reference.opened).toHaveLength(3);
    expect(reference.opened.flatMap(({ foreign }) => foreign)).toEqual([]);
    expect(reference.opened.flatMap(({ errors }) => errors)).toEqual([]);
  });
});
