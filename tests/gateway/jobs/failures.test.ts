/** A transaction with a repeatedly failing next step. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import { FAILING_FROM } from '../../../gateway/src/transactions/failures.ts';
import { shownById } from '../../../gateway/src/transactions/rows.ts';
import { listFailing } from '../harness/failing.ts';
import { addPayment, START } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import {
  describeOnEachStore,
  everyChannel,
  inject,
  openTestSqlite,
  SIMULATOR,
  startTestGateway,
  type TestGateway,
} from '../harness.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A payment of a channel that doesn't exist any more: each attempt to verify it fails. */
const POISON: Partial<Payment> = { status: 'VERIFYING', channel: 'gone', dueAt: START };

async function poisoned(store: Store, changes: Partial<Payment> = {}): Promise<TestGateway & { payment: Payment }> {
  const test = await startTestGateway({ store });
  const payment = await addPayment(store, test.merchant, { ...POISON, ...changes });
  await test.gateway.idle();
  return { ...test, payment };
}

function readRow(store: Store, { id }: Payment) {
  return store.read.get('select failures, last_error, next_attempt_at from transactions where id = ?', id);
}

async function metrics({ gateway }: TestGateway): Promise<string> {
  const { body } = await inject(gateway, { method: 'GET', url: '/metrics' });
  return body;
}

it('a transaction whose channel does not respond counts its failures and is named, until the channel responds', async () => {
  const store = await openTestSqlite();
  const { log, lines } = recordingLog();
  let down = true;
  const initiate: Channel['initiate'] = async (payment, now) => {
    if (down) throw new Error('no route to sk_test_secret');
    return SIMULATOR.initiate(payment, now);
  };
  const test = await startTestGateway({ store, log, channels: everyChannel({ initiate }) });
  const payment = await addPayment(store, test.merchant);
  await test.gateway.idle();
  test.clock.advance(2 * SECOND);
  await test.gateway.idle();
  expect(await readRow(store, payment)).toMatchObject({ failures: 2, last_error: 'Error: no route to sk_test_…' });
  const about = { job: 'transactions', transaction_id: payment.id, channel: payment.channel };
  expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
    { err: expect.any(Error), ...about, failures: 1, next_attempt_at: '2026-03-02T09:00:02.000Z' },
    { err: expect.any(Error), ...about, failures: 2, next_attempt_at: '2026-03-02T09:00:06.000Z' },
  ]);
  expect(await metrics(test)).toContain('gateway_job_failures_total{work="transactions"} 2');
  down = false;
  test.clock.advance(4 * SECOND);
  await test.gateway.idle();
  expect(await readRow(store, payment)).toMatchObject({ failures: 0, last_error: null });
});

describe('a transaction whose next step fails on SQLite', () => {
  it('appears in the metrics: each failure by its job, and the transaction from the fifth consecutive one on', async () => {
    const test = await poisoned(await openTestSqlite());
    for (let failures = 1; failures <= FAILING_FROM; failures++) {
      const text = await metrics(test);
      expect(text).toContain(`gateway_job_failures_total{work="transactions"} ${failures}`);
      expect(text).toContain(`gateway_failing_transactions ${failures < FAILING_FROM ? 0 : 1}`);
      test.clock.advance(MINUTE * 2);
      await test.gateway.idle();
    }
  });

  it("is listed with the channel's last error, if the step fails for another reason", async () => {
    const store = await openTestSqlite();
    const calls: Payment['calls'] = [['verify', 1_000, 20, 'no_response', 'Error: no route to the bank']];
    await poisoned(store, { calls });
    expect(await listFailing(store)).toMatch(/: Error: .*; the channel's last error: Error: no route to the bank$/);
  });
});

describeOnEachStore('a transaction whose next step fails', (open) => {
  it('is retried with exponential backoff, up to a quarter of an hour, and is never lost', async () => {
    const store = await open();
    const { gateway, clock, payment } = await poisoned(store);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      const row = await readRow(store, payment);
      expect(row).toMatchObject({
        failures: attempt,
        last_error: expect.stringContaining('belongs to the channel gone'),
      });
      pauses.push(Number(row?.['next_attempt_at']) - clock.now());
      clock.advance(pauses.at(-1) ?? 0);
      await gateway.idle();
    }
    expect(pauses.map((ms) => ms / SECOND)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
    expect(await shownById(store.read, payment.id, { merchantId: payment.merchantId, kind: 'payment' })).toMatchObject({
      status: 'VERIFYING',
    });
  });

  it("doesn't block other transactions, even if it is unreadable", async () => {
    const store = await open();
    const { gateway, clock, merchant, payment } = await poisoned(store);
    await store.unit((db) => db.run("update transactions set state = 'no JSON' where id = ?", payment.id));
    const other = await addPayment(store, merchant);
    clock.advance(5 * SECOND);
    await gateway.idle();
    expect(await readRow(store, payment)).toMatchObject({
      failures: 2,
      last_error: expect.stringMatching(/^SyntaxError/),
    });
    expect(await shownById(store.read, other.id, { merchantId: merchant.id, kind: 'payment' })).toMatchObject({
      status: 'PAY_CONFIRMATION_NEEDED',
    });
  });
});
