/** Every page that merchants see in the console, on each screen, with and without data. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGateway } from '../../../gateway/src/server.ts';
import { seedPayments, writeTemplate } from '../../bench/seed.ts';
import { openBrowser } from '../harness/browser.ts';
import { afterwards, temporaryFolder } from '../harness.ts';
import { expectNoTrap, inspectPages, SCREENS } from './inspection.ts';
import { openConsole, payment, payout, settled, type Visit, visitConsole } from './visit.ts';

/** Addresses and headings of the pages that are there without any data. */
const PAGES: [string, string][] = [
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

/** Payments, payouts and rules of each kind, some with values as long as they may be. Returns the pages of some of them. */
async function fill({ api }: Visit): Promise<[string, string][]> {
  await api('POST', '/sandbox/wallets/INR/fund', { amount: 9_000_000_000_000 });
  const long = payment('c'.repeat(255), {
    merchant_order_id: 'o'.repeat(255),
    amount: 4_990_000,
    callback_url: `http://127.0.0.1:9/${'path/'.repeat(300)}`,
  });
  const created = await api('POST', '/payments', long);
  for (const customer of ['succeed', 'decline-LIMIT_EXCEEDED', 'clarify-email', 'manual', 'stop-CREATED']) {
    await api('POST', '/payments', payment(customer));
  }
  await api('POST', '/payouts', payout());
  await api('POST', '/payments', { amount: -1 }).catch(() => undefined);
  await api('POST', '/sandbox/chaos', { fault: 'slow', operation: 'getBalance', latency: '1ms', rate: 0.5, seed: 7 });
  await api('POST', '/sandbox/webhook-faults', { fault: 'duplicate', address: 'http://localhost:3000' });
  await api('PUT', '/sandbox/channels/payout/IMPS_IN', { condition: 'slow', delay: '5s' });
  const id = created.transaction_id;
  await expect
    .poll(async () => (await api('GET', `/management/events?transaction_id=${id}`)).data.length)
    .toBeGreaterThan(0);
  const [event] = (await api('GET', `/management/events?transaction_id=${id}`)).data;
  const [request] = (await api('GET', '/management/requests?failed=true')).data;
  return [
    [`/payments/${id}`, '₹49,900.00'],
    [`/events/${event.id}`, `Payment ${event.status}`],
    [`/requests/${request.id}`, 'POST /payments'],
  ];
}

describe('every page for merchants', () => {
  it.each(SCREENS)(
    'is accessible and fits, empty and full: %s',
    async (_screen, options) => {
      const visited = await visitConsole(options);
      await inspectPages(visited, PAGES, 'empty');
      const details = await fill(visited);
      await inspectPages(visited, [...PAGES, ...details], 'full');
      expect({ foreign: visited.foreign, errors: visited.errors }).toEqual({ foreign: [], errors: [] });
    },
    180_000,
  );

  it('lets the focus through visibly', async () => {
    const visited = await visitConsole();
    const details = await fill(visited);
    for (const [address, heading] of [...PAGES, ...details].filter(([one]) => one !== '/sandbox/test-data')) {
      await visited.goTo(address, heading);
      await settled(visited.page);
      await expectNoTrap(visited.page);
    }
  }, 180_000);
});

describe('a merchant in the console', () => {
  it('creates the transaction of a row of test data', async () => {
    const { page, goTo, api } = await visitConsole();
    await goTo('/sandbox/test-data', 'Sandbox');
    await page.getByRole('main').getByLabel('Search').fill('decline-LIMIT_EXCEEDED payment');
    await page.getByRole('button', { name: 'Create a payment with decline-LIMIT_EXCEEDED' }).click();
    await page.getByText(/^Declined by/).waitFor();
    const { data } = await api('GET', '/management/payments');
    expect(data).toHaveLength(1);
    expect(page.url()).toContain(data[0].transaction_id);
  });

  it('adds and removes rules', async () => {
    const { page, goTo, api } = await visitConsole();
    await goTo('/sandbox/chaos', 'Sandbox');
    await page.getByLabel('fault', { exact: true }).selectOption('unavailable');
    await page.getByLabel('operation optional').selectOption('createPayment');
    await page.getByLabel('requests optional').fill('3');
    await page.getByRole('button', { name: 'Add a chaos rule' }).click();
    await page.getByRole('button', { name: 'Remove unavailable' }).waitFor();
    expect((await api('GET', '/sandbox/chaos')).data).toMatchObject([
      { fault: 'unavailable', operation: 'createPayment', requests_left: 3 },
    ]);
    await page.getByRole('button', { name: 'Remove unavailable' }).click();
    await page.getByText('No active chaos rule').waitFor();
    expect((await api('GET', '/sandbox/chaos')).data).toEqual([]);
  });

  it('sends each example of the explorer', async () => {
    const { page, goTo } = await visitConsole();
    await goTo('/explorer/createPayment', 'Explorer');
    const examples = page.getByLabel('Example');
    await examples.waitFor();
    const count = await examples.locator('option').count();
    expect(count).toBeGreaterThan(3);
    for (let index = 0; index < count; index++) {
      await examples.selectOption(String(index));
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: 'Response 200' }).waitFor();
    }
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await page.getByLabel('Body as JSON').fill('{"amount": 1');
    await page.getByText('This is not valid JSON.').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Response 400' }).waitFor();
  });
});

it('paints within half a second with 100,000 payments, and shows the newest', async () => {
  const template = await writeTemplate(join(await temporaryFolder(), 'payments.db'));
  seedPayments(template, 100_000);
  const started = await startGateway({ store: template.file });
  afterwards(() => started.close());
  const { page } = await openConsole({ ...started, key: template.key });
  for (const address of ['/', '/payments', '/ledger?currency=INR', '/events']) {
    // A first visit, with an empty cache.
    const fresh = await (await openBrowser()).newContext({ storageState: await page.context().storageState() });
    const visitor = await fresh.newPage();
    await visitor.goto(`${started.url}/console#${address}`);
    await visitor.locator('main .card').first().waitFor();
    await settled(visitor);
    const [paintMs, completeMs] = await visitor.evaluate<number[]>(
      "[performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()]",
    );
    expect(paintMs, address).toBeLessThan(500);
    expect(completeMs, address).toBeLessThan(2_000);
    await fresh.close();
  }
}, 180_000);
