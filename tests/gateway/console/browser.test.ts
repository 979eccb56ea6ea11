/** A merchant in the console of a sandbox, in a browser. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, it } from 'vitest';
import { headed, payment, settled, visitConsole } from './visit.ts';

const focused = (page: Page) => page.evaluate<string | null>('document.activeElement.getAttribute("href")');

it('a merchant follows a payment through a simulated decline to its delivery', async () => {
  const { page, api, goTo, foreign, errors } = await visitConsole();
  await goTo('/payments', 'Payments');
  await page.getByText('No payments yet').waitFor();
  // The list is live.
  await page.getByText('Updating', { exact: true }).waitFor();
  const { transaction_id: id } = await api('POST', '/payments', payment('manual'));
  await page.getByRole('link', { name: '₹499.00' }).click();
  await headed(page, '₹499.00');
  await page.getByRole('button', { name: 'Decline…' }).click();
  await page.getByLabel('decline_reason').selectOption('BANK_REJECTED');
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByRole('status').getByText('Decline: done').waitFor();
  await page.getByText('Declined by simulation · BANK_REJECTED').waitFor();
  expect((await api('GET', `/payments/${id}`)).decline_reason).toBe('BANK_REJECTED');
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('link', { name: 'FAILED' }).click();
  await headed(page, 'Payment FAILED');
  await page.getByRole('region', { name: 'Attempt 1' }).getByText('ECONNREFUSED').first().waitFor();
  await page.getByRole('link', { name: id }).click();
  await timeline.getByRole('link', { name: 'POST /payments', exact: true }).click();
  await headed(page, 'POST /payments');
  await page.getByRole('link', { name: 'createPayment' }).click();
  await page.getByRole('heading', { name: 'Create a payment' }).waitFor();
  expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
});

it('the console exposes no key in addresses, pages or scripts, and reveals the secret on request', async () => {
  const { page, gateway, goTo } = await visitConsole();
  await goTo('/explorer/getBalance', 'Explorer');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Response 200' }).waitFor();
  const seen: string = await page.evaluate(
    "[location.href, document.documentElement.outerHTML, document.cookie, ...performance.getEntries().map(({ name }) => name), JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join('\\n')",
  );
  expect(seen).not.toContain(gateway.key);
  expect(await page.evaluate('document.cookie')).toBe('');
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', secure: false });
  await goTo('/sandbox/merchant', 'Sandbox');
  await settled(page);
  expect(await page.content()).not.toContain(gateway.secret);
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByText(gateway.secret).waitFor();
  await page.getByText(`…${gateway.key.slice(-4)}`).waitFor();
  await page.getByRole('button', { name: 'Hide' }).click();
  expect(await page.content()).not.toContain(gateway.secret);
});

it('the console explains errors and their solution', async () => {
  const { page, goTo, gateway } = await visitConsole();
  await goTo('/payments/pay_unknown', 'Payment');
  await page.getByRole('alert').getByText('No payment has the id pay_unknown').waitFor();
  await gateway.close();
  await goTo('/requests', 'Requests');
  await page.getByRole('alert').getByText("The gateway can't be reached.").waitFor();
});

it('a merchant searches, filters, counts and downloads payments', async () => {
  const { page, api, goTo } = await visitConsole();
  await api('POST', '/payments', payment('asha-1', { merchant_order_id: 'blue-7001' }));
  await api('POST', '/payments', payment('decline-BANK_REJECTED', { merchant_order_id: 'blue-7002' }));
  await api('POST', '/payments', payment('asha-2', { merchant_order_id: '=red-1' }));
  const search = page.getByRole('search', { name: 'Search' }).getByLabel('ID, order or customer');
  await search.fill('BLUE');
  await page.keyboard.press('Enter');
  await headed(page, 'Search');
  await page.getByRole('heading', { name: 'Payments 2' }).waitFor();
  await page.getByText('No payouts match').waitFor();

  await goTo('/payments', 'Payments');
  const head = () => page.locator('.head').textContent();
  await expect.poll(head).toContain('Payments3');
  await page.getByLabel('Decline reason').selectOption('BANK_REJECTED');
  await expect.poll(head).toContain('Payments1');
  await page.getByLabel('Decline reason').selectOption('');
  await expect.poll(head).toContain('Payments3');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('payments.csv');
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(lines[0]).toMatch(/^transaction_id,merchant_order_id,kind,status,decline_reason,amount,/);
  // A spreadsheet would compute the order of the newest one.
  expect(lines[1]).toMatch(/^pay_\w+,'=red-1,payment,/);
  expect(lines[2]).toMatch(/^pay_\w+,blue-7002,payment,FAILED,BANK_REJECTED,49900,,INR,UPI_IN,decline-BANK_REJECTED,/);
  expect(lines).toHaveLength(5);
});

it('a list returns to its row and its filters', async () => {
  const { page, goTo, api } = await visitConsole();
  for (let i = 0; i < 40; i++) await api('POST', '/payments', payment(`customer-${i}`, { amount: 10_000 + 100 * i }));
  await goTo('/payments?search=customer', 'Payments');
  const row = page.getByRole('link', { name: '₹105.00' });
  await row.focus();
  const height = await page.evaluate<number>('scrollY');
  expect(height).toBeGreaterThan(0);
  const address = await focused(page);
  await page.keyboard.press('Enter');
  await headed(page, '₹105.00');
  await page.goBack();
  await headed(page, 'Payments');
  await expect.poll(() => focused(page)).toBe(address);
  expect(await page.evaluate<number>('scrollY')).toBe(height);
  await page.keyboard.press('Enter');
  await headed(page, '₹105.00');
  await page.getByRole('main').getByRole('link', { name: 'Payments', exact: true }).click();
  await headed(page, 'Payments');
  expect(page.url()).toContain('search=customer');
  await expect.poll(() => focused(page)).toBe(address);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await headed(page, '₹104.00');
});
