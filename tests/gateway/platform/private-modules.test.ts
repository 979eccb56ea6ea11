/**
 * Parts of libraries that the gateway uses although they aren't exported. A version that moves them is found here, with the
 * reason for their use.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import { Client } from 'undici';
import InnerClient from 'undici/lib/dispatcher/client.js';
import { expect, it } from 'vitest';

it("undici's client can be loaded without the rest of it, which takes another 15 MB", () => {
  expect(InnerClient).toBe(Client);
});

it('a client of pg has its socket, by which the statements of one turn are sent in one packet', () => {
  expect(new pg.Client()).toMatchObject({ connection: { stream: expect.any(Socket) } });
});
