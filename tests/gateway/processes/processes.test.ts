/** Gateways that die: acknowledged writes are kept, and what they had begun is taken over. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditStore } from '../../../gateway/src/store/books/audit-books.ts';
import { openSqlite } from '../../../gateway/src/store/engine/sqlite/sqlite-store.ts';
import { problemType } from '../../tools/problems.ts';
import { paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { afterwards, postgresDatabase, temporaryFolder } from '../harness.ts';
import { addKey, eventually, STUCK, startProcess } from './gateways.ts';

const TIME = 60_000;

describe('two processes on one PostgreSQL', () => {
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

describe('a gateway on SQLite', () => {
  it(
    'has every write that it acknowledged after it was killed, and continues with it',
    async () => {
      const file = join(await temporaryFolder(), 'gateway.db');
      const env = { DATABASE_URL: '', DATABASE_FILE: file };
      const first = await startProcess(env);
      const store = openSqlite(file);
      afterwards(() => store.close());
      const key = await addKey(store);

      const answered: { path: string; status: string }[] = [];
      const half = Promise.withResolvers<void>();
      const calls = Array.from({ length: 120 }, async (_, index) => {
        const [path, request] =
          index % 4 === 0
            ? (['/payouts', payoutRequest({ amount: 1_000 })] as const)
            : (['/payments', paymentRequest()] as const);
        const { status, body } = await first.call('POST', path, key, request);
        expect([200, 201]).toContain(status);
        answered.push({ path: `${path}/${body.transaction_id}`, status: body.status });
        if (answered.length === 60) half.resolve();
      });
      const all = Promise.allSettled(calls);
      await half.promise;
      await first.end('SIGKILL');
      await all;
      expect(answered.length).toBeGreaterThanOrEqual(60);

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
    'ends after SIGTERM, once it has responded to the requests under way',
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
