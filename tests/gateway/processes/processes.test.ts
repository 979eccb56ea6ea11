/** Gateways that die: what was answered is still there, and what they had begun is taken over. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditStore } from '../../../gateway/src/commands/audit.ts';
import { createApiKey } from '../../../gateway/src/store/api-keys.ts';
import { openSqlite } from '../../../gateway/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../gateway/src/store/store.ts';
import type { CreatePaymentRequest } from '../../../generated/types.ts';
import { problemType } from '../../tools/problems.ts';
import { addMerchant, fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { afterwards, postgresDatabase, temporaryFolder } from '../harness.ts';
import { eventually, type GatewayProcess, STUCK, startProcess } from './gateways.ts';

const TIME = 60_000;

async function addKey(store: Store): Promise<string> {
  const merchant = await addMerchant(store);
  await fund(store, merchant, 10_000_000);
  return (await store.unit((db) => createApiKey(db, merchant.id, Date.now()))).key;
}

/** Does a step with one of the processes after the other, until one of them answers. */
async function withAny<T>(processes: readonly GatewayProcess[], step: (one: GatewayProcess) => Promise<T>): Promise<T> {
  let turn = Math.floor(Math.random() * processes.length);
  return eventually(async () => {
    const one = processes[turn++ % processes.length];
    return one && step(one).catch(() => undefined);
  });
}

/** Brings a payment to SUCCESS with whichever processes answer. */
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

  it(
    'take over within seconds what a killed one had claimed',
    async () => {
      const database = await postgresDatabase();
      const env = { DATABASE_URL: database.address };
      const stuck = await startProcess(env, STUCK);
      const other = await startProcess(env);
      const key = await addKey(database.connect());
      const made = await Promise.all(
        Array.from({ length: 5 }, () => stuck.call('POST', '/payments', key, paymentRequest())),
      );
      const { value: held } = await stuck.lines.next();
      expect(made.map(({ body }) => body.transaction_id)).toContain(held);
      await stuck.end('SIGKILL');
      await eventually(async () => {
        const { body } = await other.call('GET', `/payments/${held}`, key);
        return body.status === 'PAY_CONFIRMATION_NEEDED' ? true : undefined;
      }, 12_000);
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

describe('a gateway on SQLite', () => {
  it(
    'has everything that it answered after it was killed in the middle, and goes on with it',
    async () => {
      const file = join(await temporaryFolder(), 'gateway.db');
      const env = { DATABASE_URL: '', DATABASE_FILE: file };
      const first = await startProcess(env);
      const store = openSqlite(file);
      afterwards(() => store.close());
      const key = await addKey(store);

      const answered: { path: string; status: string }[] = [];
      const half = Promise.withResolvers<void>();
      const calls = Array.from({ length: 400 }, async (_, index) => {
        const [path, request] =
          index % 4 === 0
            ? (['/payouts', payoutRequest({ amount: 1_000 })] as const)
            : (['/payments', paymentRequest()] as const);
        const { status, body } = await first.call('POST', path, key, request);
        expect([200, 201]).toContain(status);
        answered.push({ path: `${path}/${body.transaction_id}`, status: body.status });
        if (answered.length === 200) half.resolve();
      });
      const all = Promise.allSettled(calls);
      await half.promise;
      await first.end('SIGKILL');
      await all;
      expect(answered.length).toBeGreaterThanOrEqual(200);

      const second = await startProcess(env);
      for (const { path } of answered) {
        await eventually(async () => {
          const { status, body } = await second.call('GET', path, key);
          expect(status).toBe(200);
          return ['PAY_CONFIRMATION_NEEDED', 'SUCCESS'].includes(body.status) ? true : undefined;
        });
      }
      expect((await auditStore(store)).differences).toEqual([]);
      expect(await store.read.get('pragma integrity_check')).toEqual({ integrity_check: 'ok' });
    },
    TIME,
  );

  it(
    'ends by itself when it is asked to, after it has answered what it had begun',
    async () => {
      const file = join(await temporaryFolder(), 'gateway.db');
      const gateway = await startProcess({ DATABASE_URL: '', DATABASE_FILE: file });
      const store = openSqlite(file);
      afterwards(() => store.close());
      const key = await addKey(store);
      const calls = Array.from({ length: 50 }, () => gateway.call('POST', '/payments', key, paymentRequest()));
      const all = Promise.allSettled(calls);
      await Promise.race(calls);
      expect(await gateway.end('SIGTERM')).toBe(0);
      const made = (await all).flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const created = made.filter(({ status }) => status === 200).map(({ body }) => body.transaction_id);
      const refused = made.filter(({ status }) => status !== 200);
      expect(refused.map(({ body }) => body.type)).toEqual(refused.map(() => problemType('unavailable')));
      const stored = (await store.read.all('select id from transactions')).map(({ id }) => id);
      expect(stored).toEqual(expect.arrayContaining(created));
    },
    TIME,
  );
});
