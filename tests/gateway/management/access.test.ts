/** Keys of operators and of merchants are apart, and the management API is there with LIVE. */
import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { readContract } from '../../../gateway/src/http/contract.ts';
import { readApiDocument } from '../../../gateway/src/http/gateway-apis.ts';
import { REMEMBERED_MS } from '../../../gateway/src/http/key-holders.ts';
import {
  authenticateOperator,
  createOperatorKey,
  operatorKeys,
  revokeOperatorKey,
  revokeOperatorKeys,
} from '../../../gateway/src/operators/operator-keys.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { addOperator } from '../harness/operators.ts';
import { describeOnEachStore, openTestSqlite } from '../harness/stores.ts';
import { startOperated } from './operator.ts';

const callsOf = (operations: readonly { id: string; method: string; path: string }[]) =>
  operations.map(({ id, method, path }) => ({
    id,
    method: method.toUpperCase() as 'GET',
    path: path.replaceAll(/\{\w+\}/g, '1'),
  }));
const ADMIN = callsOf(readApiDocument('management').operations);
const CONTRACT = callsOf(readContract().operations);

describe('an operation of operators', () => {
  it.each(ADMIN)("$id responds with 401 without a key, to a merchant's key, and to an incomplete key", async (call) => {
    const { test, operator } = await startOperated(await openTestSqlite());
    const { method, path } = call;
    const refused = [
      await test.call(method, path),
      await operator.call(method, path, undefined, { authorization: undefined }),
      await operator.call(method, path, undefined, { authorization: `Bearer ${operator.key.slice(0, -1)}` }),
      await operator.call(method, path, undefined, { authorization: `Bearer ${operator.key.slice(3)}` }),
    ];
    for (const { status, body } of refused) {
      expect(status).toBe(401);
      expect(body.detail).toContain('op_');
    }
  });
});

describe("an operator's key", () => {
  it.each(CONTRACT)('gets 401 from $id, which is for merchants', async ({ method, path }) => {
    const { operator } = await startOperated(await openTestSqlite());
    expect((await operator.call(method, path)).status).toBe(401);
  });
});

describeOnEachStore('the key of an operator', (open) => {
  it('is stored as a hash, and is refused within a second after it was revoked', async () => {
    const { test, operator } = await startOperated(await open());
    const { store } = test.gateway;
    const stored = JSON.stringify(await store.read.all('select * from operator_keys'));
    expect(operator.key).toMatch(/^op_[\w-]{32}$/);
    expect(stored).not.toContain(operator.key.slice(3));
    expect((await operator.call('GET', '/management/merchants')).status).toBe(200);
    await store.unit((db) => revokeOperatorKeys(db, operator.id, test.clock.now()));
    const status = async () => (await operator.call('GET', '/management/merchants')).status;
    await expect.poll(status, { interval: REMEMBERED_MS / 5, timeout: 100 * REMEMBERED_MS }).toBe(401);
  });

  it('has a last use, accurate to a minute', async () => {
    const { test, operator } = await startOperated(await open());
    const { store } = test.gateway;
    const lastUse = async () => (await operatorKeys(store.read, operator.id))[0]?.lastUsedAt;
    const first = test.clock.now();
    await operator.call('GET', '/management/merchants');
    expect(await lastUse()).toBe(first);
    await authenticateOperator(store, operator.key, first + 59_999);
    expect(await lastUse()).toBe(first);
    await authenticateOperator(store, operator.key, first + 60_000);
    expect(await lastUse()).toBe(first + 60_000);
  });

  it('stays valid when another key of its operator is revoked', async () => {
    const { test, operator } = await startOperated(await open());
    const { store } = test.gateway;
    const now = test.clock.now();
    const other = await store.unit((db) => createOperatorKey(db, operator.id, now, randomIds));
    await store.unit((db) => revokeOperatorKey(db, other.id, now));
    expect(await authenticateOperator(store, other.key, now)).toBeUndefined();
    expect(await authenticateOperator(store, operator.key, now)).toMatchObject({ operator: { id: operator.id } });
  });

  it('still reads a database that refuses writes', async () => {
    const { test, operator } = await startOperated(await open());
    const full = {
      ...test.gateway.store,
      unit: () => Promise.reject(new StoreUnavailable('full', { reason: 'disk_full' })),
    };
    expect(await authenticateOperator(full, operator.key, test.clock.now())).toMatchObject({
      operator: { name: 'Dana' },
    });
  });

  it('is listed with its operator and its last use, without the key itself', async () => {
    const { test, operator } = await startOperated(await open());
    const now = test.clock.now();
    const other = await addOperator(test, 'Lee', 'approve');
    await test.gateway.store.unit((db) => revokeOperatorKeys(db, other.id, now));
    const { body, text } = await operator.call('GET', '/management/operators');
    const time = new Date(now).toISOString();
    const key = { id: expect.stringMatching(/^opk_/), hint: expect.stringMatching(/^….{4}$/), created_at: time };
    expect(body.data).toEqual([
      { id: other.id, name: 'Lee', role: 'approve', created_at: time, keys: [{ ...key, revoked_at: time }] },
      { id: operator.id, name: 'Dana', role: 'act', created_at: time, keys: [{ ...key, last_used_at: time }] },
    ]);
    expect(text).not.toContain(operator.key);
    const page = (await operator.call('GET', '/management/operators?limit=1')).body;
    const next = (await operator.call('GET', `/management/operators?limit=1&cursor=${page.next_cursor}`)).body;
    expect([page, next].map(({ data }) => data[0].name)).toEqual(['Lee', 'Dana']);
  });

  it('has a separate rate limit, and limits wrong keys by address before the lookup', async () => {
    const { test, operator } = await startOperated(await open(), { limits: { requestsPerSecond: 2 } });
    const other = await addOperator(test, 'Lee');
    const statuses = async (count: number, authorization: string) => {
      const calls = Array.from({ length: count }, () =>
        operator.call('GET', '/management/merchants', undefined, { authorization }),
      );
      return (await Promise.all(calls)).map(({ status }) => status).sort();
    };
    expect(await statuses(12, `Bearer ${operator.key}`)).toContain(429);
    expect(await statuses(1, `Bearer ${other.key}`)).toEqual([200]);
    let looked = 0;
    const { read } = test.gateway.store;
    const get = read.get.bind(read);
    Object.assign(read, {
      get(sql: string, ...values: never[]) {
        if (sql.includes('from operator_keys')) looked += 1;
        return get(sql, ...values);
      },
    });
    const wrong = await statuses(30, `Bearer op_${'x'.repeat(32)}`);
    expect(wrong).toContain(429);
    expect(looked).toBe(wrong.filter((status) => status === 401).length);
  });
});
