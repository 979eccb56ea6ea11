/** Webhooks of a sandbox: attempts, resends, samples. */
import { describe, expect, it } from 'vitest';
import { ATTEMPTS_KEPT, readAttempts, recordAttempts } from '../../../gateway/src/webhooks/attempt-log.ts';
import { START } from '../harness/fixtures.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { addEvents, addSigningMerchant, readEvents } from '../webhooks/deliveries.ts';
import { hang, type Respond, status } from '../webhooks/receiver.ts';
import { startEndpoint } from './webhooks.ts';

const respondWith =
  (code: number, body: string): Respond =>
  (response) =>
    response.writeHead(code).end(body);

it("a merchant's events have every attempt with its headers and the beginning of its response", async () => {
  const long = respondWith(500, `\0€${'x'.repeat(3_000)}`);
  const { test, receiver, decline, advance } = await startEndpoint(long);
  await decline();
  receiver.respondWith(respondWith(200, 'ok'));
  await advance('1m');
  const [{ id }] = (await test.call('GET', '/management/events')).body.data;
  const { body } = await test.call('GET', `/management/events/${id}`);
  expect(body).toMatchObject({ state: 'delivered', attempts: 2, last_result: 'responded 200', status: 'FAILED' });
  expect(body.body).toBe(receiver.requests[0]?.body);
  const [first, second] = body.deliveries;
  expect(first).toMatchObject({ number: 1, status: 500, at: new Date(test.clock.now()).toISOString() });
  expect(first.response_body).toBe(`\uFFFD€${'x'.repeat(2_046)}`);
  for (const [name, value] of Object.entries(first.request_headers)) {
    expect(receiver.requests[0]?.headers[name.toLowerCase()], name).toBe(value);
  }
  expect(second).toMatchObject({ number: 2, status: 200, response_body: 'ok' });
  expect(Date.parse(second.at) - Date.parse(first.at)).toBeGreaterThan(4_000);
});

describe('a resent event', () => {
  it('keeps the time of its next attempt if it fails again, and has none once delivered', async () => {
    const { test, receiver, decline, advance } = await startEndpoint(status(500));
    await decline();
    const [before] = (await test.call('GET', '/management/events')).body.data;
    const resend = async () => {
      await test.call('POST', `/management/events/${before.id}/resend`);
      await test.gateway.idle();
      return (await test.call('GET', '/management/events')).body.data;
    };
    expect(await resend()).toEqual([{ ...before, attempts: 2 }]);
    receiver.respondWith(status(204));
    const [after] = await resend();
    expect(after).toMatchObject({ state: 'delivered', attempts: 3 });
    await advance('1d');
    expect(receiver.requests).toHaveLength(3);
  });

  it('reaches a URL that has responded 410, and resumes its deliveries', async () => {
    const { test, receiver, decline } = await startEndpoint(status(410));
    await decline();
    receiver.respondWith(status(200));
    await decline();
    expect(receiver.requests).toHaveLength(1);
    const [{ id }] = (await test.call('GET', '/management/events')).body.data;
    await test.call('POST', `/management/events/${id}/resend`);
    await test.gateway.idle();
    await decline();
    expect(receiver.requests).toHaveLength(3);
  });
});

it("a replay sends the events since a time by the merchant's clock, at most 10,000", async () => {
  const { test, receiver, decline, advance } = await startEndpoint();
  const { store } = test.gateway;
  await decline();
  await advance('2h');
  const since = (await test.call('GET', '/sandbox/clock')).body.now;
  const newer = await decline();
  const replay = async (request: object) => (await test.call('POST', '/management/events/replay', request)).body;
  expect(await replay({ since, state: 'all' })).toEqual({ events: 1, waiting: 0 });
  await test.gateway.idle();
  expect(receiver.requests.map(({ body }) => JSON.parse(body).transaction_id).slice(1)).toEqual([newer, newer]);
  await store.unit((db) =>
    db.run(
      `insert into events (id, merchant_id, transaction_id, url, address, body, created_at, attempts)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < 10050)
         select 'evt_1' || (100000 + i), merchant_id, transaction_id, url, address, body, created_at, 1 from events, n
         where transaction_id = ?`,
      newer,
    ),
  );
  await test.call('POST', '/sandbox/clock/freeze');
  const all = { since: new Date(0).toISOString(), state: 'undelivered' };
  expect(await replay(all)).toEqual({ events: 10_000, waiting: 0 });
  await store.unit((db) => db.run('delete from events where resend_of is not null'));
});

describe('samples', () => {
  it("are one of each webhook, signed with the merchant's secret", async () => {
    const { test, receiver, verdicts } = await startEndpoint(respondWith(202, 'taken'));
    const url = `${receiver.address}/any`;
    const { status: code, body } = await test.call('POST', '/sandbox/events/samples', { url });
    expect(code).toBe(200);
    expect(body.data.map(({ event }: { event: string }) => event)).toEqual([
      ...['paymentExtraDataNeeded', 'paymentConfirmationNeeded', 'paymentSucceeded', 'paymentFailed'],
      ...['payoutSucceeded', 'payoutFailed'],
    ]);
    for (const { attempt } of body.data) expect(attempt).toMatchObject({ status: 202, response_body: 'taken' });
    expect(await verdicts()).toEqual(Array(6).fill('valid'));
    expect((await test.call('GET', '/management/events')).body.data).toEqual([]);
  });

  it('pass the address guard, and report invalid requests', async () => {
    const { test } = await startEndpoint();
    const send = async (url: string, event = 'payoutFailed') =>
      (await test.call('POST', '/sandbox/events/samples', { url, events: [event] })).body;
    expect((await send('http://169.254.169.254/latest')).data).toMatchObject([
      { event: 'payoutFailed', attempt: { error: expect.stringContaining('is refused') } },
    ]);
    expect((await send('ftp://shop.test/')).violations).toMatchObject([{ pointer: '/url' }]);
    expect((await send('http://127.0.0.1/', 'payoutDone')).violations).toMatchObject([
      { pointer: '/events/0', message: expect.stringContaining('payoutFailed') },
    ]);
  });

  it('are sent one request at a time', async () => {
    const { test, receiver } = await startEndpoint(hang);
    const send = () =>
      test.call('POST', '/sandbox/events/samples', { url: receiver.address, events: ['payoutFailed'] });
    const first = send();
    await receiver.received(1);
    expect((await send()).status).toBe(409);
    receiver.respondWith(status(200));
    await test.gateway.close();
    expect((await first).body.data[0].attempt.error).toMatch(/^no response/);
  });
});

const attempt = (status: number) => ({ at: START, durationMs: 5, requestHeaders: { 'x-a': 'b' }, status });

describeOnEachStore('attempts', (open) => {
  it('are numbered per event, up to a hundred, and dropped for a deleted event', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    await addEvents(store, merchant, ['http://a.test/', 'http://b.test/']);
    const [a = '', b = ''] = (await readEvents(store)).map(({ id }) => String(id));
    const record = (...made: [eventId: string, ...statuses: number[]][]) => {
      const records = made.map(([eventId, ...statuses]) => ({ eventId, attempts: statuses.map(attempt) }));
      return store.unit((db) => recordAttempts(db, records));
    };
    const read = async (id: string) =>
      (await readAttempts(store.read, id)).map(({ number, status }) => [number, status]);
    await record([a, 500, 501], ['evt_gone', 200], [b, 502], [a, 200]);
    expect(await read(a)).toEqual([500, 501, 200].map((code, index) => [index + 1, code]));
    expect(await read(b)).toEqual([[1, 502]]);
    await record([b, ...Array(ATTEMPTS_KEPT + 5).fill(204)]);
    expect(await read(b)).toHaveLength(ATTEMPTS_KEPT);
  });
});
