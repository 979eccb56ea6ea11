/**
 * Unexported parts of libraries used by the gateway. Detects a version that moves them, and gives the reason for their
 * use.
 */
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { ROOT } from '../../../scripts/tools/process.ts';

/** As the gateway's modules load them. */
const load = createRequire(join(ROOT, 'gateway/package.json'));

it("loads undici's agent without the rest of it, which takes another 15 MB", () => {
  expect(load('undici/lib/dispatcher/agent.js')).toBe(load('undici').Agent);
  expect(load('undici/lib/core/connect.js')).toBe(load('undici').buildConnector);
});

it("a pg client has its socket, which batches one tick's statements in a packet", () => {
  expect(new pg.Client()).toMatchObject({ connection: { stream: expect.any(Socket) } });
});
