import { describe, expect, it } from 'vitest';
import { createGuard, type GuardOptions } from '../../../gateway/src/webhooks/guard.ts';
import { httpSender } from '../../../gateway/src/webhooks/http-sender.ts';
import type { Sender } from '../../../gateway/src/webhooks/sender.ts';
import type { Received } from '../../tools/endpoint.ts';
import { afterwards } from '../harness.ts';
import { hang, type Respond, reset, startReceiver, status } from './receiver.ts';

const BODY = '{"status":"SUCCESS","note":"₹ 499.00"}';
const HEADERS = { 'content-type': 'application/json', 'webhook-id': 'evt_1' };
const LOOPBACK = ['127.0.0.0/8'];

function startSender({ answerWithinMs = 5_000, ...guard }: GuardOptions & { answerWithinMs?: number } = {}): Sender {
  const sender = httpSender(createGuard({ allow: LOOPBACK, ...guard }))({ answerWithinMs });
  afterwards(async () => sender.close());
  return sender;
}

/** undici reuses a connection from the next turn of the event loop on. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('an attempt', () => {
  it('posts the body unchanged, with the headers given', async () => {
    const receiver = await startReceiver();
    const result = await startSender().send(`${receiver.address}/hook?shop=1`, HEADERS, BODY);
    expect(result).toEqual({ status: 204 });
    const [{ method, path, body, headers }] = receiver.requests as [Received];
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/hook?shop=1', body: BODY });
    expect(headers).toMatchObject({
      ...HEADERS,
      'content-length': String(Buffer.byteLength(BODY)),
      'user-agent': 'payments-gateway',
      host: `127.0.0.1:${receiver.port}`,
    });
  });

  it('sends the credentials of the URL as a header', async () => {
    const receiver = await startReceiver();
    await startSender().send(`http://shop:word@127.0.0.1:${receiver.port}/`, HEADERS, BODY);
    expect(receiver.requests[0]?.headers.authorization).toBe(`Basic ${btoa('shop:word')}`);
  });

  it('does not follow a redirect', async () => {
    const other = await startReceiver();
    const receiver = await startReceiver(status(307, { location: other.address }));
    expect(await startSender().send(receiver.address, HEADERS, BODY)).toEqual({ status: 307 });
    expect(other.requests).toEqual([]);
  });

  it('ends without a response in time', async () => {
    const receiver = await startReceiver(hang);
    const result = await startSender({ answerWithinMs: 30 }).send(receiver.address, HEADERS, BODY);
    expect(result).toEqual({ failure: 'no response within 0.03 s' });
  });

  it('ends when the name is not resolved in time', async () => {
    const sender = startSender({ answerWithinMs: 30, resolve: () => new Promise(() => undefined) });
    expect(await sender.send('http://hooks.test/', HEADERS, BODY)).toEqual({ failure: 'no response within 0.03 s' });
  });

  it('cancels look-ups when the sender is closed', async () => {
    const [asked, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const resolve: GuardOptions['resolve'] = (_name, signal) => {
      asked.resolve();
      return new Promise(() => signal.addEventListener('abort', () => cancelled.resolve(), { once: true }));
    };
    const sender = startSender({ resolve });
    const result = sender.send('http://hooks.test/', HEADERS, BODY);
    await asked.promise;
    sender.close();
    await cancelled.promise;
    expect(await result).toEqual({ failure: 'no response: ECONNRESET' });
  });

  it.each<[string, Respond, string]>([
    ['resets the connection', reset, 'no response: ECONNRESET'],
    ['closes the connection', (response) => response.socket?.end(), 'no response: ECONNRESET'],
    [
      'sends headers without end',
      (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`),
      'no response: HPE_HEADER_OVERFLOW',
    ],
  ])('fails when the endpoint %s', async (_name, respond, failure) => {
    const receiver = await startReceiver(respond);
    expect(await startSender().send(receiver.address, HEADERS, BODY)).toEqual({ failure });
    expect(receiver.requests).toHaveLength(1);
  });

  it('reads no more than a little of a long response', async () => {
    let written = 0;
    let closed: () => void;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const receiver = await startReceiver((response) => {
      const pour = () => {
        let more = true;
        while (more && !response.destroyed) {
          more = response.write(Buffer.alloc(65_536));
          written += 65_536;
        }
      };
      response.writeHead(200).on('drain', pour).on('close', closed);
      pour();
    });
    expect(await startSender().send(receiver.address, HEADERS, BODY)).toEqual({ status: 200 });
    await gone;
    expect(written).toBeLessThan(20_000_000);
  });

  it('counts the status of a response that does not end', async () => {
    const receiver = await startReceiver((response) => response.writeHead(200).write('{'));
    expect(await startSender({ answerWithinMs: 3_000 }).send(receiver.address, HEADERS, BODY)).toEqual({ status: 200 });
  });

  it('counts the status of a response that breaks off', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(202, { 'content-length': '100' }).write('{', () => response.socket?.resetAndDestroy());
    });
    expect(await startSender().send(receiver.address, HEADERS, BODY)).toEqual({ status: 202 });
  });

  it('ends when the sender is closed, even on a reused connection, and none begins after that', async () => {
    const receiver = await startReceiver((response, received, count) =>
      count === 1 ? status(204)(response, received, count) : undefined,
    );
    const sender = startSender();
    expect(await sender.send(receiver.address, HEADERS, BODY)).toEqual({ status: 204 });
    await nextTurn();
    const result = sender.send(receiver.address, HEADERS, BODY);
    await receiver.received(2);
    sender.close();
    expect(await result).toEqual({ failure: 'no response: ECONNRESET' });
    expect(await sender.send(receiver.address, HEADERS, BODY)).toEqual({ failure: 'not sent: the sender is closed' });
    expect(receiver.requests).toHaveLength(2);
  });

  it('waits for no other attempt at the same address', async () => {
    const receiver = await startReceiver((response, { path }) => {
      if (path === '/ok') response.writeHead(204).end();
    });
    const sender = startSender();
    for (let i = 0; i < 10; i++) sender.send(`${receiver.address}/hang`, HEADERS, BODY);
    expect(await sender.send(`${receiver.address}/ok`, HEADERS, BODY)).toEqual({ status: 204 });
  });
});

describe('an attempt at a guarded address', () => {
  it.each(['http://2130706433:1/', 'http://localhost:1/'])('is refused for %s', async (url) => {
    const result = await startSender({ allow: [] }).send(url, HEADERS, BODY);
    expect(result).toHaveProperty('failure', expect.stringMatching(/ is refused: .*loopback/));
  });

  it('connects to the checked address, with the name of the URL', async () => {
    const receiver = await startReceiver();
    const asked: string[] = [];
    const sender = startSender({
      resolve: async (name) => {
        asked.push(name);
        // The second response of a rebinding resolver must not matter.
        return asked.length === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
      },
    });
    expect(await sender.send(`http://hooks.test:${receiver.port}/`, HEADERS, BODY)).toEqual({ status: 204 });
    expect(receiver.requests[0]?.headers.host).toBe(`hooks.test:${receiver.port}`);
    expect(asked).toEqual(['hooks.test']);
  });

  it('checks again for every new connection', async () => {
    const receiver = await startReceiver(status(204, { connection: 'close' }));
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const sender = startSender({ resolve: async () => answers.shift() ?? [] });
    const url = `http://hooks.test:${receiver.port}/`;
    expect(await sender.send(url, HEADERS, BODY)).toEqual({ status: 204 });
    const failure = 'hooks.test is refused: not a public address';
    const detail = '169.254.169.254 is link-local';
    expect(await sender.send(url, HEADERS, BODY)).toEqual({ failure, detail });
    expect(receiver.requests).toHaveLength(1);
  });
});
