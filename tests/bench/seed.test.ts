import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../gateway/src/database/sqlite/sqlite-store.ts';
import { auditStore } from '../../gateway/src/management/audit.ts';
import { inject, startTestGateway, temporaryFolder } from '../gateway/harness.ts';
import { seedBacklog, seededId, seedPayments } from './seed.ts';
import { writeTemplate } from './template.ts';

const COUNT = 105;

async function seeded() {
  const template = await writeTemplate(join(await temporaryFolder(), 'seeded.db'));
  seedPayments(template, COUNT);
  const { gateway } = await startTestGateway({ store: openSqlite(template.file) });
  return { template, gateway, store: gateway.store };
}

it('a gateway reads every seeded payment, each with its own id and order id', async () => {
  const { template, gateway } = await seeded();
  const orders = new Set<string>();
  for (let number = 0; number < COUNT; number++) {
    const url = `/payments/${seededId(template, number)}`;
    const response = await inject(gateway, { url, headers: { authorization: `Bearer ${template.key}` } });
    expect(response.json()).toMatchObject({ transaction_id: seededId(template, number), status: 'SUCCESS' });
    orders.add(response.json().merchant_order_id);
  }
  expect(orders.size).toBe(COUNT);
  expect([...orders]).not.toEqual([...orders].sort());
});

it('seeded payments leave balanced books and no due work', async () => {
  const { store } = await seeded();
  const { entries, differences } = await auditStore(store);
  expect(differences).toEqual([]);
  // Each payment is collected and settled; the merchant was funded once.
  expect(entries).toBe(2 * (COUNT + 1) + 1);
  const due = 'select (select count(next_attempt_at) from transactions) + (select count(next_at) from events) as due';
  expect(await store.read.get(due)).toEqual({ due: 0 });
});

it('the usage of seeded customers equals the sum of their payments', async () => {
  const { store } = await seeded();
  const rows = await store.read.all(
    `select u.customer_id, u.amount, (select sum(t.amount) from transactions t
       where t.details ->> '$.customer.id' = u.customer_id) as paid
     from customer_usage u`,
  );
  expect(rows.length).toBe(2 * (Math.ceil(COUNT / 10) + 1));
  expect(rows.filter(({ amount, paid }) => amount !== paid)).toEqual([]);
});

it('a seeded backlog is due at its URL, without attempts', async () => {
  const template = await writeTemplate(join(await temporaryFolder(), 'backlog.db'));
  seedBacklog(template, COUNT, 'http://127.0.0.1:9/hooks');
  const store = openSqlite(template.file);
  const waiting = await store.read.all(
    'select url, address, attempts, count(*) as count from events where next_at is not null group by 1, 2, 3',
  );
  await store.close();
  expect(waiting).toEqual([
    { url: 'http://127.0.0.1:9/hooks', address: 'http://127.0.0.1:9', attempts: 0, count: COUNT },
  ]);
});
