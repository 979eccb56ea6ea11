import { once } from 'node:events';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createGuard, type GuardOptions } from '../../../gateway/src/webhooks/guard.ts';
import { httpSender } from '../../../gateway/src/webhooks/http-sender.ts';
import type { Sender, SenderLimits } from '../../../gateway/src/webhooks/sender.ts';
import { afterwards } from '../harness.ts';
import { CERTIFICATE, KEY } from './certificate.ts';

const HEADERS = { 'webhook-id': 'evt_1' };
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

type Options = GuardOptions & Partial<SenderLimits> & { readonly connectionsMax?: number };

function startSender({
  allow = ['127.0.0.0/8', 'hooks.test'],
  resolve,
  connectionsMax,
  ...limits
}: Options = {}): Sender {
  const guard = createGuard({ allow, ...(resolve && { resolve }) });
  const sender = httpSender(guard, { connectionsMax })({ answerWithinMs: 5_000, ...limits });
  afterwards(async () => sender.close());
  return sender;
}

interface Endpoint {
  readonly port: number;
  readonly url: string;
  /** All connections so far, and the open ones. */
  readonly opened: Socket[];
  readonly open: Set<Socket>;
  /** Resolves when this number of connections is open. */
  settled(open: number): Promise<void>;
}

/** Starts an endpoint that responds to bytes, without parsing HTTP. */
async function startEndpoint(respond: (socket: Socket, count: number) => void, server?: Server): Promise<Endpoint> {
  const opened: Socket[] = [];
  const open = new Set<Socket>();
  let changed = () => {};
  let count = 0;
  const listener = server ?? createPlainServer();
  listener.on(server ? 'secureConnection' : 'connection', (socket: Socket) => {
    opened.push(socket);
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      changed();
    });
    socket.on('data', () => {
      count += 1;
      respond(socket, count);
    });
    changed();
  });
  listener.listen(0, '0.0.0.0');
  await once(listener, 'listening');
  afterwards(async () => {
    listener.close();
    for (const socket of open) socket.destroy();
  });
  const { port } = listener.address() as AddressInfo;
  const settled = (wanted: number) =>
    new Promise<void>((resolve) => {
      changed = () => {
        if (open.size === wanted) resolve();
      };
      changed();
    });
  return { port, url: `http://127.0.0.1:${port}/`, opened, open, settled };
}

const respondAlways = (socket: Socket) => socket.write(NO_CONTENT);

/** undici reuses a connection from the next turn of the event loop on. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

afterEach(() => {
  vi.useRealTimers();
});

describe('idle connections', () => {
  it('are reused', async () => {
    const endpoint = await startEndpoint(respondAlways);
    const sender = startSender();
    for (let i = 0; i < 3; i++) {
      await sender.send(endpoint.url, HEADERS, '{}');
      await nextTurn();
    }
    expect(endpoint.opened).toHaveLength(1);
  });

  it('are closed after their request while too many are open', async () => {
    const endpoint = await startEndpoint((socket) => socket.write(NO_CONTENT));
    const sender = startSender({ connectionsMax: 2 });
    const urls = Array.from({ length: 5 }, (_, index) => `http://127.0.0.${index + 1}:${endpoint.port}/`);
    for (const url of urls) expect(await sender.send(url, HEADERS, '{}')).toEqual({ status: 204 });
    await endpoint.settled(2);
    expect(endpoint.opened).toHaveLength(5);
  });

  it('are reopened with another check of the address if the endpoint has closed them', async () => {
    const endpoint = await startEndpoint((socket) => socket.end(NO_CONTENT));
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return ['127.0.0.1'];
    };
    const sender = startSender({ resolve });
    const url = `http://hooks.test:${endpoint.port}/`;
    expect(await sender.send(url, HEADERS, '{}')).toEqual({ status: 204 });
    expect(await sender.send(url, HEADERS, '{}')).toEqual({ status: 204 });
    expect(asked).toHaveLength(2);
  });
});

describe('a reset connection', () => {
  it('is replaced once if it was kept, and the second reset is a failure', async () => {
    const endpoint = await startEndpoint((socket, count) =>
      count === 1 ? socket.write(NO_CONTENT) : socket.resetAndDestroy(),
    );
    const sender = startSender();
    await sender.send(endpoint.url, HEADERS, '{}');
    await nextTurn();
    expect(await sender.send(endpoint.url, HEADERS, '{}')).toEqual({ failure: 'no response: ECONNRESET' });
    expect(endpoint.opened).toHaveLength(2);
  });

  it('is not replaced after a response head', async () => {
    const endpoint = await startEndpoint((socket, count) => {
      if (count === 1) return socket.write(NO_CONTENT);
      return socket.write('HTTP/1.1 500 Oh\r\ncontent-length: 9\r\n\r\n', () => socket.resetAndDestroy());
    });
    const sender = startSender();
    await sender.send(endpoint.url, HEADERS, '{}');
    await nextTurn();
    expect(await sender.send(endpoint.url, HEADERS, '{}')).toEqual({ status: 500 });
    expect(endpoint.opened).toHaveLength(1);
  });
});

/** Accepts connections without a response, so that a TLS handshake doesn't end. */
const startSilent = () => startEndpoint(() => undefined);

it('an opening connection is closed if no response arrives in time', async () => {
  const endpoint = await startSilent();
  const result = await startSender({ answerWithinMs: 50 }).send(`https://127.0.0.1:${endpoint.port}/`, HEADERS, '{}');
  expect(result).toEqual({ failure: 'no response within 0.05 s' });
  await endpoint.settled(0);
});

describe('a response', () => {
  it.each([
    ['HTTP/1.1 100 Continue\r\n\r\n', 'unexpected interim response'],
    ['HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'unexpected interim response'],
    ['HTTP/1.1 000 Secret\r\n\r\n', 'invalid HTTP'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 5\r\nsecret\r\n\r\n', 'invalid HTTP'],
    ['secret\r\n\r\n', 'invalid HTTP'],
  ])('of %j is a failure, without its text in the reason', async (text, reason) => {
    const endpoint = await startEndpoint((socket) => socket.write(text));
    const sender = startSender();
    expect(await sender.send(endpoint.url, HEADERS, '{}')).toEqual({ failure: `no response: ${reason}` });
    expect(endpoint.opened).toHaveLength(1);
  });

  it('ends the connection if it is unsolicited, and does not count for the next request', async () => {
    const endpoint = await startEndpoint((socket) =>
      socket.write(`${NO_CONTENT}HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n`),
    );
    const sender = startSender();
    for (let i = 0; i < 3; i++) expect(await sender.send(endpoint.url, HEADERS, '{}')).toEqual({ status: 204 });
    expect(endpoint.opened).toHaveLength(3);
  });
});

it.each([
  ['a URL', 'http://', HEADERS],
  ['the protocol of a URL', 'ftp://127.0.0.1/', HEADERS],
  ['the credentials of a URL', 'http://%zz:a@127.0.0.1/', HEADERS],
  ['a header', 'http://127.0.0.1/', { 'webhook-id': 'a\r\nb: c' }],
])('a request that cannot be made because of %s is a failure', async (_name, url, headers) => {
  const result = await startSender().send(url, headers, '{}');
  expect(result).toHaveProperty('failure', expect.stringMatching(/^no response: (ERR_INVALID_|URIError)/));
});

describe('a TLS endpoint', () => {
  beforeAll(() => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    return () => setDefaultCACertificates(trusted);
  });

  /** Whether the connections to the endpoint resumed a session. */
  const resumed: boolean[] = [];
  function startTls(): Promise<Endpoint> {
    const server = createTlsServer({ key: KEY, cert: CERTIFICATE });
    server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()));
    return startEndpoint((socket) => socket.end(NO_CONTENT), server);
  }
  const resolve = async () => ['127.0.0.1'];

  it.each(['hooks.test', '127.0.0.1'])('gets the event with a certificate for %s', async (host) => {
    const { port } = await startTls();
    expect(await startSender({ resolve }).send(`https://${host}:${port}/`, HEADERS, '{}')).toEqual({ status: 204 });
  });

  it.each(['other.test', '127.0.0.2'])('gets no event without a certificate for %s', async (host) => {
    const endpoint = await startTls();
    const sender = startSender({ resolve, allow: ['127.0.0.0/8', 'other.test'] });
    expect(await sender.send(`https://${host}:${endpoint.port}/`, HEADERS, '{}')).toEqual({
      failure: 'no response: ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });
});
