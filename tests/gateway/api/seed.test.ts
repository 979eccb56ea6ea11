/** With the same seed and time, two gateways produce identical bytes from the same requests. */
import { expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { createGateway } from '../../../gateway/src/server.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { clarification, confirmation } from '../harness/customer.ts';
import { fund, PAYMENT, PAYOUT, REDIRECT, START } from '../harness/fixtures.ts';
import { openTestPostgres, openTestSqlite, startTestGateway } from '../harness.ts';
import { type Receiver, startReceiver, status } from '../webhooks/receiver.ts';

const HOUR = 60 * 60_000;

/** Sends a day's requests. Returns all output of the gateway, in an order independent of its workers. */
async function play(store: Store, receiver: Receiver, { seed, patient }: { seed?: string; patient: boolean }) {
  const clock = new ManualClock(START);
  const test = await startTestGateway({ store, clock, callbackAllow: ['127.0.0.0/8'], ...(seed && { seed }) });
  const { gateway, merchant, key, secret } = test;
  await fund(store, merchant, 1_000_000);
  const before = receiver.requests.length;
  let failed = false;
  receiver.respondWith((response, { body }) => {
    // One event is retried after a delay with jitter.
    const fails = !failed && body.includes('"SUCCESS"') && body.includes('"order-a"');
    failed ||= fails;
    response.writeHead(fails ? 500 : 204).end();
  });
  const transcript: unknown[] = [];
  const call: typeof test.call = async (...args) => {
    const answer = await test.call(...args);
    const { date: _, ...headers } = answer.headers;
    transcript.push({ status: answer.status, text: answer.text, headers });
    if (patient) await gateway.idle();
    return answer;
  };
  const create = (path: string, body: object, order: string) =>
    call('POST', path, { ...body, merchant_order_id: order, callback_url: `${receiver.address}/hook` });

  const [first, asked, page] = [
    await create('/payments', PAYMENT, 'order-a'),
    await create('/payments', { ...PAYMENT, customer: { id: 'anyone' } }, 'order-b'),
    await create('/payments', REDIRECT, 'order-c'),
  ];
  await create('/payments', PAYMENT, 'order-a');
  await create('/payouts', { ...PAYOUT, amount: 5_000 }, 'order-a');
  await create('/payouts', { ...PAYOUT, amount: 5_000, customer: { id: 'decline-BANK_REJECTED' } }, 'order-b');
  await call('GET', '/payments/pay_unknown');
  await gateway.idle();
  const { body: clarified } = await call(
    'POST',
    `/payments/${asked.body.transaction_id}/clarify`,
    clarification(asked.body),
  );
  for (const { body } of [first, { body: clarified }]) {
    const { body: shown } = await call('GET', `/payments/${body.transaction_id}`);
    await call('POST', `/payments/${body.transaction_id}/confirm`, confirmation(shown));
  }
  for (const pause of [0, 10_000, HOUR]) {
    clock.advance(pause);
    await gateway.idle();
  }
  await call('GET', `/payments/${page.body.transaction_id}`);
  const ledger = await store.read.all('select * from ledger_entries where transaction_id is not null order by id');
  const events = await store.read.all('select id, attempts, delivered_at from events order by id');
  const webhooks = receiver.requests.slice(before).map(({ headers, body }) => JSON.stringify({ headers, body }));
  return { key, secret, transcript, webhooks: webhooks.sort(), ledger, events };
}

it('two gateways with the same seed send the same bytes regardless of interleaving and database', async () => {
  const receiver = await startReceiver(status(204));
  const first = await play(await openTestSqlite(), receiver, { seed: 'seed', patient: true });
  expect(await play(await openTestSqlite(), receiver, { seed: 'seed', patient: false })).toEqual(first);
  expect(await play(await openTestPostgres(), receiver, { seed: 'seed', patient: false })).toEqual(first);
  expect(first.webhooks.length).toBeGreaterThan(first.events.length);
  expect(new Set(first.events.map(({ id }) => id)).size).toBe(first.events.length);

  const other = await play(await openTestSqlite(), receiver, { seed: 'other', patient: true });
  expect(other.key).not.toBe(first.key);
  expect(other.transcript).not.toEqual(first.transcript);
  const unseeded = await play(await openTestSqlite(), receiver, { patient: true });
  expect(unseeded.transcript).not.toEqual(first.transcript);
});

it('the ids of a seed are refused in live mode', async () => {
  const store = await openTestSqlite();
  const live = createGateway({ store, publicUrl: () => '', seed: 'seed', keyPolicy: { live: true } });
  await expect(live).rejects.toThrow('a gateway with live keys must not have a seed');
});
