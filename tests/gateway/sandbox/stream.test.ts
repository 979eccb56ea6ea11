/** The stream of changes: events, limits and ends. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../gateway/src/database/store.ts';
import { CONSOLE_HEADER } from '../../../gateway/src/http/console-session.ts';
import type { EventStream } from '../../../gateway/src/http/event-stream.ts';
import { listApiKeys, revokeApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createConsoleSession, endConsoleSession } from '../../../gateway/src/merchants/console-access.ts';
import { disableMerchant } from '../../../gateway/src/merchants/merchants.ts';
import { Changes, Followers } from '../../../gateway/src/sandbox/changes.ts';
import { SandboxState } from '../../../gateway/src/sandbox/sandbox-state.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { afterwards } from '../harness/afterwards.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../harness/gateway.ts';
import { openTestSqlite } from '../harness/stores.ts';

const HEARTBEAT_MS = 10_000;

interface Change {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own data.
  readonly data: any;
}

type FollowedStream = Awaited<ReturnType<typeof follow>>;

/** Connects. `ended` resolves when the gateway ends the stream. */
async function follow(url: string, headers: Record<string, string>) {
  const stopped = new AbortController();
  const stop = async () => stopped.abort();
  afterwards(stop);
  const response = await fetch(`${url}/management/stream`, { headers, signal: stopped.signal });
  if (response.status !== 200 || !response.body) throw new Error(`the stream got ${response.status}`);
  let text = '';
  let isOpen = true;
  const read = async (body: ReadableStream<Uint8Array>) => {
    for await (const part of body.pipeThrough(new TextDecoderStream())) text += part;
    isOpen = false;
  };
  const ended = read(response.body);
  ended.catch(() => undefined);
  return {
    ...{ ended, stop, isOpen: () => isOpen },
    beats: () => text.split('\n').filter((line) => line.startsWith(':')).length,
    changes: (): Change[] =>
      [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, type = '', data = '']) => {
        return { type, data: JSON.parse(data) };
      }),
  };
}

/** A gateway, and a stream of its merchant. */
async function startFollowed(options: TestGatewayOptions = {}) {
  const test = await startTestGateway({ sandbox: true, ...options, clock: new ManualClock(START) });
  const url = await test.gateway.listen({ port: 0 });
  return { test, url, stream: await follow(url, { authorization: `Bearer ${test.key}` }) };
}

describe('the stream of changes', () => {
  it('reports transactions, events, attempts, requests and settings', async () => {
    const { test, stream } = await startFollowed();
    const body = paymentRequest({ callback_url: 'https://127.0.0.1:9/hook', customer: { id: 'decline-KYC_BLOCKED' } });
    const created = await test.call('POST', '/payments', body);
    await test.gateway.idle();
    await test.call('PUT', '/sandbox/channels/payment/UPI_IN', { condition: 'down' });
    const transaction_id = created.body.transaction_id;
    const seen = (type: string, data?: object) =>
      expect
        .poll(stream.changes)
        .toContainEqual({ type, data: expect.objectContaining(data ? { transaction_id, ...data } : {}) });
    await seen('transaction', { kind: 'payment', status: 'FAILED' });
    await seen('event', { status: 'FAILED', state: 'waiting' });
    await seen('attempt', { number: 1, outcome: expect.any(String) });
    await seen('request', { id: created.headers['x-request-id'], status: 200 });
    await seen('settings');
    const event = stream.changes().find(({ type }) => type === 'event');
    expect((await test.call('GET', `/management/events/${event?.data.id}`)).status).toBe(200);
  });

  it('omits events of other merchants', async () => {
    const { test, stream } = await startFollowed();
    const other = await test.addMerchant('Other');
    await other.call('POST', '/payments', paymentRequest());
    await other.call('POST', '/sandbox/clock/freeze');
    await test.gateway.idle();
    await test.call('GET', '/merchant/balance');
    const changes = () => stream.changes().filter(({ type }) => type !== 'open');
    await expect.poll(changes).toMatchObject([{ type: 'request', data: { operation: 'getBalance' } }]);
  });

  it('ends when the gateway drains, and refuses new clients', async () => {
    const { test, url, stream } = await startFollowed();
    await test.gateway.drain(0);
    await stream.ended;
    expect(stream.changes()).toMatchObject([{ type: 'open' }]);
    await expect(follow(url, { authorization: `Bearer ${test.key}` })).rejects.toThrow('the stream got 503');
  });
});

/** A gateway whose merchant follows a stream by key, and one in a session of the console. */
async function start() {
  const { test, url, stream: byKey } = await startFollowed();
  const { store } = test.gateway;
  const { token = '' } = (await store.unit((db) => createConsoleSession(db, { key: test.key }, START))) ?? {};
  const cookie = `console-${new URL(url).port}=${token}`;
  return { test, store, byKey, bySession: await follow(url, { [CONSOLE_HEADER]: '1', cookie }), token };
}

/** Advances by a heartbeat, at which the streams end. */
async function untilEnded({ clock }: TestGateway, streams: readonly FollowedStream[]) {
  clock.advance(HEARTBEAT_MS);
  await Promise.all(streams.map(({ ended }) => ended));
  expect(streams.map(({ isOpen }) => isOpen())).toEqual(streams.map(() => false));
}

describe('a stream ends at the next heartbeat', () => {
  it.each<[string, (db: Database, merchantId: number) => Promise<unknown>]>([
    [
      'key is revoked',
      async (db, id) => {
        for (const key of await listApiKeys(db, id)) await revokeApiKey(db, id, key.id, START);
      },
    ],
    ['merchant is disabled', (db, id) => disableMerchant(db, id, START)],
  ])('once its %s', async (_name, revoke) => {
    const { test, store, byKey, bySession } = await start();
    test.clock.advance(HEARTBEAT_MS);
    for (const stream of [byKey, bySession]) await expect.poll(stream.beats).toBe(1);
    await store.unit((db) => revoke(db, test.merchant.id));
    await untilEnded(test, [byKey, bySession]);
  });

  it('once another process has ended its session, while other streams continue', async () => {
    const { test, store, byKey, bySession, token } = await start();
    await store.unit((db) => endConsoleSession(db, token));
    await untilEnded(test, [bySession]);
    await expect.poll(byKey.beats).toBe(1);
    expect(byKey.isOpen()).toBe(true);
  });
});

it('a stream ends immediately when its merchant is deleted, before its data', async () => {
  const { test, byKey } = await start();
  const deleted = test.call('DELETE', '/sandbox/merchant');
  await byKey.ended;
  expect((await deleted).status).toBe(204);
});

const TOTAL_MAX = 500;

let followers: Followers;
beforeEach(() => {
  followers = new Followers(new ManualClock(START));
});
afterEach(() => followers.close());

/** Opens up to this many streams. */
function followFollowers(merchantId: number, network: string, times: number): EventStream[] {
  return Array.from({ length: times }, () =>
    followers.add({ merchantId, network, isAdmitted: async () => true }),
  ).filter((stream) => stream !== undefined);
}

it('25 merchants with all streams yield some to other merchants', () => {
  const taken = Array.from({ length: 25 }, (_, index) => followFollowers(index + 1, '192.0.2.1', 20)).flat();
  expect(taken).toHaveLength(TOTAL_MAX);
  const late = followFollowers(100, '192.0.2.1', 20);
  expect(late.length).toBeGreaterThanOrEqual(15);
  const open = [...taken, ...late].filter((stream) => !stream.isClosed);
  expect(open.length).toBeLessThanOrEqual(TOTAL_MAX);
});

it('one address with all streams, one per merchant, yields some to other addresses', () => {
  const taken = Array.from({ length: TOTAL_MAX }, (_, index) => followFollowers(index + 1, '192.0.2.1', 1)).flat();
  expect(taken).toHaveLength(TOTAL_MAX);
  expect(followFollowers(1_000, '198.51.100.1', 20)).toHaveLength(20);
  expect(followFollowers(1_001, '192.0.2.1', 1)).toHaveLength(0);
});

it('a merchant has at most 20 streams, and may open another when one ends', async () => {
  const [first, ...rest] = followFollowers(1, '192.0.2.1', 21);
  expect(rest).toHaveLength(19);
  await first?.readable.cancel();
  expect(followFollowers(1, '192.0.2.1', 2)).toHaveLength(1);
});

it('sends no event to an ended stream, which counts until its client has read the rest', async () => {
  const streams = followFollowers(1, '192.0.2.1', 20);
  followers.endMerchant(1);
  followers.send(1, 'late');
  expect(followFollowers(1, '192.0.2.1', 1)).toHaveLength(0);
  for (const stream of streams)
    expect(await stream.readable.getReader().read()).toEqual({ done: true, value: undefined });
  expect(followFollowers(1, '192.0.2.1', 20)).toHaveLength(20);
});

it("a follower that doesn't read is disconnected before much is buffered", async () => {
  const sandboxState = new SandboxState({ store: await openTestSqlite(), clock: new ManualClock(START) });
  const changes = new Changes(sandboxState, followers);
  const stream = changes.follow({ merchantId: 1, network: '192.0.2.1', isAdmitted: async () => true });
  if (!stream) throw new Error('the stream was refused');
  const attempt = { eventId: 'e'.repeat(200), merchantId: 1, transactionId: 't', attempt: 1, outcome: 'failed', ms: 1 };
  for (let sent = 0; sent < 10_000 && !stream.isClosed; sent++) changes.onAttempt(attempt);
  expect(stream.isClosed).toBe(true);
  await expect(stream.readable.getReader().read()).rejects.toThrow('the gateway closed the connection');
});
