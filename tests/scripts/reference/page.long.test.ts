/** The reference in a browser, all of it. page.test.ts reads one of each kind. */
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type RawOperation, readBundle, webhooks } from '../../../contract/src/model.ts';
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
  it.each([
    ['idempotent', 'Safe retries', '/section/safe-retries'],
    ['authorization', 'Authorization', '/section/authorization'],
    ['refund', 'Refunds', '/section/refunds'],
    ['reconcile', 'Reconciliation', '/section/reconciliation'],
    ['go live', 'Go live', '/section/go-live'],
  ])('finds %s by search, and opens its own place', (words, title, address) =>
    expectFound(page, words, title, address),
  );

  it('finds an operation by search, from the keyboard', async () => {
    await page.locator('[data-testid=search-trigger]').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('settlement balance');
    const dialog = page.locator('[data-testid=search-dialog]');
    await expect.poll(() => dialog.textContent(), PATIENT).toContain('/merchant/balance');
    expect(await lowContrast(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });
});

describe('the operations', () => {
  it.each(operations(bundle))('$id is shown with its samples and its basis', async (operation) => {
    await expectOperation(page, operation);
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
        .poll(async () => (await panels.allInnerTexts()).map((text) => text.split('\n')[0]), PATIENT)
        .toEqual(titles);
    },
  );

  it.each(webhooks(bundle))('the webhook $id is shown with its example and a way to the receiver', async (webhook) => {
    await expectWebhook(page, webhook);
  });
});

describe('in the dark scheme', () => {
  it('every text can be read against its background, and is printed light', async () => {
    const shown = await reference.open({ ...WIDE, colorScheme: 'dark' });
    expect(await shown.locator('html').getAttribute('class')).toContain('dark');
    await visit(shown, 'section/getting-started', 'Getting started');
    expect(await lowContrast(shown)).toEqual([]);
    await shown.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await shown.locator('html').getAttribute('class')).not.toContain('dark');
    await shown.evaluate('dispatchEvent(new Event("afterprint"))');
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
    page = await reference.open(PHONE);
  });

  it('opens the menu and follows its links', async () => {
    await page.getByRole('button', { name: 'Open navigation menu' }).tap();
    await page.locator('.menu-content').getByText('Webhooks', { exact: true }).tap();
    await page.waitForURL(/#\/section\/webhooks/);
    await expect.poll(async () => (await heading(page, 'Webhooks').boundingBox())?.y ?? -1, PATIENT).toBeLessThan(300);
  });
});

describe('by keyboard', () => {
  let page: Page;
  beforeAll(async () => {
    page = await reference.open();
  });

  it('the first Tab shows the skip link, which leads to the content', async () => {
    await page.keyboard.press('Tab');
    const link = page.locator('.skip-link');
    await expect.poll(async () => (await link.boundingBox())?.y ?? -1, PATIENT).toBeGreaterThanOrEqual(0);
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
    const page = await reference.open({ ...WIDE, bypassCSP: true });
    for (const { id, summary } of operations(bundle).slice(0, 1)) await visit(page, `operation/${id}`, summary);
    expect(reference.opened.at(-1)).toMatchObject({ foreign: [], errors: [] });
  });

  it('asked no other host and reported no error', () => {
    expect(reference.opened).toHaveLength(5);
    expect(reference.opened.flatMap(({ foreign }) => foreign)).toEqual([]);
    expect(reference.opened.flatMap(({ errors }) => errors)).toEqual([]);
  });
});
