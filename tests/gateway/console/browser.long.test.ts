/** Every page of the console, for merchants and for operators: on each screen, with and without data. */

import type { BrowserContextOptions, Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../tools/axe.ts';
import type { Watched } from '../../tools/browser.ts';
import { payoutRequest } from '../harness/fixtures.ts';
import { type GoTo, payment, settled, type Visit, visitConsole } from './visit.ts';
import { fill, visitOperators } from './visit-operators.ts';

const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  'a small phone in the dark': { colorScheme: 'dark', viewport: { width: 320, height: 568 } },
  'a tablet': { colorScheme: 'light', viewport: { width: 768, height: 1024 } },
};

/** Addresses and headings of pages. */
type Pages = [address: string, heading: string][];

/** Pages of merchants that are there without any data. */
const MERCHANT_PAGES: Pages = [
  ['/', 'Overview'],
  ['/payments', 'Payments'],
  ['/payouts', 'Payouts'],
  ['/events', 'Events'],
  ['/requests', 'Requests'],
  ['/requests?view=errors', 'Requests'],
  ['/requests?sandbox=shown', 'Requests'],
  ['/search', 'Search'],
  ['/search?search=order-1', 'Search'],
  ['/payments?since=2026-01-01T00:00&decline_reason=LIMIT_EXCEEDED', 'Payments'],
  ['/ledger?currency=INR', 'Ledger'],
  ...['clock', 'channels', 'chaos', 'webhook-faults', 'wallets', 'customers', 'test-data', 'merchant'].map(
    (tab): [string, string] => [`/sandbox/${tab}`, 'Sandbox'],
  ),
  ['/explorer/createPayment', 'Explorer'],
  ['/explorer/listPayments', 'Explorer'],
  ['/nothing', 'Not found'],
];

/** Adds payments, payouts and rules of each kind, some with values as long as they may be. Returns pages of some of them. */
async function fillMerchant({ api }: Visit): Promise<Pages> {
  await api('POST', '/sandbox/wallets/INR/fund', { amount: 9_000_000_000_000 });
  const long = payment('c'.repeat(255), {
    merchant_order_id: 'o'.repeat(255),
    amount: 4_990_000,
    callback_url: `http://127.0.0.1:9/${'path/'.repeat(300)}`,
  });
  const { transaction_id: id } = await api('POST', '/payments', long);
  for (const customer of ['succeed', 'decline-LIMIT_EXCEEDED', 'clarify-email', 'manual', 'stop-CREATED']) {
    await api('POST', '/payments', payment(customer));
  }
  await api('POST', '/payouts', payoutRequest({ callback_url: 'http://127.0.0.1:9/webhooks' }));
  await api('POST', '/payments', { amount: -1 }).catch(() => undefined);
  await api('POST', '/sandbox/chaos', { fault: 'slow', operation: 'getBalance', latency: '1ms', rate: 0.5, seed: 7 });
  await api('POST', '/sandbox/webhook-faults', { fault: 'duplicate', address: 'http://localhost:3000' });
  await api('PUT', '/sandbox/channels/payout/IMPS_IN', { condition: 'slow', delay: '5s' });
  const events = async () => (await api('GET', `/management/events?transaction_id=${id}`)).data;
  await expect.poll(async () => (await events()).length).toBeGreaterThan(0);
  const [event] = await events();
  const [request] = (await api('GET', '/management/requests?failed=true')).data;
  return [
    [`/payments/${id}`, '₹49,900.00'],
    [`/events/${event.id}`, `Payment ${event.status}`],
    [`/requests/${request.id}`, 'POST /payments'],
  ];
}

/** Pages of operators that are there without any data. */
const OPERATOR_PAGES: Pages = [
  ['/', 'Overview'],
  ['/payments', 'Payments'],
  ['/payments?since=2026-01-01T00:00&decline_reason=BANK_REJECTED', 'Payments'],
  ['/payouts', 'Payouts'],
  ['/events', 'Events'],
  ['/events?state=given_up', 'Events'],
  ['/stopped-urls', 'Stopped URLs'],
  ['/failing', 'Failing and stuck'],
  ['/ledger', 'Ledger'],
  ['/merchants', 'Merchants'],
  ['/channels', 'Channels'],
  ['/exceptions', 'Exceptions'],
  ['/differences', 'Differences'],
  ['/differences?state=accepted', 'Differences'],
  ['/proposals', 'Proposals'],
  ['/settlement?date=2026-03-02', 'Settlement'],
  ['/audit-log', 'Audit log'],
  ['/search', 'Search'],
  ['/search?search=customer', 'Search'],
  ['/nothing', 'Not found'],
];

interface Opened extends Watched {
  readonly goTo: GoTo;
  /** Adds data, and returns pages of some. */
  fill(): Promise<Pages>;
}

const CONSOLES: Readonly<Record<string, { pages: Pages; open(options?: BrowserContextOptions): Promise<Opened> }>> = {
  merchants: {
    pages: MERCHANT_PAGES,
    async open(options) {
      const visit = await visitConsole(options);
      return { ...visit, fill: () => fillMerchant(visit) };
    },
  },
  operators: {
    pages: OPERATOR_PAGES,
    async open(options) {
      const visit = await visitOperators(options);
      const fillOperators = async (): Promise<Pages> => {
        const filled = await fill(visit);
        return [
          [`/payments/${filled.succeeded}`, '₹49,900.00'],
          ...[filled.declined, filled.contradicted, filled.silent, filled.failing].map((id): [string, string] => [
            `/payments/${id}`,
            '₹499.00',
          ]),
          [`/payouts/${filled.payout}`, '₹15,000.00'],
          [`/events/${filled.givenUp}`, 'Payment FAILED'],
          [`/proposals/${filled.proposal}`, 'Debit ₹2,500.00'],
          [`/merchants/${filled.merchant}`, 'Test merchant'],
          [`/ledger?merchant_id=${filled.merchant}&currency=INR`, 'Ledger'],
        ];
      };
      return { ...visit, fill: fillOperators };
    },
  },
};

/** Controls smaller than 24 pixels, which axe doesn't report by default. */
function listSmallControls(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('button, select, input:not([type=checkbox])')]
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .filter((element) => Math.min(element.offsetWidth, element.offsetHeight) < 24)
    .map(({ outerHTML }) => outerHTML.slice(0, 120))`);
}

/** The most stops of Tab in the field of a time: day, month, year, hour, minute, half of the day, picker. */
const TIME_PARTS = 7;

/** Goes through the page with Tab, and fails if the focus is invisible somewhere or doesn't come out at the end. */
async function expectNoTrap(page: Page): Promise<void> {
  const count = await page.evaluate<number>(
    'document.querySelectorAll(\'a[href], button, input, select, textarea, summary, [tabindex="0"]\').length',
  );
  const times = await page.locator('input[type^=date]').count();
  await page.evaluate('document.activeElement.blur()');
  const seen: string[] = [];
  for (let i = 0; i < count + times * TIME_PARTS + 5; i++) {
    await page.keyboard.press('Tab');
    const state = await page.evaluate<{ out: boolean; shown: boolean; element: string }>(
      `(() => {
        const element = document.activeElement;
        const style = getComputedStyle(element);
        // A new page puts the focus on its heading, once.
        const shown = style.outlineStyle !== 'none' || element.tagName === 'H1';
        return { out: element === document.body, shown, element: element.outerHTML.slice(0, 160) };
      })()`,
    );
    if (state.out) return;
    expect(state.shown, `the focus is visible on ${state.element}`).toBe(true);
    seen.push(state.element);
  }
  throw new Error(`the focus never left the page: ${seen.slice(-3).join(' ')}`);
}

describe.each(Object.entries(CONSOLES))('every page for %s', (_who, { pages, open }) => {
  it.each(Object.entries(SCREENS))(
    'is accessible and fits, empty and full: %s',
    async (_screen, options) => {
      const opened = await open(options);
      const { page, goTo, foreign, errors } = opened;
      const inspect = async (inspected: Pages, how: string) => {
        for (const [address, heading] of inspected) {
          await goTo(address, heading);
          await settled(page);
          for (const summary of await page.locator('main summary').all()) await summary.click();
          await expectAccessible(page, `${how} ${address}`);
          expect(await listSmallControls(page)).toEqual([]);
        }
      };
      await inspect(pages, 'empty');
      await inspect([...pages, ...(await opened.fill())], 'full');
      expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
    },
    180_000,
  );

  it('lets the focus through visibly', async () => {
    const opened = await open();
    const details = await opened.fill();
    for (const [address, heading] of [...pages, ...details].filter(([one]) => one !== '/sandbox/test-data')) {
      await opened.goTo(address, heading);
      await settled(opened.page);
      await expectNoTrap(opened.page);
    }
  }, 180_000);
});
