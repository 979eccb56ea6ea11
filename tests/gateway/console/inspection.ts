/** Expectations of each page of the console: the criteria of WCAG that a browser can check. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { expect } from 'vitest';
import { expectAccessible } from '../../tools/axe.ts';
import { settled } from './visit.ts';

/** Screens on which each page of a console is inspected. */
export const SCREENS: [string, BrowserContextOptions][] = [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ['on a phone', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ['on a small phone in the dark', { colorScheme: 'dark', viewport: { width: 320, height: 568 } }],
  ['with a tablet', { colorScheme: 'light', viewport: { width: 768, height: 1024 } }],
];

/** Controls smaller than 24 pixels, which axe doesn't report by default. */
function listSmallControls(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('button, select, input:not([type=checkbox])')]
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((element) => Math.min(element.offsetWidth, element.offsetHeight) < 24)
    .map(({ outerHTML }) => outerHTML.slice(0, 120))`);
}

/** Expects that each page of a console, by address and heading, is accessible and fits. */
export async function inspectPages(
  { page, goTo }: { readonly page: Page; goTo(address: string, heading: string): Promise<void> },
  pages: readonly (readonly [address: string, heading: string])[],
  how: string,
): Promise<void> {
  for (const [address, heading] of pages) {
    await goTo(address, heading);
    await settled(page);
    for (const summary of await page.locator('main summary').all()) await summary.click();
    await expectAccessible(page, `${how} ${address}`);
    expect(await listSmallControls(page)).toEqual([]);
  }
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
