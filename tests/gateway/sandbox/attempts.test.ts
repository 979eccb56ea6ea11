import { expect, it } from 'vitest';
import { deleteSettledEvents } from '../../../gateway/src/transactions/retention.ts';
import { ATTEMPTS_KEPT, readAttempts, recordAttempts } from '../../../gateway/src/webhooks/attempts.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { describeOnEachStore } from '../harness/stores.ts';
import { addEvents, addSigningMerchant, readEvents } from '../webhooks/deliveries.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { startEndpoint } from './webhooks.ts';

const attempt = (status: number) => ({ at: START, durationMs: 5, requestHeaders: { 'x-a': 'b' }, status });

describeOnEachStore('attempts', (open) => {
  it('are numbered per event, up to a hundred, and dropped for a deleted event', async () => {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    await addEvents(store, merchant, ['http://a.test/', 'http://b.test/']);
    const [a = '', b = ''] = (await readEvents(store)).map(({ id }) => String(id));
    const made = [
      { eventId: a, attempts: [attempt(500), attempt(501)] },
      { eventId: 'evt_gone', attempts: [attempt(200)] },
      { eventId: b, attempts: [attempt(502)] },
      { eventId: a, attempts: [attempt(200)] },
    ];
    await store.unit((db) => recordAttempts(db, made));
    const statuses = async (id: string) =>
      (await readAttempts(store.read, id)).map(({ number, status }) => [number, status]);
    expect(await statuses(a)).toEqual([
      [1, 500],
      [2, 501],
      [3, 200],
    ]);
    expect(await statuses(b)).toEqual([[1, 502]]);
    const many = [{ eventId: b, attempts: Array.from({ length: ATTEMPTS_KEPT + 5 }, () => attempt(204)) }];
    await store.unit((db) => recordAttempts(db, many));
    expect(await statuses(b)).toHaveLength(ATTEMPTS_KEPT);
  });

  it('are deleted together with their event', async () => {
    const store = await open();
    const { decline } = await startEndpoint(store);
    await decline();
    expect(await store.read.all('select event_id from webhook_attempts')).toHaveLength(1);
    await store.unit((db) => deleteSettledEvents(db, START + 1_000, 10));
    expect(await store.read.all('select event_id from webhook_attempts')).toEqual([]);
  });

  it('are not stored by a gateway without a sandbox', async () => {
    const store = await open();
    const receiver = await startReceiver();
    const test = await startTestGateway({ store, callbackAllow: ['127.0.0.0/8'] });
    const customer = { id: 'decline-BANK_REJECTED' };
    await test.call('POST', '/payments', paymentRequest({ callback_url: receiver.address, customer }));
    await test.gateway.idle();
    expect(receiver.requests).toHaveLength(1);
    expect(await store.read.all('select event_id from webhook_attempts')).toEqual([]);
  });
});
