/** The page for printing contains the whole reference. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { printPage } from '../../../scripts/reference/print-page.ts';
import { siteParts } from '../../../scripts/reference/site.ts';
import { afterwards, temporaryFolder } from '../../gateway/harness.ts';
import { listViolations } from '../../tools/axe.ts';
import { launchBrowser, openPage, type Watched } from '../../tools/browser.ts';

const bundle = readBundle();
const chapters = [...bundle.info.description.matchAll(/^#{1,2} (.*)$/gm)].map(([, title = '']) => title);
const titles = [...operations(bundle), ...webhooks(bundle)].map(({ summary }) => summary);
let watched: Watched;

beforeAll(async () => {
  const { document, reference } = await siteParts();
  const style = await readFile(new URL('../../../scripts/reference/print.css', import.meta.url), 'utf8');
  const file = join(await temporaryFolder(), 'print.html');
  await writeFile(file, printPage(document, reference, style));
  const browser = await launchBrowser();
  afterwards(() => browser.close());
  watched = await openPage(browser, pathToFileURL(file).href);
});

describe('the page for printing', () => {
  it('prints every chapter, operation and webhook', async () => {
    const pdf = (await watched.page.pdf({ format: 'A4', outline: true, tagged: true })).toString('latin1');
    const printed = [...pdf.matchAll(/\/Title\s*\(([^)]*)\)/g)].map(([, title]) => title);
    // Chromium prints a heading's title at the edge of a page twice.
    const isPrinted = (title: string) => printed.includes(title) || printed.includes(title + title);
    expect([...chapters, ...titles].filter((title) => !isPrinted(title))).toEqual([]);
  });

  it('holds every example, and links only to its own parts, to files next to it and to other sites', async () => {
    const { page } = watched;
    const text = (await page.locator('body').textContent()) ?? '';
    const values = Object.values(bundle.components.examples ?? {}).map(({ value }) => JSON.stringify(value, null, 2));
    expect(values.filter((value) => value.includes('"transaction_id"') && !text.includes(value))).toEqual([]);
    const dead = `[...document.querySelectorAll('a')].filter(({ hash, protocol, pathname }) =>
      pathname === location.pathname
        ? !document.getElementById(decodeURIComponent(hash.slice(1)))
        : protocol !== 'https:' && !/\\.(json|txt|yaml|ts)$/.test(pathname),
    ).map(({ href }) => href)`;
    expect(await page.evaluate(dead)).toEqual([]);
    // All sections have the same styles, and axe needs minutes for all of them.
    const found = await listViolations(page, '#createPayment');
    expect(found.filter((violation) => violation.startsWith('color-contrast'))).toEqual([]);
    expect([...watched.foreign, ...watched.errors]).toEqual([]);
  });
});
