/** The operators' console in a browser: what operators do most. Every page in every look is in operators-browser.long.test.ts. */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readApiDocument } from '../../../gateway/src/http/gateway-apis.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { headed, settled } from './visit.ts';
import { fill, logIn, visitOperators } from './visit-operators.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe("the operators' console of a live gateway in a browser", () => {
  it('leads from the overview to a payment, its webhook and its merchant, and sends nothing but GET', async () => {
    const visit = await visitOperators(browser);
    const { silent, merchant } = await fill(visit);
    const { page, goTo, sent, foreign, errors } = visit;
    sent.length = 0;
    const proposals = page.getByRole('region', { name: 'Proposals that wait for an approval' });
    await proposals.getByRole('link', { name: silent }).click();
    await headed(page, '₹499.00');
    await page.getByText('The next step fails: Error: the bank does not respond').waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Confirmed by merchant').waitFor();
    await timeline.getByRole('link', { name: 'PAY_CONFIRMATION_NEEDED' }).click();
    await headed(page, 'Payment PAY_CONFIRMATION_NEEDED');
    await page.getByRole('region', { name: 'Attempts' }).getByText('204').waitFor();
    await page
      .getByRole('region', { name: 'Details' })
      .getByRole('link', { name: String(merchant) })
      .click();
    await headed(page, 'Test merchant');
    await page.getByRole('region', { name: 'Wallets' }).getByRole('link', { name: 'INR' }).click();
    await headed(page, 'Ledger in INR');
    await page.getByRole('cell', { name: /^Credited/ }).waitFor();
    await goTo('/channels', 'Channels');
    await page.getByText('Maintenance of the provider until 22:00').waitFor();
    await goTo('/settlement?date=2026-03-06', 'Settlement');
    await page.getByText('Credited').waitFor();
    await goTo('/changes', 'Changes');
    await page.getByRole('cell', { name: 'Pause a channel' }).waitFor();
    expect(sent.filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
  });

  it('never shows the key, neither in addresses nor in pages nor to scripts', async () => {
    const { page, goTo, reader } = await visitOperators(browser);
    await goTo('/payments', 'Payments');
    await settled(page);
    const seen: string = await page.evaluate(
      "[location.href, document.documentElement.outerHTML, document.cookie, ...performance.getEntries().map(({ name }) => name), JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join('\\n')",
    );
    expect(seen).not.toContain(reader.key);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(cookie?.value).not.toContain(reader.key.slice(3));
  });

  it('returns to the page after a login, refuses the key of a merchant, and logs out', async () => {
    const visit = await visitOperators(browser);
    const { page, url, reader, test } = visit;
    await page.context().clearCookies();
    await page.goto(`${url}/management/console#/merchants`);
    await page.reload();
    await headed(page, "Log in to the operators' console");
    await page.getByLabel("Operator's key").fill(test.key);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This key is not valid.').waitFor();
    await logIn(visit, reader.key, 'Merchants');
    await page.getByRole('button', { name: 'Log out' }).first().click();
    await headed(page, "Log in to the operators' console");
    await page.goto(`${url}/management/console#/payments`);
    await headed(page, "Log in to the operators' console");
  });

  it('shows the calls of the channel between the statuses that they led to', async () => {
    const visit = await visitOperators(browser);
    const { silent } = await fill(visit);
    await visit.goTo(`/payments/${silent}`, '₹499.00');
    await visit.page.getByText('Took 0 ms · Error: the bank does not respond').waitFor();
    expect(await visit.page.locator('.timeline .what').allTextContents()).toEqual([
      ...['CREATED', 'Initiate confirmation_needed', 'PAY_CONFIRMATION_NEEDED', 'VERIFYING', 'Verify no_response'],
      ...['PAY_CONFIRMATION_NEEDED delivered', 'Attempt 1 204'],
    ]);
  });

  it('leads from the overview to a payment whose channel contradicts how it has ended', async () => {
    const visit = await visitOperators(browser);
    const { contradicted } = await fill(visit);
    const { page } = visit;
    const exceptions = page.getByRole('region', { name: 'Open exceptions' });
    await exceptions.getByRole('cell', { name: 'Credit ₹499.00' }).waitFor();
    await exceptions.getByRole('link', { name: 'All' }).click();
    await headed(page, 'Exceptions');
    await page.getByRole('link', { name: 'FAILED' }).click();
    await headed(page, '₹499.00');
    expect(page.url()).toContain(contradicted);
    await page.getByText('The channel contradicts how this payment has ended:').waitFor();
    await page.getByText('Credit to book it: ₹499.00.').waitFor();
  });

  it('shows the command of each change, with the role that it takes, instead of a button', async () => {
    const visit = await visitOperators(browser);
    const { contradicted, silent, failing, givenUp, proposal, merchant } = await fill(visit);
    const { page, goTo, url } = visit;
    const shown = new Map<string, string>();
    for (const [address, heading] of [
      [`/payments/${failing}`, '₹499.00'],
      [`/payments/${silent}`, '₹499.00'],
      [`/payments/${contradicted}`, '₹499.00'],
      [`/proposals/${proposal}`, 'Debit ₹2,500.00'],
      [`/events/${givenUp}`, 'Payment FAILED'],
      ['/events?state=given_up', 'Webhooks'],
      ['/stopped', 'Stopped URLs'],
      [`/merchants/${merchant}`, 'Test merchant'],
      ['/channels', 'Channels'],
    ] as const) {
      await goTo(address, heading);
      await settled(page);
      for (const details of await page.locator('main details').all()) {
        const summary = details.locator('summary');
        await summary.click();
        shown.set((await summary.textContent()) ?? '', (await details.textContent()) ?? '');
      }
      const buttons = await page.locator('main button').allTextContents();
      expect(buttons.filter((text) => !text.startsWith('Copy'))).toEqual([]);
    }
    expect(shown.get('Propose the outcome of a payment')).toContain(
      `payments-gateway payment resolve ${failing} --succeeded 49900 --reference 'REFERENCE' --reason 'REASON'`,
    );
    expect(shown.get('Approve a proposal')).toContain('Takes the role approve.');
    expect(shown.get('Before the first command')).toContain(`export GATEWAY_URL=${url}\n`);
    const summaries = readApiDocument('management').operations.flatMap(({ id, method, summary }) =>
      // A payout in progress, a channel that isn't paused and paused payouts are not among these pages.
      method === 'get' || ['proposePayoutOutcome', 'pauseChannel', 'resumePayouts'].includes(id) ? [] : [summary],
    );
    expect([...shown.keys()].sort()).toEqual([...summaries, 'Before the first command'].sort());
  });

  it('finds a payment by its merchant, status and order, and by its whole id', async () => {
    const visit = await visitOperators(browser);
    const { declined, merchant } = await fill(visit);
    const { page, goTo } = visit;
    await goTo('/payments', 'Payments');
    const filters = page.getByRole('search', { name: 'Filters' });
    const rows = page.locator('main tbody tr');
    await expect.poll(() => rows.count()).toBe(7);
    expect(await filters.locator('[name=method] option').allTextContents()).toEqual(['All', 'UPI_IN']);
    await filters.getByLabel('Status').selectOption('FAILED');
    await expect.poll(() => rows.count()).toBe(4);
    await filters.getByLabel('Merchant').fill(String(merchant + 1));
    await page.keyboard.press('Enter');
    await page.getByText('No payments match').waitFor();
    await filters.getByLabel('Merchant').fill(String(merchant));
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByLabel('ID, order or customer').first().fill(declined);
    await page.keyboard.press('Enter');
    await headed(page, '₹499.00');
    await page.getByText('Rejected by the bank').waitFor();
  });

  it('works by keyboard, and reads everything again on request', async () => {
    const { page, decline } = await visitOperators(browser);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await headed(page, 'Payments');
    await page.getByText('No payments yet').waitFor();
    await decline();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('link', { name: '₹499.00' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await headed(page, '₹499.00');
  });
});
