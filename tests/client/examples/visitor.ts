/** Actions of the shop's visitors, and expectations of every page. */
import type { Page } from '@playwright/test';

export const HERE = /^Pay with UPI here/;
export const BY_REDIRECT = /^Pay on the payment page/;
export const PERSON = { 'Full name': 'Asha Rao', 'Phone number': '+919812345671' };

/** Fills in and sends the form of the first page. */
export async function choose(page: Page, entries: Record<string, string>, way: RegExp): Promise<void> {
  await page.getByText('Advanced').click();
  await fill(page, entries);
  await page.getByRole('button', { name: way }).click();
}

/** Fills in fields by their labels. */
export async function fill(page: Page, entries: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(entries)) await page.getByLabel(label).fill(value);
}

/** Waits for a heading, and for the scripts of its page. */
export async function heading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name }).waitFor();
  await page.waitForLoadState();
}
