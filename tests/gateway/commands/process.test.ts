/** The last line of a gateway's log confirms its stop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkOpenFiles } from '../../../gateway/src/commands/start.ts';
import { DEFAULTS } from '../../../gateway/src/config/settings.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { startCollector } from '../../tools/collector.ts';
import { addMerchant, fund } from '../harness/fixtures.ts';
import { afterwards, sqliteDatabase } from '../harness.ts';
import { toEnvironment } from './run-command.ts';

const MAIN = fileURLToPath(new URL('../../../gateway/src/cli.ts', import.meta.url));

it('a gateway without a terminal prints only JSON, sends its last spans, and says at last that it has stopped', async () => {
  const collector = await startCollector();
  afterwards(collector.close);
  const database = toEnvironment(await sqliteDatabase());
  const gateway = spawn(process.execPath, [MAIN, 'start', '--port', '0'], {
    env: { PATH: process.env['PATH'], ...database, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  afterwards(async () => void gateway.kill('SIGKILL'));
  const log = text(gateway.stderr);
  const [printed] = await once(gateway.stdout, 'data');
  const { msg, address } = JSON.parse(String(printed));
  expect(msg).toBe('listening');
  expect((await fetch(`${address}/merchant/balance`)).status).toBe(401);
  gateway.kill('SIGTERM');
  expect(await once(gateway, 'exit')).toEqual([0, null]);
  const lines = (await log)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.slice(-2)).toMatchObject([
    { msg: 'stopping', signal: 'SIGTERM' },
    { msg: 'stopped', signal: 'SIGTERM' },
  ]);
  expect(collector.spans).toMatchObject([
    { name: 'GET /merchant/balance', attributes: { 'http.response.status_code': 401 }, failed: false },
  ]);
});

/** Runs the gateway with its output closed at once. Returns its exit code and what it complained of. */
async function runWithClosedOutput(...args: string[]): Promise<[code: number, stderr: string]> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return [code, stderr];
}

it('closed output fails an export, since the rest is missing, but not the help, as in `--help | head -1`', async () => {
  const { address, connect } = await sqliteDatabase();
  const store = connect();
  await migrate(store);
  await fund(store, await addMerchant(store), 1);
  const [code, stderr] = await runWithClosedOutput('export', 'ledger', '--database-file', address);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^database: .*\nCan't write all of the output: .*\n$/);
  expect(await runWithClosedOutput('start', '--help')).toEqual([0, '']);
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
  expect(checkOpenFiles(config, 1_024)).toContain('room for 832 connections, but CONNECTIONS_MAX is 2000.');
  const postgres = { ...config, databaseUrl: 'postgres://db/payments', databaseConnections: 32 };
  expect(checkOpenFiles(postgres, 1_024)).toContain('set CONNECTIONS_MAX to 800.');
});
