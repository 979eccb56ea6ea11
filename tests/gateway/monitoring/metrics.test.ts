/** Metrics: their values on both databases, and their cost. */
import { expect, it } from 'vitest';
import type { Database, Store } from '../../../gateway/src/database/store.ts';
import { WalletWatch } from '../../../gateway/src/monitoring/database-state.ts';
import { countOpenTransactions, oldestDueMs } from '../../../gateway/src/transactions/open-transactions.ts';
import { countBacklog } from '../../../gateway/src/webhooks/backlog.ts';
import { recordHanging } from '../../../gateway/src/webhooks/hanging-addresses.ts';
import { stopUrl } from '../../../gateway/src/webhooks/stopped-urls.ts';
import { addLargeEntries } from '../harness/books.ts';
import { confirmation, settled } from '../harness/customer.ts';
import { addMerchant, addPayment, fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { describeOnEachStore, openTestSqlite, startTestGateway, type TestGateway } from '../harness.ts';
import { addEvents } from '../webhooks/deliveries.ts';

async function readMetrics({ call }: TestGateway): Promise<string> {
  return (await call('GET', '/metrics')).text;
}

/** The value of a series, as text. */
function findSample(text: string, series: string): string | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line?.slice(series.length + 1);
}

describeOnEachStore('the metrics', (open) => {
  it('count payments and payouts by outcome, and the movements of the ledger', async () => {
    const test = await startTestGateway({ store: await open(), sandbox: false });
    await fund(test.gateway.store, test.merchant, 10_000_000);
    const { body: payment } = await test.call('POST', '/payments', paymentRequest());
    await test.gateway.idle();
    const { body: shown } = await test.call('GET', `/payments/${payment.transaction_id}`);
    await test.call('POST', `/payments/${payment.transaction_id}/confirm`, confirmation(shown));
    expect(await settled(test, test.call, payment.transaction_id)).toMatchObject({ status: 'SUCCESS' });
    await test.call('POST', '/payments', paymentRequest({ payment_method_type: 'x"\n' }));
    const { body: payout } = await test.call('POST', '/payouts', payoutRequest());
    await test.gateway.idle();
    expect(payout.status).toBeDefined();
    const text = await readMetrics(test);
    const merchant = test.merchant.id;
    expect(text).toContain(
      `gateway_payments_total{outcome="succeeded",decline_reason="",method="UPI_IN",merchant="${merchant}"} 1`,
    );
    expect(text).toMatch(/gateway_payments_total\{outcome="declined",decline_reason="[A-Z_]+",method="other",/);
    expect(text).toMatch(/gateway_payouts_total\{outcome="(succeeded|declined)"/);
    expect(findSample(text, 'gateway_ledger_entries_total{reason="collected",currency="INR"}')).toBe('1');
    expect(findSample(text, 'gateway_ledger_minor_units_total{reason="collected",currency="INR"}')).toBe('49900');
  });

  it('count open transactions by kind and status with the age of the oldest, and stuck transactions', async () => {
    const test = await startTestGateway({ store: await open() });
    const { store } = test.gateway;
    await test.gateway.idle();
    const later = { status: 'VERIFYING', dueAt: START + 1e9 } as const;
    await addPayment(store, test.merchant, { ...later, createdAt: START - 90_000 });
    await addPayment(store, test.merchant, { ...later, dueAt: undefined });
    await addPayment(store, test.merchant, { status: 'SUCCESS', dueAt: START + 1e9 });
    const text = await readMetrics(test);
    const of = (name: string, status: string) => findSample(text, `gateway_${name}{kind="payment",status="${status}"}`);
    expect(of('open_transactions', 'VERIFYING')).toBe('2');
    expect(of('oldest_open_transaction_seconds', 'VERIFYING')).toBe('90');
    expect(of('stuck_transactions', 'VERIFYING')).toBe('1');
    expect(of('open_transactions', 'CREATED')).toBe('0');
    expect(of('oldest_open_transaction_seconds', 'CREATED')).toBe('0');
    expect(text).not.toContain('status="SUCCESS"');
  });

  it('count webhooks and endpoints by state, and show the age of the oldest due work', async () => {
    const test = await startTestGateway({ store: await open() });
    const { store } = test.gateway;
    await test.gateway.idle();
    const merchants = [test.merchant, await addMerchant(store)] as const;
    await addPayment(store, merchants[1], { dueAt: START - 30_000 });
    const [hanging, failing] = ['http://hanging.test', 'http://failing.test'];
    // Bypasses the workers, which poll when the clock moves.
    await addEvents(store, merchants[0], ['http://prompt.test/a'], { now: START - 10_000 });
    await addEvents(store, merchants[1], ['http://prompt.test/a', 'http://prompt.test/b'], { now: START - 20_000 });
    await addEvents(store, merchants[1], [`${hanging}/a`], { now: START - 50_000 });
    await addEvents(store, merchants[0], [`${failing}/a`, `${failing}/b`], { now: START - 40_000 });
    await addEvents(store, merchants[0], ['http://abandoned.test/a'], { now: START - 80_000 });
    await store.unit(async (db) => {
      await db.run('update events set attempts = 1');
      await db.run('update events set attempts = 2, next_at = ? where address = ?', START + 60_000, failing);
      await db.run("update events set next_at = null where address = 'http://abandoned.test'");
      await recordHanging(db, [{ merchantId: merchants[1].id, address: hanging, hangs: true }], START);
      const [event] = await db.all('select id from events limit 1');
      const gone = { merchantId: merchants[0].id, url: 'http://gone.test/a', stoppedAt: START };
      await stopUrl(db, { ...gone, eventId: String(event?.['id']) });
    });
    const text = await readMetrics(test);
    const samples = (name: string, label: string, values: readonly string[]) =>
      values.map((value) => findSample(text, `gateway_${name}{${label}="${value}"}`));
    const states = ['due', 'scheduled', 'abandoned'];
    expect(samples('webhooks', 'state', states)).toEqual(['4', '2', '1']);
    expect(samples('oldest_webhook_seconds', 'state', states)).toEqual(['50', '40', '80']);
    const troubles = ['failing', 'hanging', 'gone', 'stopped'];
    expect(samples('troubled_endpoints', 'trouble', troubles)).toEqual(['1', '1', '1', '0']);
    const kinds = ['transaction', 'webhook', 'slow_webhook'];
    expect(samples('oldest_due_seconds', 'kind', kinds)).toEqual(['30', '20', '50']);
    // They are none of the contract's webhooks.
    await store.unit((db) => db.run('delete from stopped_urls'));
    await store.unit((db) => db.run('delete from events'));
  });

  it('detect a manually changed wallet', async () => {
    const test = await startTestGateway({ store: await open() });
    const { store } = test.gateway;
    const differing = async () => findSample(await readMetrics(test), 'gateway_unexplained_wallets');
    expect(await differing()).toBe('0');
    for (const pause of [0, 30_000, 90_000, 400_000]) {
      test.clock.advance(pause);
      await fund(store, test.merchant, 1_000);
      await fund(store, await addMerchant(store), 500);
    }
    // The fixture's entries have the time of START, later than any unit of work would be.
    test.clock.advance(601_000);
    expect(await differing()).toBe('0');
    await store.unit((db) =>
      db.run('update wallets set available = available + 1 where merchant_id = ?', test.merchant.id),
    );
    expect(await differing()).toBe('1');
    test.clock.advance(120_000);
    expect(await differing()).toBe('1');
    await store.unit((db) =>
      db.run('update wallets set available = available - 1 where merchant_id = ?', test.merchant.id),
    );
    expect(await differing()).toBe('0');
  });
});

it('the metrics on SQLite begin counters of single events at 0', async () => {
  const text = await readMetrics(await startTestGateway());
  for (const series of [
    'gateway_webhook_attempts_total{outcome="given_up"}',
    'gateway_webhook_attempts_total{outcome="unsigned"}',
    'gateway_unavailable_total{reason="disk_full"}',
    'gateway_unavailable_total{reason="schema"}',
    'gateway_connections_refused_total{limit="CONNECTIONS_MAX"}',
  ])
    expect(findSample(text, series), series).toBe('0');
});

it('the metrics of the ledger explain a wallet by the sums of large entries', async () => {
  const store = await openTestSqlite();
  await addLargeEntries(store, await addMerchant(store), 1_025);
  const watch = new WalletWatch();
  for (const now of [START - 60_000, START + 60_001, START + 180_000])
    expect(await watch.differing(store.read, now)).toBe(0);
  await store.unit((db) => db.run('update wallets set available = 1'));
  expect(await watch.differing(store.read, START + 180_000)).toBe(1);
});

const INDEX = /USING (COVERING )?INDEX/;
const OPEN = [{ kind: 'payment', status: 'VERIFYING' }] as const;

it.each<[string, query: (db: Database) => Promise<unknown>, index: RegExp]>([
  ['open transactions', (db) => countOpenTransactions(db, OPEN), INDEX],
  ['the backlog of webhooks', (db) => countBacklog(db, START), INDEX],
  ['the oldest due work', (db) => oldestDueMs(db, START), /SEARCH .* USING COVERING INDEX events_by_address/],
])('a query of the metrics scans no table on SQLite: %s', async (_what, query, index) => {
  const store = await openTestSqlite();
  const plan: string[] = [];
  const all: Store['read']['all'] = async (sql, ...values) => {
    for (const { detail } of await store.read.all(`explain query plan ${sql}`, ...values)) plan.push(String(detail));
    return [];
  };
  await query({ ...store.read, get: store.read.get.bind(store.read), all });
  const onTables = plan.filter((line) => /\b(t|o|e|events|transactions)\b/.test(line));
  expect(onTables.length).toBeGreaterThan(1);
  for (const line of onTables) expect(line).toMatch(index);
});
