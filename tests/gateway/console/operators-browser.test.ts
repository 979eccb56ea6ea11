import { beforeAll, describe, expect, it } from 'vitest';
import { readApiDocument } from '../../../gateway/src/http/gateway-apis.ts';
import { listViolations } from '../../tools/axe.ts';
import { headed, settled } from './visit.ts';
import { type Filled, fill, type OperatorsVisit, visitOperators } from './visit-operators.ts';

describe('an operator with the role read', () => {
  let visit: OperatorsVisit;
  let filled: Filled;
  beforeAll(async () => {
    visit = await visitOperators({}, 'read');
    filled = await fill(visit);
  });

  it('leads from the overview to a payment, its webhook and its merchant', async () => {
    const { silent, merchant } = filled;
    const { page, goTo, foreign, errors } = visit;
    const proposals = page.getByRole('region', { name: 'Proposals to decide' });
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
    await headed(page, 'Ledger');
    await page.getByRole('cell', { name: /^Credited/ }).waitFor();
    await goTo('/channels', 'Channels');
    await page.getByText('Maintenance of the provider until 22:00').waitFor();
    await goTo('/settlement?date=2026-03-06', 'Settlement');
    await page.getByText('Credited').waitFor();
    await goTo('/audit-log', 'Audit log');
    await page.getByRole('cell', { name: 'Pause a channel' }).waitFor();
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
  });

  it('offers no action beyond the role', async () => {
    const { silent, givenUp, proposal, merchant } = filled;
    const { page, goTo } = visit;
    for (const [address, heading] of [
      [`/payments/${silent}`, '₹499.00'],
      [`/proposals/${proposal}`, 'Debit ₹2,500.00'],
      [`/events/${givenUp}`, 'Payment FAILED'],
      [`/merchants/${merchant}`, 'Test merchant'],
      ['/stopped-urls', 'Stopped URLs'],
      ['/channels', 'Channels'],
    ] as const) {
      await goTo(address, heading);
      await settled(page);
      const buttons = await page.locator('main button').allTextContents();
      expect(buttons.filter((text) => !text.startsWith('Copy'))).toEqual([]);
    }
  });

  it('finds a payment by its merchant, status and order, and by its whole id', async () => {
    const { declined, merchant } = filled;
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
});

describe('an operator with the role approve', () => {
  let visit: OperatorsVisit;
  let filled: Filled;
  beforeAll(async () => {
    visit = await visitOperators({}, 'approve');
    filled = await fill(visit);
  });

  it('confirms in an accessible dialog and returns the focus', async () => {
    const { page, goTo } = visit;
    await page.setViewportSize({ width: 390, height: 844 });
    await goTo(`/payments/${filled.failing}`, '₹499.00');
    const button = page.getByRole('button', { name: 'Propose the outcome…' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Propose the outcome of a payment' });
    await dialog.getByText('another operator approves it').waitFor();
    await dialog.locator('[id$="-body-amount_paid"]').fill('49800');
    await dialog.getByText('Amount: ₹498.00').waitFor();
    expect(await listViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await button.evaluate('document.activeElement.textContent')).toBe('Propose the outcome…');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('erases a customer in all parts of the transactions', async () => {
    const { page, goTo } = visit;
    const searches: string[] = [];
    await page.route('**/customers/erase*', async (route) => {
      searches.push(new URL(route.request().url()).search);
      if (searches.length > 1) return route.continue();
      return route.fulfill({ json: { erased: 0, kept: 0, next_cursor: 'out_00000000000000000000000000' } });
    });
    await goTo(`/payments/${filled.succeeded}`, '₹49,900.00');
    await page.getByRole('button', { name: 'Erase the customer…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase a customer' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.unrouteAll();
    expect(searches).toEqual(['', '?cursor=out_00000000000000000000000000']);
  });

  it('makes each change of the API after a confirmation', async () => {
    const { declined: ended, contradicted, silent, failing, openPayout, givenUp, proposal, merchant } = filled;
    const { page, goTo, receiver, decline, errors } = visit;
    const evidence = { reference: 'Statement 7, line 14' };
    /** Opens the dialog of an action, fills in its form, and confirms. */
    const act = async (button: string, confirm: string, values: Record<string, string> = {}, card = 'main') => {
      const scope = card === 'main' ? page.locator('main') : page.getByRole('region', { name: card });
      const name = `${button}…`;
      await scope.getByRole('button', { name, exact: true }).first().click();
      const dialog = page.getByRole('dialog');
      for (const [name, value] of Object.entries({ ...values, reason: 'Ticket 4711' })) {
        const field = dialog.locator(`[id$="-body-${name}"]`);
        if ((await field.locator('option').count()) > 0) await field.selectOption({ label: value });
        else if ((await field.getByRole('checkbox').count()) > 0) await field.getByLabel(value).check();
        else await field.fill(value);
      }
      await dialog.getByRole('button', { name: confirm, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    };

    await goTo(`/payments/${failing}`, '₹499.00');
    await act('Propose the outcome', 'Propose the outcome of a payment', { ...evidence, outcome: 'succeeded' });
    // Its own operator can't approve it.
    await page.getByRole('button', { name: 'Reject…' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
    await goTo(`/payouts/${openPayout}`, '₹15,000.00');
    const declined = { outcome: 'declined', decline_reason: 'BANK_REJECTED' };
    await act('Propose the outcome', 'Propose the outcome of a payout', { ...evidence, ...declined });
    await goTo(`/payments/${contradicted}`, '₹499.00');
    await act('Resolve the exception', 'Propose the resolution of an exception', { ...evidence, resolution: 'booked' });
    await goTo(`/payments/${silent}`, '₹499.00');
    await act('Reject', 'Reject a proposal');
    await goTo(`/proposals/${proposal}`, 'Debit ₹2,500.00');
    await act('Approve', 'Approve a proposal');
    await page.getByRole('main').getByText('approved', { exact: true }).waitFor();

    await goTo(`/merchants/${merchant}`, 'Test merchant');
    const correction = { direction: 'credit', amount: '1200', currency: 'INR' };
    await act('Correct a wallet', 'Propose a correction', { ...evidence, ...correction });
    await act('Import a transaction', 'Propose an import', {
      ...{
        ...evidence,
        transaction_id: 'pay_01KJPWD6M0J09BZPCH3ETT3T8D',
        merchant_order_id: 'order-77',
        amount: '1200',
      },
      ...{ currency: 'INR', payment_method_type: 'UPI_IN', channel: 'bank', customer_id: 'customer-71' },
    });
    await act('Rotate', 'Rotate the signing secret');
    await page.getByText('Shown only now:').waitFor();
    await act('Revoke', 'Revoke a signing secret', {}, 'Signing secrets');
    await goTo(`/payments/${ended}`, '₹499.00');
    await act('Erase the customer', 'Erase a customer');
    await goTo('/merchants', 'Merchants');
    await act('Create', 'Create a merchant', { name: 'Chai House', currencies: 'INR' });
    await goTo(`/merchants/${merchant + 1}`, 'Chai House');
    await act('Create', 'Create an API key', {}, 'API keys');
    await act('Revoke', 'Revoke an API key', {}, 'API keys');
    await act('Disable', 'Disable a merchant');
    await act('Set', "Set a merchant's method", { max: '100000' }, 'Methods');
    await act('Enable', 'Enable a merchant');

    await goTo('/', 'Overview');
    const differences = page.getByRole('region', { name: 'Open differences' });
    await differences.getByRole('link', { name: /^pay_unknown: unknown here/ }).click();
    await headed(page, 'Differences');
    await act('Accept', 'Accept a difference');
    await page.getByRole('button', { name: 'Accept…' }).nth(1).waitFor({ state: 'detached' });
    await act('Accept', 'Accept a difference');
    await page.getByText('No difference is open').waitFor();
    await page.getByLabel('State').selectOption('accepted');
    await page
      .getByRole('cell', { name: /^Lee .*: Ticket 4711$/ })
      .first()
      .waitFor();

    await goTo('/channels', 'Channels');
    await act('Resume', 'Resume a channel', {}, 'bank');
    await act('Pause', 'Pause a channel', {}, 'bank');
    await act('Pause', 'Pause payouts', {}, 'Payouts of all channels');
    await act('Resume', 'Resume payouts', {}, 'Payouts of all channels');

    receiver.respondWith((response) => response.writeHead(204).end());
    await goTo(`/events/${givenUp}`, 'Payment FAILED');
    await act('Resend', 'Resend an event');
    await act('Stop the URL', 'Stop a callback URL');
    await goTo('/stopped-urls', 'Stopped URLs');
    const resumed = page.getByRole('row').filter({ hasText: '/gone' });
    await resumed.getByRole('button', { name: 'Replay its events…' }).waitFor();
    await act('Resume the URL', 'Resume a callback URL');
    await goTo('/events?state=given_up', 'Events');
    await act('Replay', 'Replay events');

    await decline();
    const { data } = (await visit.chief.call('GET', '/management/changes?limit=200')).body;
    const own = data.filter(({ operator }: { operator: string }) => operator === 'Lee');
    const made = new Set(own.map(({ action }: { action: string }) => action));
    const changes = [...readApiDocument('management').access].filter(([, { role }]) => role && role !== 'read');
    expect([...made].sort()).toEqual(changes.map(([id]) => id).sort());
    const limited = own.find(({ action }: { action: string }) => action === 'setMerchantMethod');
    expect(limited.subject).toMatch(/^payment \w+ {"enabled":true,"max":100000}$/);
    expect(errors).toEqual([]);
  }, 60_000);
});

it("a merchant in the console of a live gateway shows the merchant's data and resends an event", async () => {
  const visit = await visitOperators({}, 'merchant');
  const { page, goTo, decline, test, errors, foreign } = visit;
  const other = await test.addMerchant('Other shop');
  await decline(other);
  const id = await decline();
  await page.getByRole('button', { name: 'Refresh' }).click();
  const titles = await page.getByRole('navigation', { name: 'Console' }).getByRole('link').allTextContents();
  expect(titles.slice(0, 5)).toEqual(['Overview', 'Payments', 'Payouts', 'Events', 'Ledger']);
  await goTo('/payments', 'Payments');
  await page.getByRole('link', { name: '₹499.00' }).click();
  await headed(page, '₹499.00');
  expect(page.url()).toContain(id);
  await page.getByRole('region', { name: 'Timeline' }).getByRole('link', { name: 'PAY_CONFIRMATION_NEEDED' }).click();
  await page.getByRole('button', { name: 'Resend…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend an event' }).click();
  await page.getByRole('region', { name: 'Attempt 2' }).waitFor();
  await goTo('/ledger', 'Ledger');
  await page.getByText('No entries in INR').waitFor();
  await goTo('/proposals', 'Not found');
  expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
});
