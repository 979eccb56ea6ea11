import type { Browser } from '@playwright/test';
import { renderSVG } from 'uqr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../../tools/browser.ts';
import { type RunningShop, startShop } from './running-shop.ts';
import { choose, HERE, heading, PERSON } from './visitor.ts';

let browser: Browser;
let shop: RunningShop;
beforeAll(async () => {
  [browser, shop] = await Promise.all([launchBrowser(), startShop(15)]);
});
afterAll(() => browser?.close());

describe('the transfer', () => {
  async function visitTransfer(options = {}) {
    const visited = await shop.visit(browser, '/', options);
    await choose(visited.page, PERSON, HERE);
    await heading(visited.page, 'Transfer the money');
    return visited;
  }

  it('is a local link and QR code for the chosen amount', async () => {
    const { page, foreign, errors } = await visitTransfer();
    const link = page.getByRole('link', { name: /in a UPI app$/ });
    const code = page.getByRole('img', { name: /^QR code/ });
    for (const [label, amount] of [
      ['₹499.00', '499.00'],
      ['₹500.00', '500.00'],
    ] as const) {
      await page.getByRole('radio', { name: label }).check();
      expect([await link.count(), await code.count()]).toEqual([1, 1]);
      const address = (await link.getAttribute('href')) ?? '';
      const id = /[?&]tid=(pay_\w+)/.exec(address)?.[1];
      expect(address).toBe(`upi://pay?pa=collect@upi-standard&pn=Tea%20shop&tid=${id}&am=${amount}&cu=INR`);
      const drawn = `d="${await code.locator('path').getAttribute('d')}"`;
      // toContain would print all of it.
      expect(renderSVG(address, { ecc: 'M', border: 4 }).includes(drawn)).toBe(true);
    }
    expect([foreign, errors]).toEqual([[], []]);
  });

  it('lets the customer copy the account with the keyboard', async () => {
    const { page } = await visitTransfer({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy' }).press('Enter');
    await page.getByRole('status').getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('collect@upi-standard');
  });

  it('counts down the remaining time, and shows its end', async () => {
    const { page } = await visitTransfer();
    const timer = page.getByRole('timer');
    expect(await timer.textContent()).toMatch(/^Time left to pay: 1[45]:\d\d$/);
    await page.clock.install();
    await page.reload();
    await page.clock.runFor(10 * 60_000);
    expect(await timer.textContent()).toMatch(/^Time left to pay: [45]:\d\d$/);
    await page.getByLabel('Reference of the transfer').fill('4071');
    await page.clock.runFor(6 * 60_000);
    expect(await timer.textContent()).toBe('The time to pay is over. If you have paid, tell us now.');
    expect(await page.getByLabel('Reference of the transfer').inputValue()).toBe('4071');
  });
});
