/** Hostile requests over a bare socket, each with its exact responses. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterwards, startTestGateway } from '../harness.ts';
import { BODY_LENGTHS, get, HEADS, insertKey, TARGETS } from './hostile-requests.ts';

let port: number;
let key: string;

beforeAll(async () => {
  const test = await startTestGateway({ sandbox: true, closeMsMax: 0 });
  await test.gateway.listen({ port: 0 });
  port = (test.gateway.server.address() as AddressInfo).port;
  key = test.key;
});

/** Sends bytes, and returns the statuses of the responses until the gateway ends the connection. */
async function readStatuses(bytes: string): Promise<number[]> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  afterwards(async () => socket.destroy());
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(insertKey(key, bytes));
  await once(socket, 'close');
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

describe('a hostile request', () => {
  it.each(BODY_LENGTHS)('has a body of an unambiguous length: %s', async (_what, statuses, bytes) => {
    expect(await readStatuses(bytes)).toEqual(statuses);
  });

  it.each(HEADS)('has its head read strictly: %s', async (_what, statuses, bytes) => {
    expect(await readStatuses(bytes)).toEqual(statuses);
  });

  it.each(TARGETS)('has its target decoded once: %s', async (target, status) => {
    expect(await readStatuses(get(target))).toEqual([status]);
  });
});
