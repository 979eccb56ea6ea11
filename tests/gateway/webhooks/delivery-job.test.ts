import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { withKeys } from '../../../gateway/src/database/store.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { KeyRing } from '../../../gateway/src/platform/key-ring.ts';
import { RETRY_DELAYS_MS } from '../../../gateway/src/webhooks/retries.ts';
import type { Received } from '../../tools/endpoint.ts';
import { addMerchant } from '../harness/fixtures.ts';
import { openTestSqlite } from '../harness.ts';
import { addEvents, addSigningMerchant, openShop, readEvents, startClock, startTestDeliveries } from './deliveries.ts';
import { startReceiver, status } from './receiver.ts';

/** Verifies the signature at a time with the library for merchants. */
function expectSigned(received: Received | undefined, secret: string, now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    new Webhook(secret).verify(received?.body ?? '', received?.headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

describe('the delivery of webhooks', () => {
  it('retries with the same id at the times of the schedule, and then gives up', async () => {
    const { store, clock, merchant, secret, receiver } = await openShop(openTestSqlite, status(500));
    await addEvents(store, merchant, [receiver.address]);
    const { attempts, attempted, worker } = startTestDeliveries(store, clock);
    await attempted(1);
    const times = [clock.now()];
    for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
      clock.advance(delay - 1);
      await worker.idle();
      expect(receiver.requests).toHaveLength(index + 1);
      clock.advance(1);
      await attempted(index + 2);
      times.push(clock.now());
    }
    const sent = (name: string) => receiver.requests.map(({ headers }) => headers[name]);
    expect(new Set(sent('webhook-id')).size).toBe(1);
    expect(sent('webhook-timestamp')).toEqual(times.map((time) => String(Math.floor(time / 1_000))));
    for (const [index, time] of times.entries()) expectSigned(receiver.requests[index], secret, time);
    expect(attempts.map(({ outcome }) => outcome)).toEqual([...Array(9).fill('retried'), 'given_up']);
    const [event] = await readEvents(store);
    expect(event).toMatchObject({ attempts: 10, next_at: null, delivered_at: null, last_result: 'responded 500' });
  });

  it('signs with the secrets valid at the time of the attempt', async () => {
    const { store, clock, merchant, secret, receiver } = await openShop(openTestSqlite, status(503));
    await addEvents(store, merchant, [receiver.address]);
    const { attempted, worker } = startTestDeliveries(store, clock);
    await attempted(1);
    // The retry is due 5 s after the result has been written, not after the attempt.
    await worker.idle();
    const newer = await store.unit((db) => createSigningSecret(db, merchant.id, clock.now()));
    clock.advance(5_000);
    await attempted(2);
    const signatures = receiver.requests.map(({ headers }) => String(headers['webhook-signature']).split(' '));
    expect(signatures.map((values) => values.length)).toEqual([1, 2]);
    for (const valid of [secret, newer]) expectSigned(receiver.requests[1], valid, clock.now());
  });

  it('postpones an event without using up attempts while the merchant has no secret', async () => {
    const store = await openTestSqlite();
    const clock = startClock();
    const merchant = await addMerchant(store);
    const receiver = await startReceiver();
    await addEvents(store, merchant, [receiver.address, receiver.address]);
    const { attempted, worker, logged } = startTestDeliveries(store, clock);
    await worker.idle();
    // One line for the merchant instead of one per event.
    expect(logged).toEqual([expect.objectContaining({ outcome: 'unsigned', merchant_id: merchant.id })]);
    for (const delay of RETRY_DELAYS_MS) {
      clock.advance(delay);
      await worker.idle();
    }
    const [waiting] = await readEvents(store);
    expect(waiting).toMatchObject({ attempts: 0, last_result: 'not sent: the merchant has no signing secret' });
    expect(waiting?.['next_at']).toBeGreaterThan(clock.now());
    expect(receiver.requests).toEqual([]);

    await store.unit((db) => createSigningSecret(db, merchant.id, clock.now()));
    clock.advance(Number(waiting?.['next_at']) - clock.now());
    await attempted(2);
    expect((await readEvents(store))[0]).toMatchObject({ attempts: 1, delivered_at: clock.now() });
  });

  it('postpones an event without using up attempts, and names the key, if that of the secret is missing', async () => {
    const store = await openTestSqlite();
    const [keys, others] = [new KeyRing([randomBytes(32)]), new KeyRing([randomBytes(32)])];
    const { merchant } = await addSigningMerchant(withKeys(store, keys));
    await addEvents(store, merchant, ['http://127.0.0.1:9/']);
    const { worker, reported } = startTestDeliveries(withKeys(store, others), startClock());
    await worker.idle();
    expect((await readEvents(store))[0]).toMatchObject({
      attempts: 0,
      last_result: expect.stringMatching(new RegExp(`^not sent: key ${keys.ids[0]}, .* is missing$`)),
    });
    expect(reported).toEqual([]);
  });

  it('logs a failed attempt without the body, the secret and the rest of the URL', async () => {
    const { store, clock, merchant, secret, receiver } = await openShop(openTestSqlite, status(500));
    await addEvents(store, merchant, [`${receiver.address}/hook?token=hush`], { body: '{"name":"Asha"}' });
    const { attempted, logged } = startTestDeliveries(store, clock);
    await attempted(1);
    const [event] = await readEvents(store);
    expect(logged).toEqual([
      {
        ...{ event_id: event?.['id'], transaction_id: event?.['transaction_id'], merchant_id: merchant.id },
        ...{ address: receiver.address, attempt: 1, outcome: 'retried', result: 'responded 500' },
        ms: expect.any(Number),
      },
    ]);
    for (const hidden of ['hush', 'Asha', secret.slice(6, 20)]) expect(JSON.stringify(logged)).not.toContain(hidden);
  });
});

it('a URL that has returned 410 gets no more events of its merchant, not even claimed ones', async () => {
  const { store, clock, merchant, receiver } = await openShop(openTestSqlite, status(410));
  const other = await addSigningMerchant(store);
  await addEvents(store, merchant, Array(30).fill(receiver.address));
  const { attempted, worker, attempts } = startTestDeliveries(store, clock);
  await attempted(1);
  await worker.idle();
  const stopped = receiver.requests.length;
  expect(stopped).toBeLessThanOrEqual(2);
  expect((await readEvents(store)).filter((event) => event['next_at'] !== null)).toEqual([]);
  receiver.respondWith(status(204));
  await addEvents(store, other.merchant, [receiver.address]);
  worker.wake();
  await receiver.received(stopped + 1);
  await worker.idle();
  expect(attempts.at(-1)?.outcome).toBe('delivered');
});
