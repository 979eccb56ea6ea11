/** Upgrades of sandboxes: what merchants have set there, and what it affects, stays. */
import { describe, expect, it } from 'vitest';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { createApiKey } from '../../../gateway/src/store/access/api-keys.ts';
import { createSigningSecret } from '../../../gateway/src/store/access/signing-secrets.ts';
import { migrate } from '../../../gateway/src/store/engine/migrate.ts';
import { partitionTables } from '../../../gateway/src/store/engine/postgres/partition-tables.ts';
import type { Store, Value } from '../../../gateway/src/store/engine/store.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { addMerchant, addPayment, START } from '../harness/fixtures.ts';
import { postgresDatabase, sqliteDatabase, startTestGateway, type TestDatabase } from '../harness.ts';
import { startReceiver } from '../webhooks/receiver.ts';

/** The last schema in which `events` had the faults, and changes of settings had no row for their number. */
const BEFORE = 19;
const RULES = [
  { id: 'rul_1', fault: 'drop', attempts: 3, events_left: 0 },
  { id: 'rul_2', fault: 'duplicate', attempts: 3, events_left: 0 },
];

async function insert(store: Store, table: string, row: Readonly<Record<string, Value>>): Promise<void> {
  const columns = Object.keys(row);
  const sql = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
  await store.unit((db) => db.run(sql, ...Object.values(row)));
}

/** A merchant with rules, and events that they were selected for: one to be dropped, one that nothing affects, a settled one. */
async function leaveEvents(database: TestDatabase, url: string, partitioned = false) {
  const store = database.connect();
  await migrate(store, { upTo: BEFORE });
  if (partitioned) await partitionTables(store, START);
  const merchant = await addMerchant(store);
  const { key } = await store.unit((db) => createApiKey(db, merchant.id, START));
  await store.unit((db) => createSigningSecret(db, merchant.id, START, NO_KEYS));
  const settings = JSON.stringify({ webhookFaults: RULES });
  await insert(store, 'sandbox_settings', { merchant_id: merchant.id, settings, changed: 7 });
  const payment = await addPayment(store, merchant, { dueAt: START + 1e9 });
  const body = '{"status":"SUCCESS"}';
  const event = { merchant_id: merchant.id, transaction_id: payment.id, url, address: new URL(url).origin, body };
  const tried = { ...event, created_at: START, attempts: 1 };
  await insert(store, 'events', { ...tried, id: 'evt_1', next_at: START + 5_000, fault_rules: 'rul_1' });
  await insert(store, 'events', { ...tried, id: 'evt_2', next_at: START + 5_000, fault_rules: '' });
  await insert(store, 'events', { ...tried, id: 'evt_3', delivered_at: START, fault_rules: 'rul_2' });
  return { store, key };
}

describe.each([
  ['on SQLite', sqliteDatabase, false],
  ['on PostgreSQL', postgresDatabase, false],
  ['on PostgreSQL with partitions', postgresDatabase, true],
])('a sandbox of an earlier version %s', (_where, database, partitioned) => {
  it('continues to affect the webhooks for which faults were selected, and no others', async () => {
    const receiver = await startReceiver();
    const { store, key } = await leaveEvents(await database(), `${receiver.address}/hook`, partitioned);
    const clock = new ManualClock(START);
    const test = await startTestGateway({ store, clock, sandbox: true, callbackAllow: ['127.0.0.0/8'] });
    clock.advance(5_000);
    await receiver.received(1);
    await test.gateway.idle();
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_2']);
    const [dropped] = await store.read.all("select * from events where id = 'evt_1'");
    expect(dropped).toMatchObject({ attempts: 2, last_result: 'not sent: dropped by a webhook fault' });
    expect(await store.read.all('select * from webhook_fault_selections order by event_id')).toEqual([
      { event_id: 'evt_1', rules: 'rul_1' },
      { event_id: 'evt_2', rules: '' },
    ]);

    const headers = { authorization: `Bearer ${key}` };
    const added = await test.call('POST', '/sandbox/webhook-faults', { fault: 'drop' }, headers);
    expect(added.status).toBe(201);
    expect(await store.read.all('select changed from sandbox_settings')).toEqual([{ changed: 8 }]);
    // They report no transaction as the contract has them.
    await store.unit((db) => db.run('delete from events'));
    expect(await store.read.all('select * from webhook_fault_selections')).toEqual([]);
  });
});
