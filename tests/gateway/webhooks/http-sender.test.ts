import { once } from 'node:events';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { createGuard, type GuardOptions } from '../../../gateway/src/webhooks/guard.ts';
import { httpSender } from '../../../gateway/src/webhooks/http-sender.ts';
import type { Sender } from '../../../gateway/src/webhooks/sender.ts';
import type { Received } from '../../tools/endpoint.ts';
import { afterwards } from '../harness.ts';
import { CERTIFICATE, KEY } from './certificate.ts';
import { hang, startReceiver, status } from './receiver.ts';

const BODY = '{"status":"SUCCESS","note":"₹ 499.00"}';
const HEADERS = { 'content-type': 'application/json', 'webhook-id': 'evt_1' };
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';
const LATE = { failure: 'no response within 0.05 s' };
const CUT_OFF = { failure: 'no response: ECONNRESET' };

type Options = GuardOptions & { readonly answerWithinMs?: number; readonly connectionsMax?: number };

/** A function that sends the same webhook to a URL, and its sender. */
function startSender({ answerWithinMs = 5_000, connectionsMax, ...guard }: Options = {}) {
  const limits = { ...(connectionsMax !== undefined && { connectionsMax }) };
  const sender: Sender = httpSender(createGuard({ allow: ['127.0.0.0/8'], ...guard }), limits)({ answerWithinMs });
  afterwards(async () => sender.close());
  return { sender, send: (url: string, headers = HEADERS) => sender.send(url, headers, BODY) };
}

/** Starts an endpoint that responds to the bytes of the nth request, without parsing HTTP. */
async function startEndpoint(respond: (socket: Socket, count: number) => void, server?: Server) {
  const opened: Socket[] = [];
  let count = 0;
  const listener = server ?? createPlainServer();
  listener.on(server ? 'secureConnection' : 'connection', (socket: Socket) => {
    opened.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => respond(socket, ++count));
  });
  listener.listen(0, '0.0.0.0');
  await once(listener, 'listening');
  afterwards(async () => {
    listener.close();
    for (const socket of opened) socket.destroy();
  });
  const { port } = listener.address() as AddressInfo;
  const open = () => opened.filter(({ closed }) => !closed).length;
  return { port, url: `http://127.0.0.1:${port}/`, opened, open };
}

/** undici reuses a connection from the next turn of the event loop on. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('an attempt', () => {
  it("posts the body unchanged with the headers, and with the URL's credentials as a header", async () => {
    const receiver = await startReceiver();
    const { send } = startSender();
    expect(await send(`http://shop:word@127.0.0.1:${receiver.port}/hook?shop=1`)).toEqual({ status: 204 });
    const [{ method, path, body, headers }] = receiver.requests as [Received];
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/hook?shop=1', body: BODY });
    expect(headers).toMatchObject({
      ...HEADERS,
      authorization: `Basic ${btoa('shop:word')}`,
      'content-length': String(Buffer.byteLength(BODY)),
      'user-agent': 'payments-gateway',
      host: `127.0.0.1:${receiver.port}`,
    });
  });

  it('does not follow a redirect', async () => {
    const other = await startReceiver();
    const receiver = await startReceiver(status(307, { location: other.address }));
    expect(await startSender().send(receiver.address)).toEqual({ status: 307 });
    expect(other.requests).toEqual([]);
  });

  it('ends without a response, a TLS handshake or an address in time', async () => {
    const receiver = await startReceiver(hang);
    const silent = await startEndpoint(() => undefined);
    const { send } = startSender({ answerWithinMs: 50, resolve: () => new Promise(() => undefined) });
    const urls = [receiver.address, `https://127.0.0.1:${silent.port}/`, 'http://hooks.test/'];
    expect(await Promise.all(urls.map((url) => send(url)))).toEqual([LATE, LATE, LATE]);
    await expect.poll(silent.open).toBe(0);
  });

  it('ends when the sender is closed, even on a reused connection, and none begins after that', async () => {
    const receiver = await startReceiver((response, received, count) =>
      count === 1 ? status(204)(response, received, count) : undefined,
    );
    const { sender, send } = startSender();
    expect(await send(receiver.address)).toEqual({ status: 204 });
    await nextTurn();
    const result = send(receiver.address);
    await receiver.received(2);
    sender.close();
    expect(await result).toEqual(CUT_OFF);
    expect(await send(receiver.address)).toEqual({ failure: 'not sent: the sender is closed' });
    expect(receiver.requests).toHaveLength(2);
  });

  it('cancels look-ups when the sender is closed', async () => {
    const [asked, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const resolve: GuardOptions['resolve'] = (_name, signal) => {
      asked.resolve();
      return new Promise(() => signal.addEventListener('abort', () => cancelled.resolve(), { once: true }));
    };
    const { sender, send } = startSender({ resolve });
    const result = send('http://hooks.test/');
    await asked.promise;
    sender.close();
    await cancelled.promise;
    expect(await result).toEqual(CUT_OFF);
  });

  it('waits for no other attempt at the same address', async () => {
    const receiver = await startReceiver((response, { path }) => {
      if (path === '/ok') response.writeHead(204).end();
    });
    const { send } = startSender();
    for (let i = 0; i < 10; i++) send(`${receiver.address}/hang`);
    expect(await send(`${receiver.address}/ok`)).toEqual({ status: 204 });
  });

  it.each([
    ['a URL', 'http://', HEADERS],
    ['credentials', 'http://%zz:a@127.0.0.1/', HEADERS],
    ['a header', 'http://127.0.0.1/', { ...HEADERS, 'webhook-id': 'a\r\nb: c' }],
  ])('fails for an invalid value of %s', async (_name, url, headers) => {
    const failure = expect.stringMatching(/^no response: (ERR_INVALID_|URIError)/);
    expect(await startSender().send(url, headers)).toEqual({ failure });
  });
});

describe('a response', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['a reset', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
    ['too many headers', (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`), 'HPE_HEADER_OVERFLOW'],
    ['100', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 'unexpected interim response'],
    ['invalid HTTP', (socket) => socket.write('secret\r\n\r\n'), 'invalid HTTP'],
  ])('is a failure if it is %s, without its text in the reason', async (_name, respond, reason) => {
    const endpoint = await startEndpoint(respond);
    expect(await startSender().send(endpoint.url)).toEqual({ failure: `no response: ${reason}` });
    expect(endpoint.opened).toHaveLength(1);
  });

  it('counts with its status if it is long, of which little is read', async () => {
    let written = 0;
    const gone = Promise.withResolvers<void>();
    const receiver = await startReceiver((response) => {
      const pour = () => {
        let more = true;
        while (more && !response.destroyed) {
          more = response.write(Buffer.alloc(65_536));
          written += 65_536;
        }
      };
      response.writeHead(200).on('drain', pour).on('close', gone.resolve);
      pour();
    });
    expect(await startSender().send(receiver.address)).toEqual({ status: 200 });
    await gone.promise;
    expect(written).toBeLessThan(20_000_000);
  });

  it('counts with its status if it does not end or breaks off', async () => {
    const receiver = await startReceiver((response, { path }) => {
      response.writeHead(202, { 'content-length': '100' }).write('{', () => {
        if (path === '/reset') response.socket?.resetAndDestroy();
      });
    });
    const { send } = startSender({ answerWithinMs: 3_000 });
    expect(await send(`${receiver.address}/endless`)).toEqual({ status: 202 });
    expect(await send(`${receiver.address}/reset`)).toEqual({ status: 202 });
  });
});

describe('a kept connection', () => {
  it('is closed after its request while too many are open', async () => {
    const endpoint = await startEndpoint((socket) => socket.write(NO_CONTENT));
    const { send } = startSender({ connectionsMax: 2 });
    const urls = Array.from({ length: 5 }, (_, index) => `http://127.0.0.${index + 1}:${endpoint.port}/`);
    for (const url of urls) expect(await send(url)).toEqual({ status: 204 });
    await expect.poll(endpoint.open).toBe(2);
    expect(endpoint.opened).toHaveLength(5);
  });

  it('is replaced once if it is reset before a response, and the second reset is a failure', async () => {
    const endpoint = await startEndpoint((socket, count) =>
      count <= 2 ? socket.write(NO_CONTENT) : socket.resetAndDestroy(),
    );
    const { send } = startSender();
    for (let i = 0; i < 2; i++) {
      expect(await send(endpoint.url)).toEqual({ status: 204 });
      await nextTurn();
    }
    expect(endpoint.opened).toHaveLength(1);
    expect(await send(endpoint.url)).toEqual(CUT_OFF);
    expect(endpoint.opened).toHaveLength(2);
  });
});

describe('an attempt at a guarded address', () => {
  it.each(['http://2130706433:1/', 'http://localhost:1/'])('is refused for %s', async (url) => {
    const failure = expect.stringMatching(/ is refused: .*loopback/);
    expect(await startSender({ allow: [] }).send(url)).toMatchObject({ failure });
  });

  it('connects to the checked address with the name of the URL, and checks again for each new connection', async () => {
    const receiver = await startReceiver(status(204, { connection: 'close' }));
    // A rebinding resolver.
    const addresses = ['127.0.0.1', '169.254.169.254'];
    const { send } = startSender({ resolve: async () => [addresses.shift() ?? ''] });
    const url = `http://hooks.test:${receiver.port}/`;
    expect(await send(url)).toEqual({ status: 204 });
    expect(receiver.requests[0]?.headers.host).toBe(`hooks.test:${receiver.port}`);
    expect(addresses).toHaveLength(1);
    const failure = 'hooks.test is refused: not a public address';
    expect(await send(url)).toEqual({ failure, detail: '169.254.169.254 is link-local' });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('a TLS endpoint', () => {
  beforeAll(() => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    return () => setDefaultCACertificates(trusted);
  });

  it.each([
    ['hooks.test', { status: 204 }],
    ['127.0.0.1', { status: 204 }],
    ['other.test', { failure: 'no response: ERR_TLS_CERT_ALTNAME_INVALID' }],
    ['127.0.0.2', { failure: 'no response: ERR_TLS_CERT_ALTNAME_INVALID' }],
  ])('gets the event only with a certificate for its host: %s', async (host, result) => {
    const tls = createTlsServer({ key: KEY, cert: CERTIFICATE });
    const { port } = await startEndpoint((socket) => socket.end(NO_CONTENT), tls);
    const { send } = startSender({ allow: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] });
    expect(await send(`https://${host}:${port}/`)).toEqual(result);
  });
});
