/** The page for printing has all of the reference, unlike a print of Redoc's page, which has what was visited. */
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { lowContrast } from '../../tools/browser.ts';
import { PHONE, type Reference, startReference } from './reference-page.ts';

const bundle = readBundle();
const chapters = [...bundle.info.description.matchAll(/^#{1,2} (.*)$/gm)].map(([, title = '']) => title);
const titles = [...operations(bundle), ...webhooks(bundle)].map(({ summary }) => summary);
let reference: Reference;
/** To draw the reference takes seconds, so all share one page: it shows the reference first, and then what is for printing. */
let page: Page;

beforeAll(async () => {
  reference = await startReference();
  page = await reference.open();
});
afterAll(() => reference?.close());

describe('the reference', () => {
  it('says on paper that it holds only what was opened', async () => {
    const note = page.locator('.print-note');
    expect(await note.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await note.textContent()).toContain('/docs/print.html');
    expect(await note.isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
  });
});

describe('the page for printing', () => {
  it('opens from the reference, and prints every chapter, operation and webhook', async () => {
    await page.getByRole('link', { name: 'All on one page, for printing' }).click();
    await page.waitForURL('**/docs/print.html');
    const pdf = (await page.pdf({ format: 'A4', outline: true, tagged: true })).toString('latin1');
    const printed = [...pdf.matchAll(/\/Title\s*\(([^)]*)\)/g)].map(([, title]) => title);
    expect([...chapters, ...titles].filter((title) => !printed.includes(title))).toEqual([]);
  });

  it('holds every example, and links only to its own parts and to other sites', async () => {
    const text = (await page.locator('body').textContent()) ?? '';
    const values = Object.values(bundle.components.examples ?? {}).map(({ value }) => JSON.stringify(value, null, 2));
    expect(values.filter((value) => value.includes('"transaction_id"') && !text.includes(value))).toEqual([]);
    const dead = `[...document.querySelectorAll('a')].filter(({ hash, protocol, host }) =>
      host === location.host ? !document.getElementById(decodeURIComponent(hash.slice(1))) : protocol !== 'https:',
    ).map(({ href }) => href)`;
    expect(await page.evaluate(dead)).toEqual([]);
    expect(await lowContrast(page)).toEqual([]);
  });

  it('fits the width of a sheet and of a phone', async () => {
    for (const viewport of [{ width: 700, height: 1000 }, PHONE.viewport]) {
      await page.setViewportSize(viewport);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });
});

describe('all pages that were opened', () => {
  it('asked no other host and reported no error', () => {
    expect(reference.opened.flatMap(({ foreign, errors }) => [...foreign, ...errors])).toEqual([]);
  });
});
