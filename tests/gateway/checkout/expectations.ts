/** Expectations of every page of a payment in a browser. */
import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { lowContrast } from '../../tools/browser.ts';
import type { Visit } from './shop.ts';

/** The page asked no host but its own and the shop, and reported no error but refused entries. */
export function expectClean({ foreign, errors, shopUrl }: Visit): void {
  expect(foreign.filter((url) => !url.startsWith(shopUrl))).toEqual([]);
  expect(errors.filter((error) => !error.includes('422'))).toEqual([]);
}

/** Its texts have contrast, and it doesn't scroll sideways. */
export async function expectReadable(page: Page): Promise<void> {
  expect(await lowContrast(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
}
