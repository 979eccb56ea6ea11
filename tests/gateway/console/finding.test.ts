/** A merchant in the console in a browser: finding and understanding transactions. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { headed, payment, payout, settled, type Visit, visitConsole } from './visit.ts';

const rowsOf = (page: Page) => page.locator('main tbody tr');
const focused = (page: Page) => page.evaluate<string | null>('document.activeElement.getAttribute("href")');

/** Payments of two customers, of which one is declined. */
async function fill({ api }: Visit): Promise<void> {
  await api('POST', '/payments', payment('asha-1', { merchant_order_id: 'blue-7001' }));
  await api('POST', '/payments', payment('decline-BANK_REJECTED', { merchant_order_id: 'blue-7002' }));
  await api('POST', '/payments', payment('asha-2', { merchant_order_id: '=red-1' }));
  await api('POST', '/sandbox/wallets/INR/fund', { amount: 9_000_000 });
  await api('POST', '/payouts', payout({ merchant_order_id: 'blue-out' }));
}

describe('finding', () => {
  it('searches by parts of ids, orders and customers from every page', async () => {
    const visit = await visitConsole();
    const { page, api } = visit;
    await fill(visit);
    const search = page.getByRole('search', { name: 'Search' }).getByLabel('ID, order or customer');
    await search.fill('BLUE');
    await page.keyboard.press('Enter');
    await headed(page, 'Search');
    await page.getByRole('heading', { name: 'Payments 2' }).waitFor();
    await page.getByRole('heading', { name: 'Payouts 1' }).waitFor();
    await search.fill('asha');
    await page.keyboard.press('Enter');
    await page.getByText('No payouts match').waitFor();
    expect(await rowsOf(page).count()).toBe(2);
    const [event] = (await api('GET', '/management/events')).data;
    await search.fill(event.id);
    await page.keyboard.press('Enter');
    await page.getByText(event.id).last().waitFor();
    expect(page.url()).toContain(`/events/${event.id}`);
  });

  it('filters, counts and downloads payments', async () => {
    const visit = await visitConsole();
    const { page, goTo } = visit;
    await fill(visit);
    await goTo('/payments', 'Payments');
    await expect.poll(() => page.locator('.head').textContent()).toContain('Payments3');
    await page.getByLabel('Decline reason').selectOption('BANK_REJECTED');
    await expect.poll(() => page.locator('.head').textContent()).toContain('Payments1');
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByLabel('Decline reason').selectOption('');
    await page.getByLabel('Before (UTC)').fill('2020-01-01T10:00');
    await page.getByLabel('Before (UTC)').blur();
    await page.getByText('No payments match').waitFor();
    await page.getByLabel('Before (UTC)').fill('');
    await page.getByLabel('From (UTC)').fill('2020-01-01T10:00');
    await page.keyboard.press('Enter');
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('payments.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toMatch(/^transaction_id,merchant_order_id,kind,status,decline_reason,amount,/);
    // A spreadsheet would compute the order of the newest one.
    expect(lines[1]).toMatch(/^pay_\w+,'=red-1,payment,/);
    expect(lines[2]).toMatch(
      /^pay_\w+,blue-7002,payment,FAILED,BANK_REJECTED,49900,,INR,UPI_IN,decline-BANK_REJECTED,/,
    );
    expect(lines).toHaveLength(5);
  });

  it('returns to the row and the filters of a list', async () => {
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

  it('hides requests to the sandbox and shows the first violation of a request', async () => {
    const { page, goTo, api } = await visitConsole();
    await api('POST', '/sandbox/wallets/INR/fund', { amount: 1 });
    await api('POST', '/payments', { amount: 'x' }).catch(() => undefined);
    await goTo('/requests', 'Requests');
    await page.getByText(/is missing, and 5 more/).waitFor();
    expect(await page.getByText('/sandbox/wallets/INR/fund').count()).toBe(0);
    await page.getByLabel('Requests to the sandbox').selectOption('shown');
    await page.getByText('/sandbox/wallets/INR/fund').waitFor();
    await page.getByLabel('Operation').selectOption('createPayment');
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByRole('link', { name: /POST \/payments/ }).click();
    await page.getByText('body /amount').waitFor();
  });
});

describe('understanding', () => {
  it('explains a decline with the exceeded limit and its use', async () => {
    const { page, goTo, api } = await visitConsole();
    await api('POST', '/sandbox/customers/customer-7/use-limits', {
      kind: 'payment',
      method: 'UPI_IN',
      amount: 19_990_000,
    });
    const { transaction_id: id } = await api('POST', '/payments', payment('customer-7'));
    await goTo(`/payments/${id}`, '₹499.00');
    const card = page.getByRole('region', { name: 'Why it was declined' });
    await card.getByText("The customer's daily or monthly limit is reached.").waitFor();
    await card.getByText('₹1,99,900.00 used + ₹499.00 of ₹2,00,000.00').waitFor();
    expect(await card.getByText('exceeded', { exact: true }).count()).toBe(1);
    const facts = (await card.locator('dl').first().textContent()) ?? '';
    expect(facts).toMatch(/Try again(Immediately|Once|With|No).*Acts first\w+Decided byGateway$/);
  });

  it('labels the sandbox and reveals key and secret on request', async () => {
    const { page, goTo, gateway } = await visitConsole();
    await page.locator('header').getByText('Sandbox', { exact: true }).waitFor();
    await goTo('/sandbox/merchant', 'Sandbox');
    await settled(page);
    expect(await page.content()).not.toContain(gateway.secret);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.getByText(gateway.secret).waitFor();
    await page.getByText(`…${gateway.key.slice(-4)}`).waitFor();
    await page.getByRole('button', { name: 'Hide' }).click();
    expect(await page.content()).not.toContain(gateway.secret);
  });
});
