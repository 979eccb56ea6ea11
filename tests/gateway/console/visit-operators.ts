import type { BrowserContextOptions } from '@playwright/test';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { compareTransactions, insertLines, insertStatement } from '../../../gateway/src/transactions/statements.ts';
import { RETRY_DELAYS_MS } from '../../../gateway/src/webhooks/retries.ts';
import { openPage, type Watched } from '../../tools/browser.ts';
import { openBrowser } from '../harness/browser.ts';
import { fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { BANK } from '../harness/live.config.ts';
import { addOperator } from '../harness/operators.ts';
import { afterwards, openTestSqlite } from '../harness.ts';
import { CONFIRMATION_NEEDED, startOperated } from '../management/operator.ts';
import { createGoTo, headed } from './visit.ts';

export type OperatorsVisit = Awaited<ReturnType<typeof visitOperators>>;

const EVIDENCE = { reference: 'Statement 7, line 14', reason: 'The channel is silent' };

/** Pays, declines or stays silent, by the customer. */
const MOODY: Channel = {
  ...BANK,
  async initiate({ customer }) {
    if (customer.id.startsWith('fail')) throw new Error('the bank does not respond');
    if (customer.id.startsWith('decline')) return { event: { type: 'declined', reason: 'BANK_REJECTED' } };
    return CONFIRMATION_NEEDED;
  },
  async verify({ customer, amount }) {
    if (customer.id.startsWith('ask')) throw new Error('the bank does not respond');
    return { event: { type: 'succeeded', amountPaid: amount } };
  },
  async payOut({ customer }) {
    if (customer.id.startsWith('fail')) throw new Error('the bank does not respond');
    return { event: { type: 'succeeded' } };
  },
  notification: ({ body }) => new TextDecoder().decode(body),
};

/** Opens the console of a live gateway as an operator. Afterwards everything is closed. */
export async function visitOperators(options: BrowserContextOptions = {}, role: 'read' | 'approve' = 'read') {
  const operated = await startOperated(await openTestSqlite(), { channels: [MOODY] });
  const { gateway } = operated.test;
  const url = await gateway.listen({ port: 0 });
  const reader = await addOperator(operated.test, 'Kim', 'read');
  const chief = await addOperator(operated.test, 'Lee', 'approve');
  const watched = await openPage(await openBrowser(), `${url}/console`, options);
  const { page } = watched;
  afterwards(() => page.context().close());
  const { key } = { read: reader, approve: chief }[role];
  const visit = { ...operated, ...watched, url, reader, chief, key, goTo: createGoTo(page, url) };
  await logIn(visit, key);
  return visit;
}

/** Fills in the login form, and waits for the first page. */
async function logIn({ page, errors }: Watched, key: string): Promise<void> {
  await page.getByLabel('Key').fill(key);
  await page.keyboard.press('Enter');
  await headed(page, 'Overview');
  // Until the login, each request of the page gets 401, which browsers report as an error.
  errors.splice(0, errors.length, ...errors.filter((error) => !error.includes('401')));
}

/** Ids of the data that `fill` creates. */
export type Filled = Awaited<ReturnType<typeof fill>>;

/**
 * Creates transactions of each kind, webhooks in each state, proposals and a paused channel, some with the longest values.
 * The session ends because of the time that passes, so the operator logs in again.
 */
export async function fill(visit: OperatorsVisit) {
  const { test, operator, chief, receiver } = visit;
  const { call, merchant, gateway, clock } = test;
  await fund(gateway.store, merchant, 9_000_000_000_000);
  const pay = async (customer: string, path = '/hook', changes: object = {}) => {
    const callback_url = `${receiver.address}${path}`;
    const request = paymentRequest({ callback_url, customer: { id: customer }, ...changes });
    const { body } = await call('POST', '/payments', request);
    await gateway.idle();
    return String(body.transaction_id);
  };
  const propose = async (path: string, body: object) =>
    (await operator.call('POST', path, { ...EVIDENCE, ...body })).body.id as string;
  receiver.respondWith((response, { path }) => {
    const status = path.startsWith('/gone') ? 410 : path.startsWith('/broken') ? 500 : 204;
    response.writeHead(status).end();
  });
  const abandoned = await pay('decline-me', `/broken/${'path/'.repeat(100)}`);
  for (const delay of RETRY_DELAYS_MS) {
    clock.advance(delay * 1.2);
    await gateway.idle();
  }
  await pay('decline-me', '/gone');
  const succeeded = await pay('customer-7', '/hook', { merchant_order_id: 'o'.repeat(255), amount: 4_990_000 });
  await call('POST', `/payments/${succeeded}/confirm`, { confirm_data: { tid: '11' } });
  const declined = await pay('decline-me');
  const contradicted = await pay('decline-me');
  await call('POST', '/channels/bank/notifications', contradicted);
  const failing = await pay(`fail-${'c'.repeat(200)}`);
  const silent = await pay('ask-7');
  await call('POST', `/payments/${silent}/confirm`, { confirm_data: { tid: '12' } });
  const { body: payout } = await call('POST', '/payouts', payoutRequest({ callback_url: `${receiver.address}/hook` }));
  const { body: openPayout } = await call('POST', '/payouts', payoutRequest({ customer: { id: 'fail-7' } }));
  await gateway.idle();
  const corrections = `/management/merchants/${merchant.id}/corrections`;
  const decided = await propose(corrections, { direction: 'credit', amount: 1_200, currency: 'INR' });
  await chief.call('POST', `/management/proposals/${decided}/approve`, { reason: 'Compared' });
  await propose(`/management/payments/${silent}/resolve`, { outcome: 'declined', decline_reason: 'BANK_REJECTED' });
  const proposal = await propose(corrections, { direction: 'debit', amount: 250_000, currency: 'INR' });
  await operator.call('POST', '/management/channels/bank/pause', { reason: 'Maintenance of the provider until 22:00' });
  await addDifferences(visit, succeeded);
  const { data } = (await operator.call('GET', `/management/events?transaction_id=${abandoned}`)).body;
  await visit.page.goto(`${visit.url}/console/login`);
  await logIn(visit, visit.key);
  return {
    ...{ succeeded, declined, silent, failing, proposal, merchant: merchant.id },
    /** Its channel says later that it was paid. */
    contradicted,
    ...{ payout: payout.transaction_id as string, openPayout: openPayout.transaction_id as string },
    givenUp: data[0].id as string,
  };
}

/** Adds a statement with another amount of a payment, and with an unknown payment. */
async function addDifferences({ test, operator }: OperatorsVisit, payment: string): Promise<void> {
  const channel = BANK.name;
  const written = { now: test.clock.now(), ids: randomIds };
  const transactionIds = [payment, 'pay_unknown'];
  await test.gateway.store.unit(async (db) => {
    const file = { channel, hash: 'a', from: START, before: written.now };
    const id = (await insertStatement(db, file, operator.id, written)) ?? '';
    const lines = transactionIds.map((transactionId) => ({ transactionId, amount: 1, currency: 'INR' }));
    await insertLines(db, { id, channel }, lines, 1);
    await compareTransactions(db, channel, transactionIds, written);
  });
}
