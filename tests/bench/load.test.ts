import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { load } from './load.ts';

/** Longer than the measurement that is asked for. */
const BUSY_MS = 300;
const SECONDS = 0.1;

const server = createServer((_request, response) => {
  setTimeout(() => response.end('{}'), BUSY_MS);
});
const options = { connections: 2, seconds: SECONDS, keys: ['k'] };
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('a server that sends no response during the measurement, since the machine is busy, is measured for longer', async () => {
  expect(await load({ ...options, url })).toBeGreaterThan(0);
});
