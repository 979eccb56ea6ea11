/** A damaged page of an SQLite file: operations on it fail with the cause, and all others continue. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { createRunner } from '../commands/run-command.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { recordingLog } from '../harness/recording-log.ts';
import { startTestGateway, temporaryFolder } from '../harness.ts';

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
async function damagedGateway(name: string) {
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
  damage(file, name);
  return { ...started, ...recording, file, id: String(body.transaction_id) };
}

it('a gateway that meets a damaged page responds with 503 to the affected request, logs the cause once, and serves other requests', async () => {
  const { call, lines, id } = await damagedGateway('transactions');
  for (let count = 0; count < 3; count++) expect((await call('GET', `/payments/${id}`)).status).toBe(503);
  expect((await call('GET', '/merchant/balance')).status).toBe(200);
  const errors = lines.filter(({ message }) => message === 'requests get 503');
  expect(errors).toEqual([expect.objectContaining({ reason: 'damaged', operation: 'getPayment', transaction_id: id })]);
  expect(errors[0]?.['err']).toMatchObject({ message: 'database disk image is malformed' });
  const { text } = await call('GET', '/metrics');
  expect(text).toContain('gateway_unavailable_total{reason="damaged"} 3');
});

it('units in a group commit fail alone if they need a damaged page', async () => {
  const { gateway } = await damagedGateway('transactions');
  const { store } = gateway;
  const outcomes = await Promise.allSettled([
    store.unit((db) => db.run("update merchants set name = 'First'")),
    store.unit((db) => db.run("update transactions set status = 'FAILED'")),
    store.unit((db) => db.run("update merchants set name = 'Last'")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await store.read.get('select name from merchants')).toEqual({ name: 'Last' });
});

describe('a command on a damaged file', () => {
  it('names the table that audit could not read', async () => {
    const { file } = await damagedGateway('transactions');
    const ran = await createRunner({ DATABASE_FILE: file })('audit');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(
      `Can't read the table transactions of SQLite in ${file}: database disk image is malformed\nThe database is damaged. Restore a backup.`,
    );
  });

  it('finds the damage at the start with CHECK_DATABASE', async () => {
    const { file } = await damagedGateway('transactions');
    // It would fail only at its address.
    const check = createRunner({ DATABASE_FILE: file, CHECK_DATABASE: 'quick', HOST: '203.0.113.1', SANDBOX: 'false' });
    const ran = await check('start', '--port', '0', '--log-level', 'silent');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^SQLite in \S+ is damaged:\n- .*\nRestore a backup\.\n$/s);
  });
});
