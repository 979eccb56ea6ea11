/** Webhooks of a live gateway as operators see them, and send them again. */
import { describe, expect, it } from 'vitest';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { eventsToResend, resendEvents } from '../../../gateway/src/webhooks/resends.ts';
import { START } from '../harness/fixtures.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import { judgeDelivery } from '../sandbox/webhooks.ts';
import { hang, type Respond, status } from '../webhooks/receiver.ts';
import { type OperatedGateway, startOperated } from './operator.ts';

/** Gives up the waiting events, as after their last attempt. */
async function giveUp({ test }: OperatedGateway): Promise<void> {
  await test.gateway.store.unit((db) => db.run('update events set next_at = null where next_at is not null'));
  test.clock.advance(1_000);
}

async function firstEvent({ operator }: OperatedGateway, query = '') {
  return (await operator.call('GET', `/management/events${query}`)).body.data[0];
}

it('an event of a live gateway has every attempt with its time and result, and neither headers nor bodies of the exchange', async () => {
  const respond: Respond = (response) => response.writeHead(500).end('customer Asha Rao is unknown');
  const operated = await startOperated(await openTestSqlite(), { respond });
  const { test, operator, receiver, decline } = operated;
  await decline();
  const began = test.clock.now();
  receiver.respondWith((response) => response.socket?.resetAndDestroy());
  test.clock.advance(6_000);
  await test.gateway.idle();
  receiver.respondWith(status(204));
  test.clock.advance(6 * 60_000);
  await test.gateway.idle();
  const { id } = await firstEvent(operated);
  const { body, text } = await operator.call('GET', `/management/events/${id}`);
  expect(body).toMatchObject({ state: 'delivered', attempts: 3, last_result: 'responded 204', status: 'FAILED' });
  expect(body.body).toBe(receiver.requests[0]?.body);
  expect(body.deliveries).toEqual([
    { number: 1, at: new Date(began).toISOString(), duration_ms: expect.any(Number), status: 500 },
    expect.objectContaining({ number: 2, error: expect.stringMatching(/^no response: /) }),
    expect.objectContaining({ number: 3, status: 204, at: new Date(began + 366_000).toISOString() }),
  ]);
  expect(text).not.toContain('Asha Rao');
  expect(await test.gateway.store.read.all('select event_id from webhook_attempts')).toEqual([]);
});

describeOnEachStore('the list of events', (open) => {
  it('finds events by state, merchant, transaction and time, page by page', async () => {
    const operated = await startOperated(await open());
    const { test, operator, receiver, decline } = operated;
    const other = await test.addMerchant('Other');
    const delivered = await decline();
    receiver.respondWith(status(500));
    const givenUp = await decline();
    await giveUp(operated);
    const time = new Date(test.clock.now()).toISOString();
    const waiting = await decline(other);
    test.clock.advance(1_000);
    receiver.respondWith(status(410));
    const gone = { callback_url: `${receiver.address}/gone` };
    const stopped = [await decline(undefined, gone), await decline(undefined, gone)].toReversed();
    const list = async (query: string) => (await operator.call('GET', `/management/events?${query}`)).body;
    const own = `merchant_id=${test.merchant.id}`;
    for (const [query, found] of [
      ['state=delivered', [delivered]],
      [`state=delivered&${own}`, [delivered]],
      ['state=given_up', [givenUp]],
      [`state=given_up&${own}`, [givenUp]],
      ['state=waiting', [waiting]],
      [`state=waiting&${own}`, []],
      ['state=stopped', stopped],
      [`state=stopped&${own}`, stopped],
      [`merchant_id=${other.merchant.id}`, [waiting]],
      [`transaction_id=${givenUp}`, [givenUp]],
      [`created_from=${time}`, [...stopped, waiting]],
      [`created_before=${time}`, [givenUp, delivered]],
    ] as const)
      expect((await list(query)).data, query).toMatchObject(found.map((transaction_id) => ({ transaction_id })));
    const page = await list('limit=3');
    expect(page.data).toMatchObject([{ state: 'stopped' }, { state: 'stopped' }, { state: 'waiting' }]);
    expect((await list(`limit=3&cursor=${page.next_cursor}`)).data).toMatchObject([
      { transaction_id: givenUp, state: 'given_up' },
      { transaction_id: delivered, state: 'delivered' },
    ]);
    expect((await list('created_from=yesterday')).violations).toMatchObject([{ pointer: '/created_from' }]);
  });
});

describeOnEachStore('an event that an operator resends', (open) => {
  it('is resent until it has a hundred attempts, even by concurrent requests', async () => {
    const operated = await startOperated(await open());
    const { test, operator, receiver, decline } = operated;
    await decline();
    const log = Array(90).fill(JSON.stringify([test.clock.now(), 5, 'no response within 15 s']));
    await test.gateway.store.unit((db) => db.run('update events set attempt_log = ?', log.join(',')));
    const { id } = await firstEvent(operated);
    receiver.respondWith(hang);
    const resend = (event = id) => operator.call('POST', `/management/events/${event}/resend`);
    const answers = await Promise.all(Array.from({ length: 15 }, () => resend()));
    expect(answers.filter(({ status: code }) => code === 200)).toHaveLength(10);
    expect(await resend()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('100 times') } });
    expect((await resend('evt_unknown')).status).toBe(404);
    expect(await test.gateway.store.read.all('select id from operator_changes')).toHaveLength(10);
  });
});

it('a resend has the same id and body and a new signature, and is recorded', async () => {
  const operated = await startOperated(await openTestSqlite());
  const { test, operator, receiver, decline } = operated;
  await decline();
  test.clock.advance(60_000);
  const { id } = await firstEvent(operated);
  const resent = await operator.call('POST', `/management/events/${id}/resend`);
  expect(resent).toMatchObject({ status: 200, body: { id, attempts: 1 } });
  await test.gateway.idle();
  const [first, second] = receiver.requests;
  expect(receiver.requests).toHaveLength(2);
  expect(second).toMatchObject({ body: first?.body, headers: { 'webhook-id': id } });
  expect(second && (await judgeDelivery(second, test.secret, test.clock.now()))).toBe('valid');
  expect((await operator.call('GET', `/management/events/${id}`)).body.deliveries).toHaveLength(2);
  expect((await operator.call('GET', '/management/changes')).body.data).toEqual([
    {
      ...{ id: expect.stringMatching(/^chg_/), at: new Date(test.clock.now()).toISOString() },
      ...{ operator_id: operator.id, operator: operator.name },
      ...{ action: 'resendEvent', merchant_id: test.merchant.id, subject: id },
    },
  ]);
});

describeOnEachStore('a replay by an operator', (open) => {
  it('sends undelivered events since a time again, of all merchants, of one, or for one URL', async () => {
    const operated = await startOperated(await open(), { respond: status(500) });
    const { test, operator, receiver, decline } = operated;
    const other = await test.addMerchant('Other');
    const elsewhere = { callback_url: `${receiver.address}/elsewhere?token=hush` };
    await decline();
    await giveUp(operated);
    const since = new Date(test.clock.now()).toISOString();
    const givenUp = [await decline(), await decline(other), await decline(undefined, elsewhere)];
    await giveUp(operated);
    const waiting = await decline();
    const untried = await decline(undefined, { callback_url: `${receiver.address}/untried` });
    await test.gateway.store.unit((db) => db.run('update events set attempts = 0 where transaction_id = ?', untried));
    const made = receiver.requests.length;
    const replay = async (request: object) => {
      const { body } = await operator.call('POST', '/management/events/replay', { since, ...request });
      await test.gateway.idle();
      return body;
    };
    const ids = () => receiver.requests.slice(made).map(({ body }) => JSON.parse(body).transaction_id);
    expect(await replay({ merchant_id: other.merchant.id })).toEqual({ events: 1, waiting: 0 });
    expect(ids()).toEqual([givenUp[1]]);
    expect(await replay({ url: elsewhere.callback_url })).toEqual({ events: 1, waiting: 0 });
    expect(ids()).toEqual([givenUp[1], givenUp[2]]);
    receiver.respondWith(status(204));
    expect(await replay({})).toEqual({ events: 4, waiting: 1 });
    expect(ids().slice(2).sort()).toEqual([...givenUp, waiting].toSorted());
    expect(await replay({})).toEqual({ events: 0, waiting: 0 });
    expect((await replay({ since: '2026-02-30T09:00:00Z' })).violations).toMatchObject([{ pointer: '/since' }]);
    expect((await replay({ merchant_id: 99_999 })).violations).toMatchObject([{ pointer: '/merchant_id' }]);
    const { data } = (await operator.call('GET', '/management/changes')).body;
    expect(data.map(({ subject }: { subject: string }) => subject).toReversed()).toEqual([
      `undelivered since ${since}`,
      `undelivered since ${since} at ${receiver.address}`,
      `undelivered since ${since}`,
      `undelivered since ${since}`,
    ]);
    const mine = await operator.call('GET', `/management/changes?merchant_id=${other.merchant.id}`);
    expect(mine.body.data).toEqual([expect.objectContaining({ action: 'replayEvents' })]);
  });

  it('sends each event once, even for concurrent replays', async () => {
    const operated = await startOperated(await open(), { respond: status(500) });
    const { test, operator, receiver, decline } = operated;
    const since = new Date(test.clock.now()).toISOString();
    for (let count = 0; count < 3; count += 1) await decline();
    await giveUp(operated);
    receiver.respondWith(status(204));
    const made = receiver.requests.length;
    const replays = await Promise.all(
      Array.from({ length: 3 }, () => operator.call('POST', '/management/events/replay', { since })),
    );
    await test.gateway.idle();
    expect(replays.reduce((sum, { body }) => sum + body.events, 0)).toBe(3);
    expect(receiver.requests).toHaveLength(made + 3);
  });
});

describe('a replay by one operator', () => {
  it('leaves out events that another replay is sending or has delivered', async () => {
    const operated = await startOperated(await openTestSqlite(), { respond: status(500) });
    const { test, decline } = operated;
    for (const _ of [1, 2]) await decline();
    await giveUp(operated);
    const { store } = test.gateway;
    const select = () => eventsToResend(store.read, { state: 'undelivered' }, { after: '', limit: 3 });
    const resend = (id = '') => {
      const options = { now: START, due: test.clock.now() + 1_000, ids: randomIds, waitingMax: 1 };
      return store.unit((db) => resendEvents(db, test.merchant.id, [id], { ...options, state: 'undelivered' }));
    };
    const [first, second] = await select();
    await resend(first?.id);
    expect(await select()).toEqual([second]);
    await store.unit((db) => db.run('update events set delivered_at = ? where id = ?', START, second?.id ?? ''));
    expect(await resend(second?.id)).toEqual([]);
  });

  it('leaves out abandoned events whose URL has been stopped since, whatever a resend resulted in', async () => {
    const operated = await startOperated(await openTestSqlite(), { respond: status(500) });
    const { test, operator, receiver, decline } = operated;
    const since = new Date(test.clock.now()).toISOString();
    await decline();
    await giveUp(operated);
    receiver.respondWith(status(410));
    await decline();
    const stopped = (await operator.call('GET', '/management/events?state=stopped')).body.data[0];
    receiver.respondWith(status(500));
    expect((await operator.call('POST', `/management/events/${stopped.id}/resend`)).status).toBe(200);
    await test.gateway.idle();
    expect((await operator.call('GET', `/management/events/${stopped.id}`)).body.state).toBe('stopped');
    expect((await operator.call('POST', '/management/events/replay', { since })).body).toEqual({
      events: 0,
      waiting: 0,
    });
    expect((await operator.call('GET', '/management/stopped-urls')).body.data).toHaveLength(1);
  });
});

describeOnEachStore('stopped callback URLs', (open) => {
  it('are listed page by page, of all merchants or of one, with the event that got the 410 or the operator', async () => {
    const { test, operator, receiver, decline } = await startOperated(await open(), { respond: status(410) });
    const other = await test.addMerchant('Other');
    await decline();
    test.clock.advance(1_000);
    await decline(other);
    const url = `${receiver.address}/hook`;
    const first = (await operator.call('GET', '/management/stopped-urls?limit=1')).body;
    const second = (await operator.call('GET', `/management/stopped-urls?limit=1&cursor=${first.next_cursor}`)).body;
    const [newer, older] = (await operator.call('GET', '/management/events')).body.data;
    const stopped = [...first.data, ...second.data];
    expect(stopped).toEqual([
      { merchant_id: test.merchant.id, url, event_id: older.id, stopped_at: older.created_at },
      { merchant_id: other.merchant.id, url, event_id: newer.id, stopped_at: newer.created_at },
    ]);
    expect(second).not.toHaveProperty('next_cursor');
    const body = { merchant_id: other.merchant.id, url, reason: 'The shop has closed' };
    expect((await operator.call('POST', '/management/stopped-urls/stop', body)).status).toBe(204);
    const own = await operator.call('GET', `/management/stopped-urls?merchant_id=${other.merchant.id}`);
    expect(own.body.data).toMatchObject([{ url, stopped_by: { name: operator.name } }]);
  });
});

describe('a stopped URL', () => {
  it('gets new events again once it is resumed, and its stopped ones by a replay on request', async () => {
    const { test, operator, receiver, decline } = await startOperated(await openTestSqlite(), { respond: status(410) });
    await decline();
    receiver.respondWith(status(204));
    await decline();
    expect(receiver.requests).toHaveLength(1);
    const body = { merchant_id: test.merchant.id, url: `${receiver.address}/hook` };
    expect((await operator.call('POST', '/management/stopped-urls/resume', body)).status).toBe(204);
    await decline();
    expect(receiver.requests).toHaveLength(2);
    const since = new Date(0).toISOString();
    const replay = async (state?: string) =>
      (await operator.call('POST', '/management/events/replay', { since, state })).body.events;
    expect([await replay(), await replay('stopped')]).toEqual([0, 2]);
    await test.gateway.idle();
    expect(receiver.requests).toHaveLength(4);
    const again = await operator.call('POST', '/management/stopped-urls/resume', body);
    expect(again).toMatchObject({ status: 404, body: { detail: expect.stringContaining('List the stopped URLs.') } });
    const { data } = (await operator.call('GET', '/management/changes')).body;
    expect(data).toMatchObject([
      ...[{ action: 'replayEvents' }, { action: 'replayEvents' }],
      { action: 'resumeUrl', subject: receiver.address, merchant_id: test.merchant.id },
    ]);
  });

  it('can be stopped by an operator, so that all that waits is kept', async () => {
    const { test, operator, receiver, decline } = await startOperated(await openTestSqlite(), { respond: status(500) });
    await decline();
    const url = `${receiver.address}/hook`;
    const body = { merchant_id: test.merchant.id, url, reason: 'Ticket 4711' };
    const stop = (changes: object = {}) =>
      operator.call('POST', '/management/stopped-urls/stop', { ...body, ...changes });
    expect((await stop({ url: `${url}/other` })).status).toBe(404);
    expect([(await stop()).status, (await stop()).status]).toEqual([204, 409]);
    receiver.respondWith(status(204));
    await decline();
    test.clock.advance(86_400_000);
    await test.gateway.idle();
    expect(receiver.requests).toHaveLength(1);
    const { data } = (await operator.call('GET', '/management/stopped-urls')).body;
    expect(data).toEqual([expect.objectContaining({ url, stopped_by: { id: operator.id, name: operator.name } })]);
    const stopped = (await operator.call('GET', '/management/events?state=stopped')).body.data;
    expect(stopped).toHaveLength(2);
    // One that an operator sends anyway doesn't resume the others.
    await operator.call('POST', `/management/events/${stopped[0].id}/resend`);
    await test.gateway.idle();
    expect(receiver.requests).toHaveLength(2);
    const resent = await operator.call('GET', `/management/events/${stopped[0].id}`);
    expect(resent.body).toMatchObject({ state: 'delivered', last_result: 'responded 204' });
    expect((await operator.call('GET', '/management/stopped-urls')).body.data).toHaveLength(1);
    const changes = (await operator.call('GET', '/management/changes')).body.data;
    expect(changes.at(-1)).toMatchObject({ action: 'stopUrl', subject: receiver.address, reason: 'Ticket 4711' });
  });
});
