/** A stream ends with its credentials, and its client can end it at any time. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { CONSOLE_HEADER } from '../../../gateway/src/http/console-session.ts';
import { listApiKeys, revokeApiKey } from '../../../gateway/src/merchants/api-keys.ts';
import { createConsoleSession, endConsoleSession } from '../../../gateway/src/merchants/console-access.ts';
import { disableMerchant } from '../../../gateway/src/merchants/merchants.ts';
import type { Log } from '../../../gateway/src/platform/log.ts';
import { afterwards } from '../harness/afterwards.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';

const HEARTBEAT_MS = 10_000;

async function start(log?: Log) {
  const test = await startTestGateway({ sandbox: true, ...(log && { log }) });
  await test.gateway.listen({ port: 0, host: '127.0.0.1' });
  const { port } = test.gateway.server.address() as AddressInfo;
  const { store } = test.gateway;
  const session = await store.unit((db) => createConsoleSession(db, test.key, test.clock.now()));
  if (!session) throw new Error('no session');
  const byKey = { authorization: `Bearer ${test.key}` };
  const bySession = { [CONSOLE_HEADER]: '1', cookie: `console-${port}=${session.token}` };
  const url = `http://127.0.0.1:${port}`;
  return { test, store, port, url, byKey, bySession, session: session.token };
}

/** Connects. `ended` resolves when the gateway ends the stream. */
async function follow(url: string, headers: Record<string, string>) {
  const stopped = new AbortController();
  afterwards(async () => stopped.abort());
  const response = await fetch(`${url}/management/stream`, { headers, signal: stopped.signal });
  const reader = response.body?.getReader();
  if (response.status !== 200 || !reader) throw new Error(`the stream got ${response.status}`);
  let text = '';
  let isOpen = true;
  const decoder = new TextDecoder();
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value);
    }
    isOpen = false;
  };
  const ended = read();
  ended.catch(() => undefined);
  return {
    ended,
    isOpen: () => isOpen,
    beats: () => text.split('\n').filter((line) => line.startsWith(':')).length,
  };
}

/** Advances by heartbeats until the stream has ended. */
async function untilEnded({ clock }: TestGateway, { ended, isOpen }: Awaited<ReturnType<typeof follow>>) {
  clock.advance(HEARTBEAT_MS);
  await ended;
  expect(isOpen()).toBe(false);
}

describe('a stream ends at the next heartbeat', () => {
  it('once its key is revoked', async () => {
    const { test, store, url, byKey, bySession } = await start();
    const streams = await Promise.all([follow(url, byKey), follow(url, bySession)]);
    const [key] = await listApiKeys(store.read, test.merchant.id);
    test.clock.advance(HEARTBEAT_MS);
    for (const stream of streams) await expect.poll(stream.beats).toBe(1);
    await store.unit((db) => revokeApiKey(db, test.merchant.id, key?.id ?? '', test.clock.now()));
    for (const stream of streams) await untilEnded(test, stream);
  });

  it('once its merchant is disabled', async () => {
    const { test, store, url, byKey, bySession } = await start();
    const streams = await Promise.all([follow(url, byKey), follow(url, bySession)]);
    await store.unit((db) => disableMerchant(db, test.merchant.id, test.clock.now()));
    for (const stream of streams) await untilEnded(test, stream);
  });

  it('once another process has ended its session, while other streams continue', async () => {
    const { test, store, url, byKey, bySession, session } = await start();
    const [other, stream] = await Promise.all([follow(url, byKey), follow(url, bySession)]);
    await store.unit((db) => endConsoleSession(db, session));
    await untilEnded(test, stream);
    await expect.poll(other.beats).toBe(1);
    expect(other.isOpen()).toBe(true);
  });

  it('once its session is over', async () => {
    const { test, url, bySession } = await start();
    const stream = await follow(url, bySession);
    test.clock.advance(12 * 3_600_000);
    await stream.ended;
  });
});

describe('a stream ends immediately', () => {
  it('when its merchant is deleted, before its data', async () => {
    const { test, url, byKey } = await start();
    const stream = await follow(url, byKey);
    const deleted = test.call('DELETE', '/sandbox/merchant');
    await stream.ended;
    expect((await deleted).status).toBe(204);
  });
});

describe('a stream closed by its reader', () => {
  const head = (key: string) =>
    `GET /management/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;

  it.each([
    ['after it was opened', true, '200'],
    ['before it was opened', false, '(200|499)'],
  ])('%s does not count as a failure', async (_moment, opened, status) => {
    const lines: { level: string; msg: string }[] = [];
    const write = (level: string) => (_fields: unknown, msg?: string) => lines.push({ level, msg: String(msg) });
    const log = { ...Object.fromEntries(['debug', 'info', 'warn', 'error'].map((name) => [name, write(name)])) };
    const { test, port } = await start(log as unknown as Log);
    const count = async () => {
      const { text } = await test.call('GET', '/metrics');
      return text
        .split('\n')
        .filter((line) => line.startsWith('gateway_request_seconds_count{operation="management.streamChanges"'));
    };
    for (let readers = 0; readers < 3; readers++) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(head(test.key));
      if (opened) await once(socket, 'data');
      socket.destroy();
      await once(socket, 'close');
    }
    await expect.poll(async () => (await count()).join()).toMatch(new RegExp(`status="${status}"} [123]`));
    // The gateway has processed the ends of the connections before it responds to this request.
    await test.call('GET', '/merchant/balance');
    await expect.poll(() => countConnections(test)).toBe(0);
    expect((await count()).join()).not.toMatch(/status="(204|500)"/);
    expect(lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  });
});

function countConnections({ gateway }: TestGateway): Promise<number> {
  return new Promise((resolve, reject) => {
    gateway.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
