/** The panel "Try it" from a reader's view. */
import type { Locator, Page } from '@playwright/test';
import { expect } from 'vitest';

/** Opens the panel of a page, once the page's script runs. */
export async function openPanel(page: Page): Promise<Locator> {
  await expect.poll(() => page.evaluate('!!document.querySelector("#app")?.__vue_app__')).toBe(true);
  await page.getByRole('button', { name: /^Try / }).click();
  const panel = page.getByRole('form', { name: 'Try it' });
  await panel.waitFor();
  return panel;
}

/** Follows a link to another page of the site. The address changes before the former page disappears. */
export async function follow(page: Page, link: Locator, title: string): Promise<void> {
  await link.click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** The section with the response. */
export function locateResponse(panel: Locator): Locator {
  return panel.getByRole('region', { name: 'Response', exact: true });
}

/** The section with status, ledger and webhooks. */
export function locateBehind(panel: Locator): Locator {
  return panel.getByRole('region', { name: 'Effects' });
}

/** Completes the panel's payment, advances the clock, and expects the displayed steps. */
export async function completePayment(panel: Locator): Promise<void> {
  const behind = locateBehind(panel);
  await behind.getByRole('button', { name: 'pay', exact: true }).click();
  await behind.getByRole('button', { name: 'succeed', exact: true }).click();
  await expect.poll(() => behind.textContent()).toMatch(/is SUCCESS[\s\S]*ledger[\s\S]*webhook/);
  await behind.getByText('Signature and body').last().click();
  await expect.poll(() => behind.getByLabel('The webhook').last().textContent()).toMatch(/v1,[\s\S]*"SUCCESS"/);
  await behind.getByRole('button', { name: '3d later' }).click();
  await expect.poll(() => panel.textContent()).toMatch(/The clock of this sandbox is \d.* ahead/);
}
