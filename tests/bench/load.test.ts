import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Loopback, listenOnLoopback } from '../tools/loopback.ts';
import { load } from './load.ts';

/** Longer than the requested measurement. */
const BUSY_MS = 300;
const SECONDS = 0.1;

const server = createServer((_request, response) => {
  setTimeout(() => response.end('{}'), BUSY_MS);
});
const options = { connections: 2, seconds: SECONDS, keys: ['k'] };
let listening: Loopback;

beforeAll(async () => {
  listening = await listenOnLoopback(server);
});
afterAll(() => listening.close());

it('extends the measurement of a server that sends no response in time', async () => {
  expect(await load({ ...options, url: listening.url })).toBeGreaterThan(0);
});
