/** Two gateways behind a connection pooler in transaction mode, which share its few sessions of the server. */
import { expect, it } from 'vitest';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { describeBehindPooler, pooledDatabase } from '../harness.ts';
import { addKey, eventually, startProcess } from './gateways.ts';

const TIME = 60_000;
const PAIRS = 20;

describeBehindPooler('two processes behind a pooler', () => {
  it(
    'two gateways behind a pooler start concurrently on an empty database, and share orders, confirmations and background work',
    async () => {
      const database = await pooledDatabase();
      const env = { DATABASE_URL: database.address, DATABASE_POOLER: 'transaction', SANDBOX: 'false' };
      const [one, other] = await Promise.all([startProcess(env), startProcess(env)]);
      const store = database.connect();
      const key = await addKey(store);

      const reaches = (path: string, status: string) =>
        eventually(async () => ((await other.call('GET', path, key)).body.status === status ? true : undefined));
      async function pay(): Promise<void> {
        const request = paymentRequest({ amount: 10_000 });
        const both = await Promise.all([one, other].map((gateway) => gateway.call('POST', '/payments', key, request)));
        expect(both.map(({ status }) => status)).toEqual([200, 200]);
        const [id, same] = both.map(({ body }) => body.transaction_id);
        expect(same).toBe(id);
        await reaches(`/payments/${id}`, 'PAY_CONFIRMATION_NEEDED');
        const given = { confirm_data: { amount: '10000', tid: '1' } };
        expect((await one.call('POST', `/payments/${id}/confirm`, key, given)).status).toBe(200);
        await reaches(`/payments/${id}`, 'SUCCESS');
      }
      async function payOut(): Promise<void> {
        const made = await one.call('POST', '/payouts', key, payoutRequest({ amount: 1_000 }));
        expect([200, 201]).toContain(made.status);
        await reaches(`/payouts/${made.body.transaction_id}`, 'SUCCESS');
      }

      await Promise.all(Array.from({ length: PAIRS }, () => [pay(), payOut()]).flat());
      await eventually(async () => {
        const { body } = await other.call('GET', '/merchant/balance', key);
        const [balance] = body.balances;
        return balance?.pending === 0 && balance.available === 10_000_000 + PAIRS * 9_000 ? true : undefined;
      });
      expect(await store.read.all('select id from transactions')).toHaveLength(2 * PAIRS);
      expect((await auditStore(store)).differences).toEqual([]);
      expect(await one.end('SIGTERM')).toBe(0);
      expect(await other.end('SIGTERM')).toBe(0);
    },
    TIME,
  );
});
