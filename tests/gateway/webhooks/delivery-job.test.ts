import { Webhook } from 'standardwebhooks';
import { expect, it, vi } from 'vitest';
import { DELIVERY_CLAIM_MS as LEASE_MS } from '../../../gateway/src/operations/workers.ts';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { claimDeliveries, endClaims, resumeUrl, stoppedUrls } from '../../../gateway/src/store/outbox.ts';
import { createSigningSecret } from '../../../gateway/src/store/signing-secrets.ts';
import { RETRY_DELAYS_MS } from '../../../gateway/src/webhooks/retries.ts';
import { addMerchant, START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness.ts';
import { addEvents, addSigningMerchant, eventsOf, startClock, startTestDeliveries } from './deliveries.ts';
import { hang, holding, type Received, startReceiver, status } from './receiver.ts';

describeOnEachStore('the delivery of webhooks', (open) => {
  it('delivers an event once and writes down when', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver();
    await addEvents(store, merchant, [`${receiver.address}/hook`], { body: '{"note":"₹"}' });
    const { attempts, attempted, worker, logged, reported } = startTestDeliveries(store, startClock());
    await attempted(1);
    await worker.idle();
    expect(receiver.requests.map(({ body }) => body)).toEqual(['{"note":"₹"}']);
    const [event] = await eventsOf(store);
    expect(event).toMatchObject({ attempts: 1, next_at: null, delivered_at: START, last_result: 'responded 204' });
    expect(attempts).toEqual([expect.objectContaining({ outcome: 'delivered', attempt: 1, sinceEventMs: 0 })]);
    expect({ logged, reported }).toEqual({ logged: [], reported: [] });
  });

  it('tries again at the times of the schedule, under the same id, and then gives up', async () => {
    const store = await open();
    const clock = startClock();
    const { merchant, secret } = await addSigningMerchant(store);
    const receiver = await startReceiver(status(500));
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
    const headers = receiver.requests.map((request) => request.headers as Record<string, string>);
    expect(new Set(headers.map((one) => one['webhook-id'])).size).toBe(1);
    expect(headers.map((one) => one['webhook-timestamp'])).toEqual(
      times.map((time) => String(Math.floor(time / 1_000))),
    );
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const [index, time] of times.entries()) {
      vi.setSystemTime(time);
      new Webhook(secret).verify(receiver.requests[index]?.body ?? '', headers[index] ?? {});
    }
    vi.useRealTimers();
    expect(attempts.map(({ outcome }) => outcome)).toEqual([...Array(9).fill('retried'), 'given_up']);
    const [event] = await eventsOf(store);
    expect(event).toMatchObject({ attempts: 10, next_at: null, delivered_at: null, last_result: 'responded 500' });
  });

  it('signs with the secrets that are valid at the time of the attempt', async () => {
    const store = await open();
    const clock = startClock();
    const { merchant, secret } = await addSigningMerchant(store);
    const receiver = await startReceiver(status(503));
    await addEvents(store, merchant, [receiver.address]);
    const { attempted, worker } = startTestDeliveries(store, clock);
    await attempted(1);
    // The retry is due 5 s after the result has been written, not after the attempt.
    await worker.idle();
    const newer = await store.unit((db) => createSigningSecret(db, merchant.id, clock.now(), NO_KEYS));
    clock.advance(5_000);
    await attempted(2);
    const signatures = receiver.requests.map(({ headers }) => String(headers['webhook-signature']).split(' '));
    expect(signatures.map((values) => values.length)).toEqual([1, 2]);
    const last = receiver.requests[1] as Received;
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
    for (const valid of [secret, newer]) new Webhook(valid).verify(last.body, last.headers as Record<string, string>);
    vi.useRealTimers();
  });

  it('tries again when the merchant has no secret, and sends nothing unsigned', async () => {
    const store = await open();
    const receiver = await startReceiver();
    await addEvents(store, await addMerchant(store), [receiver.address]);
    const { attempted } = startTestDeliveries(store, startClock());
    await attempted(1);
    expect(receiver.requests).toEqual([]);
    expect((await eventsOf(store))[0]).toMatchObject({
      next_at: START + 5_000,
      last_result: 'not sent: the merchant has no signing secret',
    });
  });

  it('sends nothing more to a URL that has returned 410, until it is resumed', async () => {
    const store = await open();
    const clock = startClock();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver((response, { path }) =>
      response.writeHead(path === '/gone' ? 410 : 503).end(),
    );
    const [gone, other] = [`${receiver.address}/gone`, `${receiver.address}/other`] as const;
    await addEvents(store, merchant, [gone], { now: START - 2 });
    await addEvents(store, merchant, [other], { now: START - 1 });
    await addEvents(store, merchant, [gone], { now: START + 1_000 });
    const { attempted, worker, attempts } = startTestDeliveries(store, clock);
    await attempted(2);
    const [first, failed, later] = await eventsOf(store);
    expect(first).toMatchObject({ next_at: null, delivered_at: null, attempts: 1, last_result: 'responded 410' });
    const result = 'not sent: the endpoint has returned 410 before';
    expect(later).toMatchObject({ next_at: null, delivered_at: null, attempts: 0, last_result: result });
    expect(failed).toMatchObject({ next_at: START + 5_000 });
    expect(await stoppedUrls(store.read, merchant.id)).toEqual([
      { merchantId: merchant.id, url: gone, eventId: first?.['id'], stoppedAt: START },
    ]);

    await addEvents(store, merchant, [gone], { now: START });
    worker.wake();
    await worker.idle();
    expect((await eventsOf(store)).filter((event) => event['last_result'] === result)).toHaveLength(2);
    expect(attempts.map(({ outcome }) => outcome).sort()).toEqual(['retried', 'stopped']);

    expect(await store.unit((db) => resumeUrl(db, merchant.id, gone))).toBe(true);
    await addEvents(store, merchant, [gone], { now: START });
    worker.wake();
    await attempted(3);
    expect(receiver.requests.filter(({ path }) => path === '/gone')).toHaveLength(2);
  });

  it('sends nothing that it had claimed before the URL returned 410', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver(status(410));
    await addEvents(store, merchant, Array(30).fill(receiver.address));
    const { attempted, worker } = startTestDeliveries(store, startClock());
    await attempted(1);
    await worker.idle();
    expect(receiver.requests.length).toBeLessThanOrEqual(2);
    expect((await eventsOf(store)).filter((event) => event['next_at'] !== null)).toEqual([]);
  });

  it('still sends to the URL for another merchant', async () => {
    const store = await open();
    const [one, other] = [await addSigningMerchant(store), await addSigningMerchant(store)];
    const receiver = await startReceiver((response, _received, count) =>
      response.writeHead(count === 1 ? 410 : 204).end(),
    );
    await addEvents(store, one.merchant, [receiver.address]);
    const { attempted, worker, attempts } = startTestDeliveries(store, startClock());
    await attempted(1);
    await addEvents(store, other.merchant, [receiver.address]);
    worker.wake();
    await attempted(2);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['stopped', 'delivered']);
  });

  it('reaches nine live endpoints while a dead one with a long backlog hangs', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const dead = await startReceiver(hang);
    const live = await Promise.all(Array.from({ length: 9 }, () => startReceiver()));
    await addEvents(store, merchant, Array(1_000).fill(dead.address), { now: START - 60_000 });
    await addEvents(
      store,
      merchant,
      live.flatMap(({ address }) => Array(20).fill(address)),
    );
    startTestDeliveries(store, startClock());
    await Promise.all(live.map((receiver) => receiver.received(20)));
    expect(dead.inFlightMax).toBeLessThanOrEqual(8);
    const delivered = (await eventsOf(store)).filter(
      (event) => event['address'] === dead.address && event['delivered_at'],
    );
    expect(delivered).toEqual([]);
  });

  it('reaches a live endpoint while more dead ones than there are attempts hang', async () => {
    const store = await open();
    const clock = startClock();
    const { merchant } = await addSigningMerchant(store);
    const dead = await Promise.all(Array.from({ length: 12 }, () => startReceiver(hang)));
    const live = await startReceiver();
    await addEvents(
      store,
      merchant,
      dead.flatMap(({ address }) => Array(5).fill(address)),
    );
    const { attempted, worker } = startTestDeliveries(store, clock, { total: 8, answerWithinMs: 60 });
    await attempted(24);
    await addEvents(store, merchant, [live.address]);
    worker.wake();
    await live.received(1);
    expect(live.requests).toHaveLength(1);
  });

  it('reaches an address behind more waiting ones than it looks at in one go', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver();
    const waiting = Array.from({ length: 600 }, (_item, index) => `http://shop-${index}.test:${receiver.port}/`);
    await addEvents(store, merchant, waiting, { now: START + 1_000 });
    await addEvents(store, merchant, [`http://zulu.test:${receiver.port}/`]);
    const { attempted } = startTestDeliveries(store, startClock(), { resolve: async () => ['127.0.0.1'] });
    await attempted(1);
    expect(receiver.requests.map(({ headers }) => headers.host)).toEqual([`zulu.test:${receiver.port}`]);
  });

  it('goes round the addresses when there are more than it may claim for', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver(status(204, { connection: 'close' }));
    const urls = Array.from({ length: 300 }, (_item, index) => `http://shop-${index}.test:${receiver.port}/`);
    await addEvents(store, merchant, urls);
    const { attempted } = startTestDeliveries(store, startClock(), { total: 32, resolve: async () => ['127.0.0.1'] });
    await attempted(300);
    expect(new Set(receiver.requests.map(({ headers }) => headers.host)).size).toBe(300);
  });

  it('makes as many attempts at a time to an address as it may, and no more', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const { respond, held, release } = holding(4);
    const receiver = await startReceiver(respond);
    await addEvents(store, merchant, Array(100).fill(receiver.address));
    const { attempted, worker } = startTestDeliveries(store, startClock(), { perLane: 4 });
    await held;
    await addEvents(store, merchant, [receiver.address]);
    worker.wake();
    await eventsOf(store);
    release();
    await attempted(101);
    expect(receiver.inFlightMax).toBe(4);
  });

  it('makes as many attempts at a time to all addresses as it may, and no more', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const { respond, held, release, inFlightMax } = holding(10);
    const receivers = await Promise.all([1, 2, 3, 4].map(() => startReceiver(respond)));
    const urls = receivers.flatMap(({ address }) => Array(100).fill(address));
    await addEvents(store, merchant, urls);
    const { attempted, worker } = startTestDeliveries(store, startClock(), { perLane: 4, total: 10 });
    await held;
    await addEvents(store, merchant, urls);
    worker.wake();
    await eventsOf(store);
    release();
    await attempted(2 * urls.length);
    expect(inFlightMax()).toBe(10);
    for (const receiver of receivers) expect(receiver.inFlightMax).toBeLessThanOrEqual(4);
  });

  it('takes over what a process that died had claimed, when its lease has ended', async () => {
    const store = await open();
    const clock = startClock();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver();
    await addEvents(store, merchant, [receiver.address]);
    const ids = (await eventsOf(store)).map((event) => String(event['id']));
    expect(await store.unit((db) => claimDeliveries(db, ids, START, START + LEASE_MS))).toHaveLength(1);
    const { attempted, worker } = startTestDeliveries(store, clock);
    clock.advance(LEASE_MS - 1);
    await worker.idle();
    expect(receiver.requests).toEqual([]);
    clock.advance(1);
    await attempted(1);
    expect(receiver.requests).toHaveLength(1);
  });

  it('keeps its claim for as long as the attempt takes', async () => {
    const store = await open();
    const clock = startClock();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver(hang);
    await addEvents(store, merchant, [receiver.address]);
    startTestDeliveries(store, clock);
    await receiver.received(1);
    const other = startTestDeliveries(store, clock);
    for (let i = 0; i < 10; i++) {
      clock.advance(LEASE_MS / 2);
      await expect
        .poll(async () => (await eventsOf(store))[0]?.['next_at'], { interval: 1 })
        .toBe(clock.now() + LEASE_MS);
      await other.worker.idle();
    }
    expect(receiver.requests).toHaveLength(1);
  });

  it('is shared by several processes, and each event is delivered once', async () => {
    const store = await open();
    const clock = startClock();
    const { merchant } = await addSigningMerchant(store);
    const receivers = await Promise.all([1, 2, 3].map(() => startReceiver()));
    await addEvents(
      store,
      merchant,
      receivers.flatMap(({ address }) => Array(100).fill(address)),
    );
    const workers = [1, 2, 3].map(() => startTestDeliveries(store, clock));
    await Promise.all(receivers.map((receiver) => receiver.received(100)));
    for (const { worker } of workers) await worker.idle();
    for (const { requests } of receivers) {
      expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
      expect(requests).toHaveLength(100);
    }
    expect((await eventsOf(store)).every((event) => event['delivered_at'] !== null && event['attempts'] === 1)).toBe(
      true,
    );
  });

  it('gives back what is under way when it is stopped', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    const receiver = await startReceiver(hang);
    await addEvents(store, merchant, Array(5).fill(receiver.address));
    const { worker, attempts, reported } = startTestDeliveries(store, startClock());
    await receiver.received(1);
    await worker.stop();
    for (const event of await eventsOf(store)) expect(event).toMatchObject({ attempts: 0, next_at: START });
    expect({ attempts, reported }).toEqual({ attempts: [], reported: [] });
    receiver.respondWith(status(204));
    await startTestDeliveries(store, startClock()).attempted(5);
  });

  it('tries a refused address again, and says why it was refused', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    await addEvents(store, merchant, ['http://169.254.169.254/latest']);
    const { attempted } = startTestDeliveries(store, startClock());
    await attempted(1);
    expect((await eventsOf(store))[0]).toMatchObject({
      next_at: START + 5_000,
      last_result: '169.254.169.254 is refused: link-local',
    });
  });

  it('logs a failed attempt without the body, the secret and the rest of the URL', async () => {
    const store = await open();
    const { merchant, secret } = await addSigningMerchant(store);
    const receiver = await startReceiver(status(500));
    await addEvents(store, merchant, [`${receiver.address}/hook?token=hush`], { body: '{"name":"Asha"}' });
    const { attempted, logged } = startTestDeliveries(store, startClock());
    await attempted(1);
    expect(logged).toEqual([
      {
        event_id: (await eventsOf(store))[0]?.['id'],
        transaction_id: expect.stringMatching(/^pay_/),
        merchant_id: merchant.id,
        address: receiver.address,
        attempt: 1,
        outcome: 'retried',
        result: 'responded 500',
        ms: expect.any(Number),
      },
    ]);
    for (const hidden of ['hush', 'Asha', secret.slice(6, 20)]) expect(JSON.stringify(logged)).not.toContain(hidden);
  });

  it('leaves a delivered event alone when a late failure is written', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    await addEvents(store, merchant, ['http://127.0.0.1:1/']);
    const id = String((await eventsOf(store))[0]?.['id']);
    const delivered = { id, tried: true, result: 'responded 200', deliveredAt: START, nextAt: undefined };
    await store.unit((db) => endClaims(db, [delivered]));
    const before = await eventsOf(store);
    await store.unit((db) =>
      endClaims(db, [{ ...delivered, result: 'responded 500', deliveredAt: undefined, nextAt: START }]),
    );
    expect(await eventsOf(store)).toEqual(before);
  });
});
