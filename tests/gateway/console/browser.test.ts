/** A merchant in the console in a browser: frequent tasks. browser.long.test.ts inspects every page. */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, lowContrast } from '../../tools/browser.ts';
import { headed, payment, visitConsole } from './visit.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe('a merchant in the console', () => {
  it('follows a payment through a simulated decline to its delivery', async () => {
    const { page, api, goTo, foreign, errors } = await visitConsole(browser);
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
    const { page, gateway, goTo } = await visitConsole(browser);
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

  it('returns to the page after a login', async () => {
    const { page, gateway, goTo } = await visitConsole(browser);
    await page.context().clearCookies();
    await page.goto(`${gateway.url}/console#/ledger`);
    await page.reload();
    await headed(page, 'Log in to the console');
    await page.getByLabel('Key').fill('sk_test_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This key is not valid.').waitFor();
    await page.getByLabel('Key').fill(gateway.key);
    await page.keyboard.press('Enter');
    await headed(page, 'Ledger');
    await goTo('/sandbox', 'Sandbox');
    await page.getByRole('button', { name: 'Log out' }).first().click();
    await headed(page, 'Log in to the console');
  });

  it('moves the clock and shows its difference on every page', async () => {
    const { page, api, goTo } = await visitConsole(browser);
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

  it('works by keyboard', async () => {
    const { page, api } = await visitConsole(browser);
    await api('POST', '/payments', payment());
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await headed(page, 'Payments');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.getByRole('link', { name: '₹499.00' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await headed(page, '₹499.00');
  });

  it('follows a change of the address before the first page is ready', async () => {
    const { page, gateway } = await visitConsole(browser);
    await page.addInitScript(`
      const sent = new MutationObserver(() => {
        if (!document.querySelector('h1')) return;
        sent.disconnect();
        location.hash = '#/requests';
      });
      sent.observe(document, { childList: true, subtree: true });
    `);
    await page.goto('about:blank');
    await page.goto(`${gateway.url}/console#/payments`);
    await headed(page, 'Requests');
  });

  it('restores the row if the address changes before the page listens', async () => {
    const { page, api, gateway } = await visitConsole(browser);
    const { transaction_id: id } = await api('POST', '/payments', payment('manual'));
    // The event of the change is still to come when it is listened to.
    await page.addInitScript(`
      const listen = window.addEventListener;
      window.addEventListener = (type, ...rest) => {
        if (type === 'hashchange') location.hash = '#/payments';
        return listen(type, ...rest);
      };
    `);
    await page.goto('about:blank');
    await page.goto(`${gateway.url}/console#/payments/${id}`);
    await headed(page, 'Payments');
    await page.locator(`a.row[href="#/payments/${id}"]:focus`).waitFor();
  });

  it('explains errors and their solution', async () => {
    const { page, goTo, gateway } = await visitConsole(browser);
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

  it.each([
    ['light', 360],
    ['dark', 1280],
  ] as const)('is readable and fits the screen: %s, %d pixels wide', async (colorScheme, width) => {
    const { page, api, goTo } = await visitConsole(browser, { colorScheme, viewport: { width, height: 700 } });
    await api('POST', '/payments', payment('x'.repeat(100), { merchant_order_id: 'o'.repeat(200) }));
    for (const [address, heading] of [
      ['/', 'Overview'],
      ['/payments', 'Payments'],
    ] as const) {
      await goTo(address, heading);
      await page.locator('main .card').first().waitFor();
      expect(await lowContrast(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
        0,
      );
    }
  });
});
