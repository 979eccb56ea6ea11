/** Several gateways that share a database under load, while one of them dies. */
import { describe, expect, it } from 'vitest';
import { auditStore } from '../../../gateway/src/store/books/audit-books.ts';
import type { CreatePaymentRequest } from '../../../generated/types.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { postgresDatabase } from '../harness.ts';
import { addKey, eventually, type GatewayProcess, STUCK, startProcess } from './gateways.ts';

const TIME = 60_000;

/** Does a step with one of the processes after the other, until one of them responds. */
async function withAny<T>(processes: readonly GatewayProcess[], step: (one: GatewayProcess) => Promise<T>): Promise<T> {
  let turn = Math.floor(Math.random() * processes.length);
  return eventually(async () => {
    const one = processes[turn++ % processes.length];
    return one && step(one).catch(() => undefined);
  });
}

/** Brings a payment to SUCCESS with whichever processes respond. */
async function payThrough(processes: readonly GatewayProcess[], key: string): Promise<string> {
  const request: CreatePaymentRequest = paymentRequest({ amount: 10_000 });
  const made = await withAny(processes, (one) => one.call('POST', '/payments', key, request));
  expect(made.status).toBe(200);
  const path = `/payments/${made.body.transaction_id}`;
  const status = (wanted: string) =>
    withAny(processes, async (one) => {
      const { body } = await one.call('GET', path, key);
      return body.status === wanted ? body : undefined;
    });
  await status('PAY_CONFIRMATION_NEEDED');
  const given = { confirm_data: { amount: '10000', tid: '1' } };
  // Repeated after a process died, a confirmation that had been taken gets 409.
  const confirmed = await withAny(processes, (one) => one.call('POST', `${path}/confirm`, key, given));
  expect([200, 409]).toContain(confirmed.status);
  await status('SUCCESS');
  return made.body.transaction_id;
}

describe('three processes on one PostgreSQL', () => {
  it(
    'start at once on an empty database, share the work, and lose nothing when one is killed',
    async () => {
      const database = await postgresDatabase();
      const env = { DATABASE_URL: database.address };
      const processes = await Promise.all([startProcess(env), startProcess(env), startProcess(env)]);
      const store = database.connect();
      const key = await addKey(store);

      const first = await Promise.all(Array.from({ length: 15 }, () => payThrough(processes, key)));
      const going = Array.from({ length: 45 }, () => payThrough(processes, key));
      await Promise.race(going);
      await processes[0].end('SIGKILL');
      const ids = [...first, ...(await Promise.all(going))];

      expect(new Set(ids).size).toBe(60);
      expect(await store.read.all('select id from transactions')).toHaveLength(60);
      await eventually(async () => {
        const [settled] = await store.read.all("select count(*) as count from ledger_entries where reason = 'settled'");
        return settled?.['count'] === 60 ? true : undefined;
      });
      const { body } = await processes[1].call('GET', '/merchant/balance', key);
      expect(body.balances).toEqual([{ currency: 'INR', available: 10_000_000 + 60 * 10_000, pending: 0 }]);
      expect((await auditStore(store)).differences).toEqual([]);
    },
    TIME,
  );
});

describe('a clarification', () => {
  it(
    'is taken by one of two processes, and finished by the other with the same data when that one is killed',
    async () => {
      const database = await postgresDatabase();
      const env = { DATABASE_URL: database.address };
      const stuck = await startProcess(env, STUCK);
      const other = await startProcess(env);
      const store = database.connect();
      const key = await addKey(store);
      const { name: _, phone: __, ...customer } = paymentRequest().customer;
      const made = await stuck.call('POST', '/payments', key, { ...paymentRequest(), customer });
      expect(made.body.status).toBe('EXTRA_DATA_NEEDED');
      const path = `/payments/${made.body.transaction_id}`;
      const data = (name: string) => ({ clarify_data: { name, phone: '+919812345671' } });
      const first = stuck.call('POST', `${path}/clarify`, key, data('First')).catch(() => 'cut');
      expect(JSON.parse((await stuck.lines.next()).value)).toEqual(data('First').clarify_data);
      expect((await other.call('POST', `${path}/clarify`, key, data('Second'))).status).toBe(409);
      await stuck.end('SIGKILL');
      expect(await first).toBe('cut');
      await eventually(async () => {
        const { body } = await other.call('GET', path, key);
        return body.status === 'PAY_CONFIRMATION_NEEDED' ? true : undefined;
      }, 15_000);
      const row = await store.read.get('select state from transactions where id = ?', made.body.transaction_id);
      expect(JSON.parse(String(row?.['state'])).supplied).toEqual(data('First').clarify_data);
    },
    TIME,
  );
});
