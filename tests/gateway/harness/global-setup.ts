/**
 * One PostgreSQL server for the whole run, and PgBouncer in front of it, each started for the first test that needs it.
 * Test processes request the addresses over HTTP. DATABASE_URL selects an existing server instead.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startPgBouncer } from '../../tools/pgbouncer.ts';
import { startPostgres } from '../../tools/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that returns the address of the PostgreSQL server, and at `/pgbouncer` the address of PgBouncer. */
    postgres: string;
  }
}

/** Tests need no durability against a power cut, and many suites share the server. */
const SETTINGS = {
  // Tables live for a second.
  autovacuum: 'off',
  deadlock_timeout: '50ms',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/** Fewer connections to the server than stores have to PgBouncer, so that stores share them. */
const POOLER = { pool_mode: 'transaction', default_pool_size: 3 } as const;

interface Server {
  readonly url: string;
  close(): Promise<void>;
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const servers = new Map<string, Promise<Server>>();
  function serverAt(path: string): Promise<Server> {
    const known = servers.get(path);
    if (known) return known;
    const server = path === '/pgbouncer' ? serverAt('/').then(({ url }) => startPgBouncer(url, POOLER)) : start();
    servers.set(path, server);
    return server;
  }
  const coordinator = createServer(({ url: path = '/' }, response) => {
    serverAt(path).then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  coordinator.listen(0, '127.0.0.1');
  await once(coordinator, 'listening');
  provide('postgres', `http://127.0.0.1:${(coordinator.address() as AddressInfo).port}/`);
  return async () => {
    coordinator.close();
    coordinator.closeAllConnections();
    // PgBouncer was started last, and stops first.
    for (const server of [...servers.values()].reverse()) {
      await server.then(
        ({ close }) => close(),
        () => undefined,
      );
    }
  };
}

async function start(): Promise<Server> {
  const given = process.env['DATABASE_URL'];
  if (given) return { url: given, close: async () => undefined };
  return startPostgres(SETTINGS).catch(() => {
    throw new Error('PostgreSQL does not start here; give DATABASE_URL, the address of one that runs');
  });
}
