/** Expectations of each page of the console: the criteria of WCAG that a browser can check. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { expect } from 'vitest';
import { lowContrast } from '../../tools/browser.ts';

/** Screens on which each page of a console is inspected. */
export const SCREENS: [string, BrowserContextOptions][] = [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ['on a phone', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ['on a small phone in the dark', { colorScheme: 'dark', viewport: { width: 320, height: 568 } }],
  ['with a tablet', { colorScheme: 'light', viewport: { width: 768, height: 1024 } }],
];

/** Runs in the browser and returns the violations, one line each. */
const FIND = `(() => {
  const found = [];
  const visible = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);
  const text = (element) => element.textContent.trim();
  const name = (element) =>
    element.getAttribute('aria-label') ??
    document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent ??
    ([...(element.labels ?? [])].map(text).join(' ') || element.getAttribute('title') || text(element));
  const where = (element) => element.outerHTML.slice(0, 120);
  for (const element of all('a, button, input, select, textarea, summary, section, nav, dialog, [role=region], [role=img]')) {
    if (!name(element)) found.push('has no name: ' + where(element));
  }
  for (const element of all('input, select, textarea')) {
    if (element.labels.length === 0 && !element.hasAttribute('aria-label')) found.push('has no label: ' + where(element));
  }
  const headings = all('h1');
  if (headings.length !== 1) found.push('has ' + headings.length + ' main headings');
  let level = 1;
  for (const heading of all('h1, h2, h3, h4')) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) found.push('skips a level: ' + where(heading));
    level = own;
  }
  for (const landmark of ['header', 'nav', 'main']) {
    if (!document.querySelector(landmark)) found.push('has no ' + landmark);
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) found.push('has an id twice: ' + id);
  for (const element of document.querySelectorAll('[aria-labelledby], [aria-controls]')) {
    const id = element.getAttribute('aria-labelledby') ?? element.getAttribute('aria-controls');
    if (!document.getElementById(id)) found.push('names a missing id: ' + where(element));
  }
  for (const element of document.querySelectorAll('[tabindex]')) {
    if (element.tabIndex > 0) found.push('changes the order of the focus: ' + where(element));
  }
  for (const element of all('button, select, input:not([type=checkbox])')) {
    const { width, height } = element.getBoundingClientRect();
    if (width < 24 || height < 24) found.push('is a small target: ' + where(element));
  }
  const aside = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (aside > 0) found.push('scrolls sideways by ' + aside);
  if (!document.title || document.documentElement.lang !== 'en') found.push('has no title or language');
  return found;
})()`;

/** Fails with all violations of the page. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const found = await page.evaluate<string[]>(FIND);
  expect({ name, found, contrast: await lowContrast(page) }).toEqual({ name, found: [], contrast: [] });
}

/** The most stops of Tab in the field of a time: day, month, year, hour, minute, half of the day, picker. */
const TIME_PARTS = 7;

/** Goes through the page with Tab, and fails if the focus is invisible somewhere or doesn't come out at the end. */
export async function expectNoTrap(page: Page): Promise<void> {
  const count = await page.evaluate<number>(
    'document.querySelectorAll(\'a[href], button, input, select, textarea, summary, [tabindex="0"]\').length',
  );
  const times = await page.locator('input[type^=date]').count();
  await page.evaluate('document.activeElement.blur()');
  const seen = new Set<string>();
  for (let i = 0; i < count + times * TIME_PARTS + 5; i++) {
    await page.keyboard.press('Tab');
    const state = await page.evaluate<{ out: boolean; shown: boolean; element: string }>(
      `(() => {
        const element = document.activeElement;
        const style = getComputedStyle(element);
        // A new page puts the focus on its heading, once.
        const shown = style.outlineStyle !== 'none' || element.tagName === 'H1';
        return { out: element === document.body, shown, element: element.outerHTML.slice(0, 160) };
      })()`,
    );
    if (state.out) return;
    expect(state.shown, `the focus is visible on ${state.element}`).toBe(true);
    seen.add(state.element);
  }
  throw new Error(`the focus never left the page: ${[...seen].slice(-3).join(' ')}`);
}
