/** Transactions with a repeatedly failing next step, and more of them than a worker takes. */
import { expect, it } from 'vitest';
import type { Channel } from '../../../gateway/src/channels/channel.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { Payment } from '../../../gateway/src/domain/transaction.ts';
import { FAILING_FROM } from '../../../gateway/src/transactions/failures.ts';
import { shownById } from '../../../gateway/src/transactions/rows.ts';
import { listFailing } from '../harness/failing.ts';
import { addPayment, paymentRequest, START } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { afterwards, everyChannel, openTestSqlite, SIMULATOR, startTestGateway, type TestGateway } from '../harness.ts';

const SECOND = 1_000;

/** A payment of a channel that doesn't exist any more: each attempt to verify it fails. */
const POISON: Partial<Payment> = { status: 'VERIFYING', channel: 'gone', dueAt: START };

function readRow(store: Store, { id }: Payment) {
  return store.read.get('select failures, last_error, next_attempt_at from transactions where id = ?', id);
}

const metrics = async ({ call }: TestGateway) => (await call('GET', '/metrics')).text;

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

it("a transaction whose next step fails is listed with its channel's last error, retried with exponential backoff up to a quarter of an hour, and never lost", async () => {
  const store = await openTestSqlite();
  const test = await startTestGateway({ store });
  const { gateway, clock } = test;
  const calls: Payment['calls'] = [['verify', 1_000, 20, 'no_response', 'Error: no route to the bank']];
  const payment = await addPayment(store, test.merchant, { ...POISON, calls });
  await gateway.idle();
  expect(await listFailing(store)).toMatch(/: Error: .*; the channel's last error: Error: no route to the bank$/);
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt++) {
    const row = await readRow(store, payment);
    const last_error = expect.stringContaining('belongs to the channel gone');
    expect(row).toMatchObject({ failures: attempt, last_error });
    const text = await metrics(test);
    expect(text).toContain(`gateway_job_failures_total{work="transactions"} ${attempt}\n`);
    expect(text).toContain(`gateway_failing_transactions ${attempt < FAILING_FROM ? 0 : 1}\n`);
    pauses.push(Number(row?.['next_attempt_at']) - clock.now());
    clock.advance(pauses.at(-1) ?? 0);
    await gateway.idle();
  }
  expect(pauses.map((ms) => ms / SECOND)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  const shown = await shownById(store.read, payment.id, { merchantId: payment.merchantId, kind: 'payment' });
  expect(shown).toMatchObject({ status: 'VERIFYING' });
});

it('a full worker leaves due work in the database, and claims it once it has room', async () => {
  const store = await openTestSqlite();
  const gate = Promise.withResolvers<void>();
  const channels = everyChannel({
    async initiate(...call) {
      await gate.promise;
      return SIMULATOR.initiate(...call);
    },
  });
  const { call, gateway } = await startTestGateway({ store, channels, channelMsMax: 60_000 });
  afterwards(async () => gate.resolve());
  await gateway.idle();
  const pay = async () => (await call('POST', '/payments', paymentRequest())).status;
  expect(await Promise.all(Array.from({ length: 260 }, pay))).toEqual(Array(260).fill(200));
  const count = async (condition: string) =>
    (await store.read.get(`select count(*) as n from transactions where ${condition}`))?.['n'];
  // Work beyond the worker's capacity has no lease.
  expect(await count(`next_attempt_at <= ${START}`)).toBe(4);
  gate.resolve();
  await expect.poll(() => count("status = 'PAY_CONFIRMATION_NEEDED'")).toBe(260);
});
