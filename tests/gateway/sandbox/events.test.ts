import { expect, it } from 'vitest';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import { hang, type Respond, status } from '../webhooks/receiver.ts';
import { judgeDelivery, startEndpoint } from './webhooks.ts';

const respondWith =
  (code: number, body: string): Respond =>
  (response) =>
    response.writeHead(code).end(body);

describeOnEachStore("a merchant's events", (open) => {
  it('have every attempt with its headers and the beginning of its response', async () => {
    const { test, receiver, decline } = await startEndpoint(await open(), respondWith(500, `\0€${'x'.repeat(3_000)}`));
    await decline();
    receiver.respondWith(respondWith(200, 'ok'));
    await test.call('POST', '/sandbox/clock/advance', { by: '1m' });
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

  it('have the reason for a missing response', async () => {
    const { test, decline } = await startEndpoint(await open(), (response) => response.socket?.resetAndDestroy());
    await decline();
    const [{ id, next_attempt_at }] = (await test.call('GET', '/management/events?state=waiting')).body.data;
    expect(Date.parse(next_attempt_at)).toBeGreaterThan(test.clock.now());
    const [attempt] = (await test.call('GET', `/management/events/${id}`)).body.deliveries;
    expect(attempt.error).toMatch(/^no response: /);
    expect(attempt).not.toHaveProperty('status');
  });

  it('are paginated and filtered by transaction and by state, for their merchant alone', async () => {
    const { test, receiver, decline } = await startEndpoint(await open());
    const delivered = [await decline(), await decline()];
    receiver.respondWith(status(500));
    const waiting = [await decline()];
    receiver.respondWith(status(410));
    const failed = [await decline()];
    const other = await test.addMerchant('Other');
    const list = async (query: string, { call } = test as Pick<typeof other, 'call'>) =>
      (await call('GET', `/management/events${query}`)).body;
    const ids = (page: { data: { transaction_id: string }[] }) => page.data.map((event) => event.transaction_id).sort();
    expect(ids(await list('?state=delivered'))).toEqual(delivered.toSorted());
    // The 410 has stopped all webhooks to the same URL.
    expect(ids(await list('?state=stopped'))).toEqual([...waiting, ...failed].sort());
    expect(await list('?state=waiting')).toEqual({ data: [] });
    expect(ids(await list(`?transaction_id=${failed[0]}`))).toEqual(failed);
    const first = await list('?limit=3');
    const second = await list(`?limit=3&cursor=${first.next_cursor}`);
    expect([first.data.length, second.data.length, second.next_cursor]).toEqual([3, 1, undefined]);
    expect(ids({ data: [...first.data, ...second.data] })).toEqual([...delivered, ...waiting, ...failed].sort());
    expect(await list('', other)).toEqual({ data: [] });
    expect(await list(`?transaction_id=${failed[0]}`, other)).toEqual({ data: [] });
    const { id } = first.data[0];
    for (const [method, path] of [
      ['GET', `/management/events/${id}`],
      ['POST', `/management/events/${id}/resend`],
    ] as const) {
      expect((await other.call(method, path)).status).toBe(404);
    }
  });
});

describeOnEachStore('a resent event', (open) => {
  it('has the same id and body, signed at the time of the new attempt', async () => {
    const { test, receiver, decline, verdicts } = await startEndpoint(await open());
    await decline();
    test.clock.advance(60_000);
    const [{ id }] = (await test.call('GET', '/management/events')).body.data;
    expect((await test.call('POST', `/management/events/${id}/resend`)).status).toBe(200);
    await test.gateway.idle();
    const [first, second] = receiver.requests;
    expect(second).toMatchObject({ body: first?.body, headers: { 'webhook-id': id } });
    expect(Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp'])).toBe(60);
    expect(await verdicts()).toEqual(['valid', 'valid']);
    const listed = (await test.call('GET', '/management/events')).body.data;
    expect(listed).toEqual([expect.objectContaining({ id, attempts: 2, state: 'delivered' })]);
  });

  it('keeps the time of its next attempt if it fails again, and has none once delivered', async () => {
    const { test, receiver, decline } = await startEndpoint(await open(), status(500));
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
    await test.call('POST', '/sandbox/clock/advance', { by: '1d' });
    expect(receiver.requests).toHaveLength(3);
  });

  it('reaches a URL that has responded 410, and resumes its deliveries', async () => {
    const { test, receiver, decline } = await startEndpoint(await open(), status(410));
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

describeOnEachStore('a replay', (open) => {
  it('resends only undelivered webhooks', async () => {
    const { test, receiver, decline } = await startEndpoint(await open());
    await decline();
    receiver.respondWith(status(500));
    const undelivered = [await decline(), await decline()];
    receiver.respondWith(status(204));
    const other = await test.addMerchant('Other');
    const replay = async (call = test.call) =>
      (await call('POST', '/management/events/replay', { since: new Date(0).toISOString(), state: 'undelivered' }))
        .body;
    expect(await replay(other.call)).toEqual({ events: 0 });
    expect(await replay()).toEqual({ events: 2 });
    await test.gateway.idle();
    const again = receiver.requests.slice(3).map(({ body }) => JSON.parse(body).transaction_id);
    expect(again.sort()).toEqual(undelivered.sort());
    expect(await replay()).toEqual({ events: 0 });
  });

  it("sends all events since a time by the merchant's clock", async () => {
    const { test, receiver, decline } = await startEndpoint(await open());
    await decline();
    await test.call('POST', '/sandbox/clock/advance', { by: '2h' });
    const since = (await test.call('GET', '/sandbox/clock')).body.now;
    const newer = await decline();
    expect((await test.call('POST', '/management/events/replay', { since, state: 'all' })).body).toEqual({ events: 1 });
    await test.gateway.idle();
    expect(receiver.requests.map(({ body }) => JSON.parse(body).transaction_id).slice(1)).toEqual([newer, newer]);
  });

  it('sends at most 10,000 events, oldest first', async () => {
    const store = await open();
    const { test, decline } = await startEndpoint(store);
    const transaction = await decline();
    await store.unit((db) =>
      db.run(
        `insert into events (id, merchant_id, transaction_id, url, address, body, created_at, attempts)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < 10050)
         select 'evt_1' || (100000 + i), merchant_id, transaction_id, url, address, body, created_at, 1 from events, n
         where transaction_id = ?`,
        transaction,
      ),
    );
    await test.call('POST', '/sandbox/clock/freeze');
    const { body } = await test.call('POST', '/management/events/replay', {
      since: new Date(0).toISOString(),
      state: 'undelivered',
    });
    expect(body).toEqual({ events: 10_000 });
    await store.unit((db) => db.run('delete from events where resend_of is not null'));
  });
});

describeOnEachStore('samples', (open) => {
  it("are one of each webhook, signed with the merchant's secret", async () => {
    const { test, receiver, verdicts } = await startEndpoint(await open(), respondWith(202, 'taken'));
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
    const { test } = await startEndpoint(await open());
    const send = (body: object) => test.call('POST', '/sandbox/events/samples', body);
    const refused = await send({ url: 'http://169.254.169.254/latest', events: ['payoutFailed'] });
    expect(refused.body.data).toEqual([
      { event: 'payoutFailed', attempt: expect.objectContaining({ error: expect.stringContaining('is refused') }) },
    ]);
    expect((await send({ url: 'ftp://shop.test/', events: ['payoutFailed'] })).body.violations[0].pointer).toBe('/url');
    const unknown = await send({ url: 'http://127.0.0.1/', events: ['payoutDone'] });
    expect(unknown.body.violations).toEqual([
      expect.objectContaining({ pointer: '/events/0', message: expect.stringContaining('payoutFailed') }),
    ]);
  });

  it('are sent one request at a time', async () => {
    const { test, receiver } = await startEndpoint(await open(), hang);
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

describeOnEachStore('the rotation of the signing secret', (open) => {
  it("signs with both secrets until the old one expires by the merchant's clock", async () => {
    const { test, receiver, decline, verdicts } = await startEndpoint(await open());
    await decline();
    const { body } = await test.call('POST', `/management/merchants/${test.merchant.id}/signing-secrets/rotate`, {
      overlap: '10m',
    });
    expect(Date.parse(body.previous_expires_at) - test.clock.now()).toBe(600_000);
    await decline();
    expect(await verdicts()).toEqual(['valid', 'valid']);
    expect(await verdicts(body.secret)).toEqual(['NO_MATCH', 'valid']);
    await test.call('POST', '/sandbox/clock/advance', { by: '10m' });
    await decline();
    const [, , last] = receiver.requests;
    const verdict = (secret: string) => last && judgeDelivery(last, secret, test.clock.now());
    expect([await verdict(test.secret), await verdict(body.secret)]).toEqual(['NO_MATCH', 'valid']);
  });
});

it('an operator can resend an event immediately while the clock is frozen', async () => {
  const { test, decline, receiver } = await startEndpoint(await openTestSqlite());
  const operator = await addOperator(test);
  await test.call('POST', '/sandbox/clock/advance', { by: '3d' });
  await test.call('POST', '/sandbox/clock/freeze');
  await decline();
  const { body } = await operator.call('GET', '/management/events');
  await operator.call('POST', `/management/events/${body.data[0].id}/resend`);
  await test.gateway.idle();
  expect(receiver.requests).toHaveLength(2);
});
