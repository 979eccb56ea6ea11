/** Several requests on one connection, over a bare socket: each gets its response, in order, with bounded memory. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { paymentRequest } from '../harness/fixtures.ts';
import { afterwards, startTestGateway } from '../harness.ts';
import { insertKey } from './hostile-requests.ts';

const READ = 'GET /merchant/balance HTTP/1.1\r\nHost: a\r\nKEY\r\n\r\n';
const PUBLIC = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';

function creation(body = JSON.stringify(paymentRequest())): string {
  const headers = ['Host: a', 'KEY', 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return `${['POST /payments HTTP/1.1', ...headers].join('\r\n')}\r\n\r\n${body}`;
}

async function start() {
  const test = await startTestGateway({ closeMsMax: 0 });
  const { gateway, key } = test;
  await gateway.listen({ port: 0 });
  const { port } = gateway.server.address() as AddressInfo;
  const accepted: Socket[] = [];
  gateway.server.on('connection', (socket) => accepted.push(socket));
  /** Opens a connection and sends the bytes in one packet. */
  const send = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    afterwards(async () => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(insertKey(key, bytes));
    return socket;
  };
  return { ...test, send, accepted };
}

/** The statuses of all responses until the gateway ends the connection. */
async function readStatuses(socket: Socket): Promise<number[]> {
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

describe('requests in one packet', () => {
  it('get their responses in order', async () => {
    const { send } = await start();
    const last = 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const socket = await send(READ + creation() + creation('{}') + READ + last);
    expect(await readStatuses(socket)).toEqual([200, 200, 400, 200, 404]);
  });

  it('are served one at a time', async () => {
    const { gateway, send } = await start();
    let inFlight = 0;
    let most = 0;
    gateway.routes.get('/slow', async (c) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await setImmediate();
      inFlight -= 1;
      return c.text('');
    });
    const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';
    const last = slow.replace('Host', 'Connection: close\r\nHost');
    expect(await readStatuses(await send(slow.repeat(50) + last))).toEqual(Array(51).fill(200));
    expect(most).toBe(1);
  });

  it('end the connection beyond a limit', async () => {
    const { gateway, send, call } = await start();
    const served: unknown[] = [];
    gateway.server.prependListener('request', (_incoming, outgoing) => outgoing.on('finish', () => served.push(1)));
    // The maximum of one socket read.
    const socket = await send(PUBLIC.repeat(1_600));
    await once(socket, 'close');
    expect(served.length).toBeLessThanOrEqual(1);
    const { text } = await call('GET', '/metrics');
    expect(text).toContain('gateway_connections_refused_total{limit="PIPELINED_MAX"} 1');
  });
});

describe('a complete request', () => {
  it('gets its response before the refusal of garbage after it', async () => {
    const { send, call } = await start();
    const body = paymentRequest();
    const socket = await send(`${creation(JSON.stringify(body))}garbage\r\n\r\n`);
    expect(await readStatuses(socket)).toEqual([200, 400]);
    expect((await call('GET', `/payments?merchant_order_id=${body.merchant_order_id}`)).status).toBe(200);
  });

  it('gets its response before the refusal of an incomplete request', async () => {
    const { send } = await start();
    const socket = await send(`${READ}POST /payments HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`);
    expect(await readStatuses(socket)).toEqual([200, 400]);
  });

  it('gets its response even if the client has ended its side', async () => {
    const { send, accepted } = await start();
    const socket = await send(creation());
    socket.end();
    expect(await readStatuses(socket)).toEqual([200]);
    while (accepted[0]?.destroyed === false) await setImmediate();
  });
});
