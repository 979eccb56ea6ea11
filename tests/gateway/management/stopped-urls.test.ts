import { expect, it } from 'vitest';
import { describeOnEachStore } from '../harness/stores.ts';
import { status } from '../webhooks/receiver.ts';
import { startOperated } from './operator.ts';

describeOnEachStore('stopped callback URLs', (open) => {
  it('are listed page by page, of all merchants or of one, with the event that got the 410', async () => {
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
    const own = await operator.call('GET', `/management/stopped-urls?merchant_id=${other.merchant.id}`);
    expect(own.body.data).toEqual([stopped[1]]);
  });

  it('get events again once they are resumed, which is recorded', async () => {
    const { test, operator, receiver, decline } = await startOperated(await open(), { respond: status(410) });
    await decline();
    receiver.respondWith(status(204));
    await decline();
    expect(receiver.requests).toHaveLength(1);
    const body = { merchant_id: test.merchant.id, url: `${receiver.address}/hook` };
    expect((await operator.call('POST', '/management/stopped-urls/resume', body)).status).toBe(204);
    await decline();
    expect(receiver.requests).toHaveLength(2);
    const again = await operator.call('POST', '/management/stopped-urls/resume', body);
    expect(again).toMatchObject({ status: 404, body: { detail: expect.stringContaining('List the stopped URLs.') } });
    const { data } = (await operator.call('GET', '/management/changes')).body;
    expect(data).toEqual([
      expect.objectContaining({ action: 'resumeUrl', subject: receiver.address, merchant_id: test.merchant.id }),
    ]);
  });

  it('can be stopped by an operator, so that all that waits is kept until it is resumed and replayed', async () => {
    const { test, operator, receiver, decline } = await startOperated(await open(), { respond: status(500) });
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
    expect((await operator.call('GET', '/management/stopped-urls')).body.data).toHaveLength(1);
    await operator.call('POST', '/management/stopped-urls/resume', { merchant_id: test.merchant.id, url });
    const since = new Date(0).toISOString();
    const replayed = await operator.call('POST', '/management/events/replay', { since, state: 'stopped' });
    expect(replayed.body).toEqual({ events: 1 });
    await test.gateway.idle();
    expect(receiver.requests).toHaveLength(3);
    const changes = (await operator.call('GET', '/management/changes')).body.data;
    expect(changes.at(-1)).toMatchObject({ action: 'stopUrl', subject: receiver.address, reason: 'Ticket 4711' });
  });
});
