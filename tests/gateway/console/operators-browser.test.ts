import { beforeAll, describe, expect, it } from 'vitest';
import { readApiDocument } from '../../../gateway/src/http/gateway-apis.ts';
import { listViolations } from '../../tools/axe.ts';
import { headed, settled } from './visit.ts';
import { type Filled, fill, type OperatorsVisit, visitOperators } from './visit-operators.ts';

it('an operator with the role read gets from the overview to a payment, its webhook and its merchant, without actions', async () => {
  const visit = await visitOperators({}, 'read');
  const { silent, merchant, proposal } = await fill(visit);
  const { page, goTo, foreign, errors } = visit;
  const expectNoActions = async () => {
    await settled(page);
    const buttons = await page.locator('main button').allTextContents();
    expect(buttons.filter((text) => !text.startsWith('Copy'))).toEqual([]);
  };
  const proposals = page.getByRole('region', { name: 'Proposals to decide' });
  await proposals.getByRole('link', { name: silent }).click();
  await headed(page, '₹499.00');
  await page.getByText('The next step fails: Error: the bank does not respond').waitFor();
  await expectNoActions();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('Confirmed by merchant').waitFor();
  await timeline.getByRole('link', { name: 'PAY_CONFIRMATION_NEEDED' }).click();
  await headed(page, 'Payment PAY_CONFIRMATION_NEEDED');
  await page.getByRole('region', { name: 'Attempts' }).getByText('204').waitFor();
  await expectNoActions();
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByRole('link', { name: String(merchant) }).click();
  await headed(page, 'Test merchant');
  await expectNoActions();
  await page.getByRole('region', { name: 'Wallets' }).getByRole('link', { name: 'INR' }).click();
  await headed(page, 'Ledger');
  await page.getByRole('cell', { name: /^Credited/ }).waitFor();
  for (const [address, heading] of [
    ['/channels', 'Channels'],
    [`/proposals/${proposal}`, 'Debit ₹2,500.00'],
  ] as const) {
    await goTo(address, heading);
    await expectNoActions();
  }
  expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
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
    const { page, goTo, receiver, errors } = visit;
    receiver.respondWith((response) => response.writeHead(204).end());
    const evidence = { reference: 'Statement 7, line 14' };
    const declined = { ...evidence, outcome: 'declined', decline_reason: 'BANK_REJECTED' };
    const lost = {
      ...{ ...evidence, transaction_id: 'pay_01KJPWD6M0J09BZPCH3ETT3T8D', merchant_order_id: 'order-77' },
      ...{ amount: '1200', currency: 'INR', payment_method_type: 'UPI_IN', channel: 'bank' },
      customer_id: 'customer-71',
    };
    const payment = (id: string): [string, string] => [`/payments/${id}`, '₹499.00'];
    const shop: [string, string] = [`/merchants/${filled.merchant}`, 'Test merchant'];
    const created: [string, string] = [`/merchants/${filled.merchant + 1}`, 'Chai House'];
    const propose = 'Propose the outcome';
    const correction = { ...evidence, direction: 'credit', amount: '1200', currency: 'INR' };
    /** The page, the action, its name in the dialog, the fields, and the card with the action. */
    const changes: [page: [string, string], string, string, Record<string, string>?, string?][] = [
      [payment(filled.failing), propose, 'Propose the outcome of a payment', { ...evidence, outcome: 'succeeded' }],
      [[`/payouts/${filled.openPayout}`, '₹15,000.00'], propose, 'Propose the outcome of a payout', declined],
      [
        payment(filled.contradicted),
        ...(['Resolve the exception', 'Propose the resolution of an exception'] as const),
        { ...evidence, resolution: 'booked' },
      ],
      [payment(filled.silent), 'Reject', 'Reject a proposal'],
      [[`/proposals/${filled.proposal}`, 'Debit ₹2,500.00'], 'Approve', 'Approve a proposal'],
      [shop, 'Correct a wallet', 'Propose a correction', correction],
      [shop, 'Import a transaction', 'Propose an import', lost],
      [shop, 'Rotate', 'Rotate the signing secret'],
      [shop, 'Revoke', 'Revoke a signing secret', {}, 'Signing secrets'],
      [payment(filled.declined), 'Erase the customer', 'Erase a customer'],
      [['/merchants', 'Merchants'], 'Create', 'Create a merchant', { name: 'Chai House', currencies: 'INR' }],
      [created, 'Create', 'Create an API key', {}, 'API keys'],
      [created, 'Revoke', 'Revoke an API key', {}, 'API keys'],
      [created, 'Disable', 'Disable a merchant'],
      [created, 'Set', "Set a merchant's method", { max: '100000' }, 'Methods'],
      [created, 'Enable', 'Enable a merchant'],
      [['/differences', 'Differences'], 'Accept', 'Accept a difference'],
      [['/channels', 'Channels'], 'Resume', 'Resume a channel', {}, 'bank'],
      [['/channels', 'Channels'], 'Pause', 'Pause a channel', {}, 'bank'],
      [['/channels', 'Channels'], 'Pause', 'Pause payouts', {}, 'Payouts of all channels'],
      [['/channels', 'Channels'], 'Resume', 'Resume payouts', {}, 'Payouts of all channels'],
      [[`/events/${filled.givenUp}`, 'Payment FAILED'], 'Resend', 'Resend an event'],
      [[`/events/${filled.givenUp}`, 'Payment FAILED'], 'Stop the URL', 'Stop a callback URL'],
      [['/stopped-urls', 'Stopped URLs'], 'Resume the URL', 'Resume a callback URL'],
      [['/events?state=given_up', 'Events'], 'Replay', 'Replay events'],
    ];
    for (const [[address, heading], action, confirm, values = {}, card] of changes) {
      await goTo(address, heading);
      const scope = card === undefined ? page.locator('main') : page.getByRole('region', { name: card });
      await scope
        .getByRole('button', { name: `${action}…`, exact: true })
        .first()
        .click();
      const dialog = page.getByRole('dialog');
      for (const [name, value] of Object.entries({ ...values, reason: 'Ticket 4711' })) {
        const field = dialog.locator(`[id$="-body-${name}"]`);
        if ((await field.locator('option').count()) > 0) await field.selectOption({ label: value });
        else if ((await field.getByRole('checkbox').count()) > 0) await field.getByLabel(value).check();
        else await field.fill(value);
      }
      await dialog.getByRole('button', { name: confirm, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      if (action === 'Rotate') await page.getByText('Shown only now:').waitFor();
    }
    // Its own operator can't approve it.
    await goTo(...payment(filled.failing));
    await page.getByRole('button', { name: 'Reject…' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve…' }).count()).toBe(0);

    const { data } = (await visit.chief.call('GET', '/management/changes?limit=200')).body;
    const own = data.filter(({ operator }: { operator: string }) => operator === 'Lee');
    const made = new Set(own.map(({ action }: { action: string }) => action));
    const documented = [...readApiDocument('management').access].filter(([, { role }]) => role && role !== 'read');
    expect([...made].sort()).toEqual(documented.map(([id]) => id).sort());
    const limited = own.find(({ action }: { action: string }) => action === 'setMerchantMethod');
    expect(limited.subject).toMatch(/^payment \w+ {"enabled":true,"max":100000}$/);
    expect(errors).toEqual([]);
  });
});
