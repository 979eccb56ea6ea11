/** With the same seed and time, two gateways produce identical bytes from the same requests. */
import { expect, it } from 'vitest';
import type { Store } from '../../../gateway/src/database/store.ts';
import { createGateway } from '../../../gateway/src/server.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { confirmation } from '../harness/customer.ts';
import { fund, PAYMENT, PAYOUT, REDIRECT, START } from '../harness/fixtures.ts';
import { openTestPostgres, openTestSqlite, startTestGateway } from '../harness.ts';
import { startReceiver, status } from '../webhooks/receiver.ts';

const HOUR = 60 * 60_000;

/** Sends a day's requests. Returns all output of the gateway, in an order independent of its workers. */
async function play(store: Store, { seed, patient = false }: { seed?: string; patient?: boolean } = {}) {
  const receiver = await startReceiver(status(204));
  const clock = new ManualClock(START);
  const test = await startTestGateway({ store, clock, callbackAllow: ['127.0.0.0/8'], ...(seed && { seed }) });
  const { gateway, merchant, key, secret } = test;
  await fund(store, merchant, 1_000_000);
  let failed = false;
  receiver.respondWith((response, { body }) => {
    // One event is retried after a delay with jitter.
    const fails = !failed && body.includes('"SUCCESS"');
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

  const { body: paid } = await create('/payments', PAYMENT, 'order-a');
  await create('/payments', REDIRECT, 'order-b');
  await create('/payouts', { ...PAYOUT, amount: 5_000, customer: { id: 'decline-BANK_REJECTED' } }, 'order-a');
  await call('GET', '/payments/pay_unknown');
  await gateway.idle();
  const { body: asked } = await call('GET', `/payments/${paid.transaction_id}`);
  await call('POST', `/payments/${paid.transaction_id}/confirm`, confirmation(asked));
  for (const pause of [0, 10_000, HOUR]) {
    clock.advance(pause);
    await gateway.idle();
  }
  const ledger = await store.read.all('select * from ledger_entries where transaction_id is not null order by id');
  const events = await store.read.all('select id, attempts, delivered_at from events order by id');
  const webhooks = receiver.requests.map(({ headers: { host: _, ...headers }, body }) =>
    JSON.stringify({ headers, body }),
  );
  return { key, secret, transcript, webhooks: webhooks.sort(), ledger, events };
}

it('two gateways with the same seed send the same bytes regardless of interleaving and database', async () => {
  const first = await play(await openTestSqlite(), { seed: 'seed', patient: true });
  expect(await play(await openTestSqlite(), { seed: 'seed' })).toEqual(first);
  expect(await play(await openTestPostgres(), { seed: 'seed' })).toEqual(first);
  expect(first.webhooks.length).toBeGreaterThan(first.events.length);
  expect(new Set(first.events.map(({ id }) => id)).size).toBe(first.events.length);

  const other = await play(await openTestSqlite(), { seed: 'other' });
  expect(other.key).not.toBe(first.key);
  for (const { transcript } of [other, await play(await openTestSqlite())])
    expect(transcript).not.toEqual(first.transcript);
});

it('the ids of a seed are refused in live mode', async () => {
  const store = await openTestSqlite();
  const live = createGateway({ store, publicUrl: () => '', seed: 'seed', keyPolicy: { live: true } });
  await expect(live).rejects.toThrow('a gateway with live keys must not have a seed');
});
