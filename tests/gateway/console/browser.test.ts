import { describe, expect, it } from 'vitest';
import { headed, payment, visitConsole } from './visit.ts';

describe('a merchant in the console', () => {
  it('follows a payment through a simulated decline to its delivery', async () => {
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

  it('never exposes the key in addresses, pages or scripts', async () => {
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
  });

  it('moves the clock and shows its difference on every page', async () => {
    const { page, api, goTo } = await visitConsole();
    await goTo('/sandbox/clock', 'Sandbox');
    // The header can change before the response arrives, until when the next button does nothing.
    const advanced = page.waitForResponse((response) => response.url().endsWith('/sandbox/clock/advance'));
    await page.getByRole('button', { name: '+1d' }).click();
    await advanced;
    await page.locator('header').getByText('1 d ahead').waitFor();
    await page.getByRole('button', { name: 'Freeze' }).click();
    // Real time passes while the clock is frozen, so that soon it is less than a day ahead.
    await page
      .locator('header')
      .getByText(/frozen, .+ ahead/)
      .waitFor();
    expect((await api('GET', '/sandbox/clock')).frozen).toBe(true);
    await goTo('/', 'Overview');
    await page.getByRole('button', { name: 'Release' }).click();
    await page.locator('header').getByText('ahead').waitFor({ state: 'hidden' });
    expect(await api('GET', '/sandbox/clock')).toMatchObject({ frozen: false, ahead_ms: 0 });
  });

  it('explains errors and their solution', async () => {
    const { page, goTo, gateway } = await visitConsole();
    await goTo('/payments/pay_unknown', 'Payment');
    await page.getByRole('alert').getByText('No payment has the id pay_unknown').waitFor();
    await goTo('/sandbox/clock', 'Sandbox');
    await page.getByLabel('Advance by').fill('99999999d');
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await gateway.close();
    await goTo('/requests', 'Requests');
    await page.getByRole('alert').getByText("The gateway can't be reached.").waitFor();
  });
});
