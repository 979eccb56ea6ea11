/** The last line of a gateway's log confirms its stop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkOpenFiles } from '../../../gateway/src/commands/start.ts';
import { DEFAULTS } from '../../../gateway/src/config/settings.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { startCollector } from '../../tools/collector.ts';
import { type Server, startGatewayProcess } from '../../tools/server.ts';
import { addMerchant, fund } from '../harness/fixtures.ts';
import { afterwards, sqliteDatabase, temporaryFolder } from '../harness.ts';
import { toEnvironment } from './run-command.ts';

const MAIN = fileURLToPath(new URL('../../../gateway/src/cli.ts', import.meta.url));

it('a gateway without a terminal prints only JSON, at last that it has stopped', async () => {
  const database = toEnvironment(await sqliteDatabase());
  const gateway = spawn(process.execPath, [MAIN, 'start', '--port', '0'], {
    env: { PATH: process.env['PATH'], ...database },
  });
  afterwards(async () => void gateway.kill('SIGKILL'));
  const log = text(gateway.stderr);
  const [printed] = await once(gateway.stdout, 'data');
  expect(JSON.parse(String(printed))).toMatchObject({ msg: 'listening', address: expect.stringMatching(/^http:/) });
  gateway.kill('SIGTERM');
  const [code] = await once(gateway, 'exit');
  const lines = (await log)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines.slice(-2)).toMatchObject([
    { msg: 'stopping', signal: 'SIGTERM' },
    { msg: 'stopped', signal: 'SIGTERM' },
  ]);
});

it('help exits with 0 when its output is closed early, as in `--help | head -1`', async () => {
  const args = [join(ROOT, 'gateway/src/cli.ts'), 'start', '--help'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(String(chunk)));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(complaints.join('')).toBe('');
});

it('export fails when its output is closed early, since the rest is missing', async () => {
  const database = await sqliteDatabase();
  const store = database.connect();
  await migrate(store);
  await addMerchant(store).then((merchant) => fund(store, merchant, 1));
  await store.close();
  const args = [join(ROOT, 'gateway/src/cli.ts'), 'export', 'ledger', '--database-file', database.address];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(String(chunk)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(complaints.join('')).toMatch(/^database: .*\nCan't write all of the output: .*\n$/);
});

async function start(endpoint: string): Promise<Server> {
  const file = join(await temporaryFolder(), 'gateway.db');
  const server = await startGatewayProcess({
    ...{ PORT: '0', DATABASE_URL: '', DATABASE_FILE: file, LOG_LEVEL: 'silent', SANDBOX: 'false' },
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  });
  afterwards(() => server.end());
  return server;
}

it('sends the spans of its last requests before it ends', async () => {
  const collector = await startCollector();
  afterwards(collector.close);
  const server = await start(collector.url);
  expect((await fetch(`${server.url}/merchant/balance`)).status).toBe(401);
  await server.end('SIGTERM');
  expect(collector.spans).toMatchObject([
    { name: 'GET /merchant/balance', attributes: { 'http.response.status_code': 401 }, failed: false },
  ]);
});

it('ends even if its collector never responds', async () => {
  const connected = Promise.withResolvers<void>();
  const collector = createServer((socket) => {
    socket.on('error', () => undefined);
    connected.resolve();
  });
  const { port } = await new Promise<{ port: number }>((resolve) => {
    collector.listen(0, '127.0.0.1', () => resolve(collector.address() as { port: number }));
  });
  afterwards(async () => void collector.close());
  const server = await start(`http://127.0.0.1:${port}`);
  expect((await fetch(`${server.url}/merchant/balance`)).status).toBe(401);
  const began = performance.now();
  await Promise.all([server.end('SIGTERM'), connected.promise]);
  // The exporter's own timeout is ten seconds.
  expect(performance.now() - began).toBeLessThan(8_000);
});

it('a start with a limit of 128 open files is refused in one line', {
  skip: process.platform !== 'linux',
}, async () => {
  const { address } = await sqliteDatabase();
  const child = spawn('sh', ['-c', 'ulimit -n 128; exec "$0" "$@"', process.execPath, MAIN, 'start', '--port', '0'], {
    env: { PATH: process.env['PATH'], DATABASE_FILE: address, LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^The limit on open files is 128, but the gateway needs more than 192\. .*\n$/);
});

it('a limit too low for CONNECTIONS_MAX causes a warning that names both', () => {
  const config = { ...DEFAULTS, connectionsMax: 2_000 };
  expect(checkOpenFiles(config, 65_536)).toBeUndefined();
  expect(checkOpenFiles(config, 1_024)).toContain(
    'is 1024, which leaves room for 832 connections, but CONNECTIONS_MAX is 2000.',
  );
  const postgres = { ...config, databaseUrl: 'postgres://db/payments', databaseConnections: 32 };
  expect(checkOpenFiles(postgres, 1_024)).toContain('set CONNECTIONS_MAX to 800.');
});
