import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../harness.ts';
import type { Respond } from '../webhooks/receiver.ts';
import { judgeDelivery, startEndpoint } from './webhooks.ts';

/** An endpoint, and a rule for its webhooks. */
async function start(rule: object, respond?: Respond) {
  const endpoint = await startEndpoint(respond);
  const { test, receiver } = endpoint;
  const add = async (added: object): Promise<string> => {
    const { status: code, body } = await test.call('POST', '/sandbox/webhook-faults', added);
    expect(code).toBe(201);
    return body.id;
  };
  return {
    ...{ ...endpoint, add, id: await add(rule) },
    /** How many deliveries have arrived. */
    arrived: () => receiver.requests.length,
    /** The attempts to deliver the event of a transaction. */
    async attempts(transaction: string) {
      const [{ id }] = (await test.call('GET', `/management/events?transaction_id=${transaction}`)).body.data;
      return (await test.call('GET', `/management/events/${id}`)).body.deliveries;
    },
  };
}

describe('a webhook fault', () => {
  it('duplicate sends an event twice with the same id and signature', async () => {
    const { receiver, decline, verdicts, attempts } = await start({ fault: 'duplicate' });
    const transaction = await decline();
    const [first, second] = receiver.requests;
    expect(second).toEqual(first);
    expect(await verdicts()).toEqual(['valid', 'valid']);
    const faults = (await attempts(transaction)).map(({ fault }: { fault?: string }) => fault);
    expect(faults).toEqual([undefined, 'duplicate']);
  });

  it("delay waits by the merchant's clock", async () => {
    const { decline, advance, arrived } = await start({ fault: 'delay', delay: '10m' });
    await decline();
    await advance('599s');
    expect(arrived()).toBe(0);
    await advance('1s');
    expect(arrived()).toBe(1);
  });

  it('reorder swaps each pair of consecutive events of an address, and sends the last one after five seconds', async () => {
    const { receiver, decline, advance, arrived } = await start({ fault: 'reorder' });
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.push(await decline());
    expect(arrived()).toBe(4);
    await advance('5s');
    const sent = receiver.requests.map(({ body }) => JSON.parse(body).transaction_id);
    expect(sent).toEqual([1, 0, 3, 2, 4].map((index) => made[index]));
  });

  it('drop loses the first attempts, which count as failed', async () => {
    const { decline, advance, arrived, attempts } = await start({ fault: 'drop', attempts: 2 });
    const transaction = await decline();
    await advance('1h');
    expect(arrived()).toBe(1);
    expect(await attempts(transaction)).toMatchObject([
      { fault: 'drop', error: 'not sent: dropped by a webhook fault', request_headers: {} },
      { fault: 'drop' },
      { status: 204 },
    ]);
  });

  it.each([
    ['wrong_signature', 'NO_MATCH'],
    ['missing_signature', 'HEADER_MISSING'],
    ['stale_timestamp', 'TIMESTAMP_STALE'],
    ['rotated_secret', 'NO_MATCH'],
  ])('%s is refused by receivers with %s, and the next attempt is genuine', async (fault, code) => {
    const respond: Respond = (response, _received, count) => response.writeHead(count === 1 ? 400 : 204).end();
    const { test, receiver, decline, advance, verdicts, attempts } = await start({ fault }, respond);
    const transaction = await decline();
    expect(await verdicts()).toEqual([code]);
    await test.call('POST', '/sandbox/clock/freeze');
    await advance('10s');
    const [, second] = receiver.requests;
    expect(second && (await judgeDelivery(second, test.secret, test.clock.now()))).toBe('valid');
    const faults = (await attempts(transaction)).map((one: { fault?: string }) => one.fault);
    expect(faults).toEqual([fault, undefined]);
  });

  it('rotated_secret signs with the expired secret of the last rotation', async () => {
    const { test, decline, verdicts } = await start({ fault: 'rotated_secret' });
    const path = `/management/merchants/${test.merchant.id}/signing-secrets/rotate`;
    const rotated = await test.call('POST', path, { overlap: '0s' });
    await decline();
    expect(await verdicts()).toEqual(['valid']);
    expect(await verdicts(rotated.body.secret)).toEqual(['NO_MATCH']);
  });

  it('affects the given number of events, each in its first attempts, and then ends', async () => {
    const { test, id, decline, advance, arrived } = await start({ fault: 'drop', events: 2, attempts: 2 });
    const list = async () => (await test.call('GET', '/sandbox/webhook-faults')).body.data;
    await decline();
    expect(await list()).toEqual([{ id, fault: 'drop', attempts: 2, events_left: 1 }]);
    await decline();
    expect(await list()).toEqual([]);
    await decline();
    expect(arrived()).toBe(1);
    await advance('30s');
    expect(arrived()).toBe(1);
    await advance('10m');
    expect(arrived()).toBe(3);
  });

  it('affects only its address or transaction, and only its merchant', async () => {
    const { test, receiver, add, decline, arrived } = await start({ fault: 'drop', address: 'http://127.0.0.1:9/any' });
    const other = await test.addMerchant('Other');
    await decline();
    expect(arrived()).toBe(1);
    await add({ fault: 'drop', transaction_id: 'pay_other' });
    await decline();
    expect(arrived()).toBe(2);
    await add({ fault: 'drop', address: receiver.address });
    await decline();
    expect(arrived()).toBe(2);
    await decline(other);
    expect(arrived()).toBe(3);
    expect((await other.call('GET', '/sandbox/webhook-faults')).body.data).toEqual([]);
  });

  it('ends when removed, and releases its delayed webhooks', async () => {
    const { test, id, add, decline, advance, arrived } = await start({ fault: 'reorder' });
    const remove = (one = '') => test.call('DELETE', `/sandbox/webhook-faults${one}`);
    await decline();
    expect((await remove(`/${id}`)).status).toBe(204);
    await test.gateway.idle();
    expect(arrived()).toBe(1);
    await add({ fault: 'drop', attempts: 1_000 });
    await decline();
    expect((await remove()).status).toBe(204);
    await advance('10s');
    expect(arrived()).toBe(2);
    expect(await remove(`/${id}`)).toMatchObject({ status: 404, body: { detail: expect.stringContaining(id) } });
  });

  it.each([
    [{ fault: 'delay', delay: '25h' }, '/delay'],
    [{ fault: 'drop', delay: '1s' }, '/delay'],
    [{ fault: 'drop', address: 'mailto:shop' }, '/address'],
  ])('is refused as %j', async (rule, pointer) => {
    const { call } = await startTestGateway({ sandbox: true });
    const { status: code, body } = await call('POST', '/sandbox/webhook-faults', rule);
    expect([code, body.violations]).toEqual([400, [expect.objectContaining({ pointer })]]);
  });
});
