/** A full disk or a damaged file under a running gateway: log, metrics and readiness name the cause, and everything else continues. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, type TestContext } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { type Store, StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { recordUnavailability } from '../../../gateway/src/http/unavailability.ts';
import { run } from '../../../scripts/tools/process.ts';
import { databaseUrl, startPostgres } from '../../tools/postgres.ts';
import { GATEWAY } from '../../tools/server.ts';
import { give, serverFolder } from '../../tools/server-user.ts';
import { mountSmallDisk } from '../../tools/small-disk.ts';
import { createRunner } from '../commands/run-command.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { afterwards, startTestGateway, temporaryFolder } from '../harness.ts';

/** A disk of a few megabytes. Skips the test for a user who may not mount. */
async function smallDisk(context: TestContext) {
  const folder = await serverFolder('full-disk-test-');
  afterwards(() => rm(folder, { recursive: true, force: true }));
  const disk = await mountSmallDisk(folder);
  if (!disk) return context.skip('this user may not mount');
  afterwards(() => disk.remove());
  return { folder, ...disk };
}

/**
 * Creates a database in the folder, on a dedicated server, since a full disk fails the checkpoints of the whole server.
 */
async function createDatabase(folder: string): Promise<string> {
  const { url, close } = await startPostgres({ fsync: 'off' });
  afterwards(close);
  const name = 'small_disk';
  const client = new pg.Client(url);
  await client.connect();
  afterwards(() => client.end());
  await give(folder);
  await client.query(`create tablespace ${name} location '${folder}'`);
  await client.query(`create database ${name} tablespace ${name}`);
  return databaseUrl(url, name);
}

const OPEN: Readonly<Record<string, (folder: string) => Promise<Store>>> = {
  sqlite: async (folder) => openSqlite(join(folder, 'gateway.db')),
  postgres: async (folder) => openPostgres(await createDatabase(folder), { max: 4 }),
};

describe.each(Object.entries(OPEN))('a gateway whose disk is full (%s)', (_kind, open) => {
  it('refuses writes and names the cause, serves reads, and becomes ready once there is room', async (context) => {
    const { folder, fill, free } = await smallDisk(context);
    const store = await open(folder);
    await migrate(store);
    const { log, lines } = recordingLog();
    const { call } = await startTestGateway({ store, log });
    expect((await call('GET', '/health/ready')).status).toBe(200);

    await fill();
    const refused = await Promise.all(Array.from({ length: 5 }, () => call('POST', '/payments', paymentRequest())));
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    expect((await call('GET', '/merchant/balance')).status).toBe(200);
    expect(await call('GET', '/health/ready')).toMatchObject({ status: 503, body: { reason: 'disk_full' } });
    expect((await call('GET', '/metrics')).text).toContain('gateway_unavailable_total{reason="disk_full"} 5');
    const named = lines.filter(({ message }) => message === 'requests get 503');
    expect(named).toEqual([expect.objectContaining({ level: 'error', reason: 'disk_full', count: 1 })]);
    expect(named[0]?.['err']).toMatchObject({ message: expect.stringMatching(/full|No space left on device/) });

    await free();
    expect((await call('GET', '/health/ready')).status).toBe(200);
    expect((await call('POST', '/payments', paymentRequest())).status).toBe(200);
  });
});

it('a gateway that starts on a full disk names the file and the next step', async (context) => {
  const { folder, fill } = await smallDisk(context);
  const env = { DATABASE_URL: '', DATABASE_FILE: join(folder, 'gateway.db') };
  const gateway = (...args: string[]) => run(process.execPath, [GATEWAY, ...args], { env, allowFailure: true });
  expect((await gateway('migrate')).code).toBe(0);
  await fill();
  const { code, stderr } = await gateway('start', '--port', '0');
  expect(code).toBe(1);
  expect(stderr).toContain(env.DATABASE_FILE);
  expect(stderr).toContain('that the disk has room');
  expect(stderr).not.toMatch(/^\s+at /m);
});

it('the record of responses with 503 logs each reason once in ten seconds, with the number since its last line, and counts all', () => {
  const { log, lines } = recordingLog();
  const counted: Record<string, number> = {};
  let now = 0;
  const counter = { inc: ({ reason = '' }) => (counted[reason] = (counted[reason] ?? 0) + 1) };
  const { refused } = recordUnavailability({ counter: counter as never, log, timers: { elapsed: () => now } });
  const full = new Error('wrapped', { cause: new StoreUnavailable('the disk is full', { reason: 'disk_full' }) });
  for (; now < 10_000; now += 1_000) refused(full, { request_id: `req_${now}` });
  refused(new StoreUnavailable('the database cannot be reached'), { request_id: 'req_other' });
  refused(full, { request_id: 'req_last' });
  expect(lines.map(({ reason, count, request_id }) => [reason, count, request_id])).toEqual([
    ['disk_full', 1, 'req_0'],
    ['unreachable', 1, 'req_other'],
    ['disk_full', 10, 'req_last'],
  ]);
  expect(counted).toEqual({ disk_full: 11, unreachable: 1 });
});

/** Overwrites the root page of a table or an index. */
function damage(file: string, name: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const { rootpage } = database.prepare('select rootpage from sqlite_schema where name = ?').get(name) ?? {};
  const { page_size: size } = database.prepare('pragma page_size').get() ?? {};
  database.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(Number(size), 0xff), 0, Number(size), (Number(rootpage) - 1) * Number(size));
  closeSync(descriptor);
}

/** A running gateway with a payment, whose file is then damaged. */
async function damagedGateway() {
  const file = join(await temporaryFolder(), 'payments.db');
  const first = openSqlite(file);
  await migrate(first);
  const recording = recordingLog();
  const started = await startTestGateway({ store: first, log: recording.log });
  const { body } = await started.call('POST', '/payments', paymentRequest());
  await started.gateway.idle();
  // A reader ends its transaction in the next tick, and holds the log until then.
  await setImmediate();
  // Checkpoints, since pages still in the log are read from there.
  const checkpoint = new DatabaseSync(file);
  expect(checkpoint.prepare('pragma wal_checkpoint(truncate)').get()).toMatchObject({ log: 0 });
  checkpoint.close();
  damage(file, 'transactions');
  return { ...started, ...recording, file, id: String(body.transaction_id) };
}

it('a gateway that meets a damaged page responds with 503 to the affected request, logs the cause once, and serves other requests', async () => {
  const { call, lines, id } = await damagedGateway();
  for (let count = 0; count < 3; count++) expect((await call('GET', `/payments/${id}`)).status).toBe(503);
  expect((await call('GET', '/merchant/balance')).status).toBe(200);
  const errors = lines.filter(({ message }) => message === 'requests get 503');
  expect(errors).toEqual([expect.objectContaining({ reason: 'damaged', operation: 'getPayment', transaction_id: id })]);
  expect(errors[0]?.['err']).toMatchObject({ message: 'database disk image is malformed' });
  const { text } = await call('GET', '/metrics');
  expect(text).toContain('gateway_unavailable_total{reason="damaged"} 3');
});

it('units in a group commit fail alone if they need a damaged page', async () => {
  const { store } = (await damagedGateway()).gateway;
  const outcomes = await Promise.allSettled([
    store.unit((db) => db.run("update merchants set name = 'First'")),
    store.unit((db) => db.run("update transactions set status = 'FAILED'")),
    store.unit((db) => db.run("update merchants set name = 'Last'")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await store.read.get('select name from merchants')).toEqual({ name: 'Last' });
});

it('an audit names the damaged table, and a start with CHECK_DATABASE finds the damage', async () => {
  const { file } = await damagedGateway();
  const audit = await createRunner({ DATABASE_FILE: file })('audit');
  expect(audit).toMatchObject({ code: 1, stdout: '' });
  expect(audit.stderr).toContain(
    `Can't read the table transactions of SQLite in ${file}: database disk image is malformed\nThe database is damaged. Restore a backup.`,
  );
  // It would fail only at its address.
  const check = createRunner({ DATABASE_FILE: file, CHECK_DATABASE: 'quick', HOST: '203.0.113.1', SANDBOX: 'false' });
  const ran = await check('start', '--port', '0', '--log-level', 'silent');
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toMatch(/^SQLite in \S+ is damaged:\n- .*\nRestore a backup\.\n$/s);
});
