/** Expectations of every page of a payment in a browser. */
import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { lowContrast } from '../../tools/browser.ts';
import type { Visit } from './shop.ts';

/** Expects requests only to the page's host and the shop, and no errors except refused entries. */
export function expectClean({ foreign, errors, shopUrl }: Visit): void {
  expect(foreign.filter((url) => !url.startsWith(shopUrl))).toEqual([]);
  expect(errors.filter((error) => !error.includes('422'))).toEqual([]);
}

/** Expects sufficient contrast and no horizontal scrolling. */
export async function expectReadable(page: Page): Promise<void> {
  expect(await lowContrast(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
}
