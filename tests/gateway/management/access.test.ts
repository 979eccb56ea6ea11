/** Who may call which operation of the management API, and what a merchant's key sees of other merchants. */
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
import { ROLES } from '../../../gateway/src/operators/operators.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { NO_LOG } from '../../../gateway/src/platform/log.ts';
import { payoutRequest } from '../harness/fixtures.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { addOperator } from '../harness/operators.ts';
import { openTestSqlite } from '../harness/stores.ts';
import { startEndpoint } from '../sandbox/webhooks.ts';
import { startOperated } from './operator.ts';

const callsOf = (operations: readonly { id: string; method: string; path: string }[]) =>
  operations.map(({ id, method, path }) => ({
    id,
    method: method.toUpperCase() as 'GET',
    path: path.replaceAll(/\{\w+\}/g, '1'),
  }));
const { operations, access } = readApiDocument('management');
const MANAGEMENT = callsOf(operations);
const CONTRACT = callsOf(readContract().operations);
const UNLIMITED = { requestsPerSecond: 1_000_000 };
const DAY_MS = 24 * 3_600_000;
/** A valid key is looked up again within a second. */
const CACHED = { interval: REMEMBERED_MS / 5, timeout: 60_000 };
const merchantsOf = (id: string) => access.get(id)?.merchants;

describe('an operation of the management API', () => {
  it('responds with 401 without a key, and to an invalid key of either kind', async () => {
    const { test, operator } = await startOperated(await openTestSqlite(), { limits: UNLIMITED });
    const keys = [operator.key.slice(0, -1), operator.key.slice(3), test.key.slice(0, -1)];
    for (const { id, method, path } of MANAGEMENT) {
      for (const authorization of [undefined, ...keys.map((key) => `Bearer ${key}`)]) {
        expect((await test.call(method, path, undefined, { authorization })).status, id).toBe(401);
      }
    }
  });

  it('responds to an API key with 403 exactly if it is for operators, or for test keys on a live gateway', async () => {
    const live = (await startOperated(await openTestSqlite())).test;
    const sandbox = await startTestGateway({ sandbox: true });
    for (const { id, method, path } of MANAGEMENT) {
      if (id === 'streamChanges') continue;
      const refused = [live, sandbox].map(async ({ call }) => (await call(method, path)).status === 403);
      expect(await Promise.all(refused), id).toEqual([merchantsOf(id) !== 'all', merchantsOf(id) === 'none']);
    }
  });

  it('responds to an operator key with 403 if it is for merchants only, and the contract with 401', async () => {
    const { operator } = await startOperated(await openTestSqlite());
    for (const { id, method, path } of MANAGEMENT.filter((call) => access.get(call.id)?.role === undefined)) {
      const detail = "This is for merchants. Send the merchant's API key.";
      expect(await operator.call(method, path), id).toMatchObject({ status: 403, body: { detail } });
    }
    for (const { id, method, path } of CONTRACT) expect((await operator.call(method, path)).status, id).toBe(401);
  });

  it('shows a merchant nothing of another one: its objects are 404, and its lists leave them out', async () => {
    const { test, decline } = await startEndpoint();
    const { call: callAsOwner, merchant } = test;
    const other = await test.addMerchant('Other');
    await callAsOwner('POST', '/sandbox/wallets/INR/fund', { amount: 1_000_000 });
    const payment = await decline();
    const payout = (await callAsOwner('POST', '/payouts', payoutRequest())).body.transaction_id;
    await test.gateway.idle();
    const first = async (path: string) => (await callAsOwner('GET', path)).body.data[0].id;
    const named: Readonly<Record<string, string>> = {
      merchant_id: String(merchant.id),
      event_id: await first('/management/events'),
      request_id: await first('/management/requests'),
      secret_id: await first(`/management/merchants/${merchant.id}/signing-secrets`),
    };
    const query: Readonly<Record<string, string>> = { listLedgerEntries: '?currency=INR' };
    const body: Readonly<Record<string, object>> = { replayEvents: { since: new Date(0).toISOString(), state: 'all' } };
    for (const { id, method, path, parameters } of operations) {
      if (merchantsOf(id) === 'none' || id === 'streamChanges' || id === 'getCaller') continue;
      const names = { ...named, transaction_id: path.includes('payouts') ? payout : payment };
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => names[name as keyof typeof names]) + (query[id] ?? '');
      const send = ({ call }: Pick<typeof other, 'call'>, filter = '') =>
        call(method.toUpperCase() as 'GET', url + filter, body[id]);
      const refused = await send(other);
      const own = await send(test);
      expect(own.status, id).toBe(200);
      if (path.includes('{')) expect(refused.status, id).toBe(404);
      else if (id === 'replayEvents') expect([refused.body.events, own.body.events]).toEqual([0, 2]);
      else {
        const ids = toIds(own.body);
        expect(ids, id).not.toEqual([]);
        for (const one of toIds(refused.body)) expect(ids, id).not.toContain(one);
        if (parameters.some(({ name, in: place }) => name === 'merchant_id' && place === 'query'))
          expect((await send(other, `?merchant_id=${merchant.id}`)).status, id).toBe(404);
      }
    }
    const theirs = { ...body['replayEvents'], merchant_id: merchant.id };
    expect((await other.call('POST', '/management/events/replay', theirs)).status).toBe(404);
    expect((await other.call('GET', '/management/caller')).body.merchant.id).toBe(other.merchant.id);
  });
});

/** The ids of a list. */
function toIds({ data }: { readonly data: readonly { readonly id?: string; readonly transaction_id?: string }[] }) {
  return data.map(({ id, transaction_id }) => id ?? transaction_id);
}

describe('the key of an operator', () => {
  it('is stored as a hash, and is refused within a second after it was revoked, unlike another one', async () => {
    const { test, operator } = await startOperated(await openTestSqlite());
    const { store } = test.gateway;
    const now = test.clock.now();
    const stored = JSON.stringify(await store.read.all('select * from operator_keys'));
    expect(operator.key).toMatch(/^op_[\w-]{32}$/);
    expect(stored).not.toContain(operator.key.slice(3));
    const status = async () => (await operator.call('GET', '/management/merchants')).status;
    expect(await status()).toBe(200);
    const other = await store.unit((db) => createOperatorKey(db, operator.id, now, randomIds));
    await store.unit((db) => revokeOperatorKey(db, other.id, now));
    expect(await authenticateOperator(store, other.key, now)).toBeUndefined();
    expect(await authenticateOperator(store, operator.key, now)).toMatchObject({ operator: { id: operator.id } });
    await store.unit((db) => revokeOperatorKeys(db, operator.id, now));
    await expect.poll(status, CACHED).toBe(401);
  });

  it('has a last use, accurate to a minute, and is valid even if a full disk refuses to write it', async () => {
    const { test, operator } = await startOperated(await openTestSqlite());
    const { store } = test.gateway;
    const lastUse = async () => (await operatorKeys(store.read, operator.id))[0]?.lastUsedAt;
    const first = test.clock.now();
    const unit = () => Promise.reject(new StoreUnavailable('full', { reason: 'disk_full' }));
    const used = await authenticateOperator({ ...store, unit }, operator.key, first);
    expect(used).toMatchObject({ operator: { name: 'Dana' } });
    for (const [at, lastUsedAt] of [
      [0, 0],
      [59_999, 0],
      [60_000, 60_000],
    ] as const) {
      await authenticateOperator(store, operator.key, first + at);
      expect(await lastUse()).toBe(first + lastUsedAt);
    }
  });

  it('is refused from its expiry on, with the time and the command that creates another one', async () => {
    const { test, operator } = await startOperated(await openTestSqlite());
    const expiry = test.clock.now() + 90 * DAY_MS;
    const call = () => operator.call('GET', '/management/merchants');
    test.clock.advance(90 * DAY_MS - 1);
    expect((await call()).status).toBe(200);
    test.clock.advance(1);
    await expect.poll(async () => (await call()).status, CACHED).toBe(401);
    const detail = `This operator key expired at ${new Date(expiry).toISOString()}. Create another one: payments-gateway operator-key create ${operator.id}`;
    expect(await call()).toMatchObject({ body: { detail } });
  });

  it('is listed with its operator and its last use, without the key itself', async () => {
    const { test, operator } = await startOperated(await openTestSqlite());
    const now = test.clock.now();
    const other = await addOperator(test, 'Lee', 'approve');
    await test.gateway.store.unit((db) => revokeOperatorKeys(db, other.id, now));
    const first = await operator.call('GET', '/management/operators?limit=1');
    const second = await operator.call('GET', `/management/operators?limit=1&cursor=${first.body.next_cursor}`);
    const time = new Date(now).toISOString();
    const key = {
      ...{ id: expect.stringMatching(/^opk_/), hint: expect.stringMatching(/^….{4}$/), created_at: time },
      expires_at: new Date(now + 90 * DAY_MS).toISOString(),
    };
    expect([...first.body.data, ...second.body.data]).toEqual([
      { id: other.id, name: 'Lee', role: 'approve', created_at: time, keys: [{ ...key, revoked_at: time }] },
      { id: operator.id, name: 'Dana', role: 'act', created_at: time, keys: [{ ...key, last_used_at: time }] },
    ]);
    expect(first.text + second.text).not.toContain(operator.key);
  });

  it('has a separate rate limit, and wrong keys share the limit of their address', async () => {
    const { test, operator } = await startOperated(await openTestSqlite(), { limits: { requestsPerSecond: 2 } });
    const other = await addOperator(test, 'Lee');
    const statuses = async (count: number, key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const send = () => operator.call('GET', '/management/merchants', undefined, headers);
      return (await Promise.all(Array.from({ length: count }, send))).map(({ status }) => status);
    };
    // A looked-up key is cached. Until then, requests count for their address.
    expect(await statuses(1, operator.key)).toEqual([200]);
    expect(await statuses(12, operator.key)).toContain(429);
    expect(await statuses(1, other.key)).toEqual([200]);
    expect(await statuses(30, `op_${'x'.repeat(32)}`)).toContain(429);
  });
});

const roleOf = (id: string) => access.get(id)?.role;
const FOR_OPERATORS = MANAGEMENT.filter(({ id }) => roleOf(id) !== undefined);
const ranks: readonly (string | undefined)[] = ROLES;

it('every operation that reads takes the role read, and every other one more than that', () => {
  for (const { id, method } of FOR_OPERATORS) {
    const reads = method === 'GET' || id === 'auditLedger';
    const allowed = reads ? ['read'] : ['support', 'act', 'approve'];
    expect(allowed, id).toContain(roleOf(id));
  }
});

it('an operator gets 403 exactly from operations of a higher role', async () => {
  const { test } = await startOperated(await openTestSqlite());
  for (const [rank, role] of ROLES.entries()) {
    const { call } = await addOperator(test, role, role);
    for (const { id, method, path } of FOR_OPERATORS) {
      const { status, body } = await call(method, path);
      expect(status === 403, `${role} ${id}`).toBe(ranks.indexOf(roleOf(id)) > rank);
      if (status === 403) expect(body.detail).toContain(`the role \`${roleOf(id)}\`, and ${role} has \`${role}\``);
    }
  }
});

/** A log that keeps the lines of changes. */
function changeLog() {
  const lines: object[] = [];
  const log = {
    ...NO_LOG,
    info: (fields: object, message: string) => message === 'operator change' && lines.push(fields),
  };
  return { log, lines };
}

describe('the record of changes', () => {
  it('lists changes with operator and time, page by page, and logs each', async () => {
    const { log, lines } = changeLog();
    const { test, operator } = await startOperated(await openTestSqlite(), { log });
    const lee = await addOperator(test, 'Lee');
    const path = `/management/merchants/${test.merchant.id}/signing-secrets/rotate`;
    const secrets: string[] = [];
    for (const { call } of [operator, lee, operator]) {
      secrets.push((await call('POST', path)).body.secret);
      test.clock.advance(1_000);
    }
    await operator.call('POST', `/management/merchants/${test.merchant.id}/signing-secrets/sec_unknown/revoke`);
    const first = (await operator.call('GET', '/management/changes?limit=2')).body;
    const second = (await operator.call('GET', `/management/changes?limit=2&cursor=${first.next_cursor}`)).body;
    const changes = [...first.data, ...second.data];
    expect(changes.map((change) => change.operator)).toEqual([operator.name, 'Lee', operator.name]);
    expect(second).not.toHaveProperty('next_cursor');
    expect(lines).toEqual(
      changes.toReversed().map(({ operator_id, operator: name, action, merchant_id, subject }) => ({
        ...{ request_id: expect.stringMatching(/^req_/), operator_id, operator: name, action, merchant_id, subject },
      })),
    );
    for (const secret of secrets) expect(JSON.stringify([changes, lines])).not.toContain(secret);
  });

  it('contains no change that failed, and neither does the log', async () => {
    const { log, lines } = changeLog();
    const { test, operator, decline } = await startOperated(await openTestSqlite(), { log });
    await decline();
    const { store } = test.gateway;
    const [{ id }] = (await operator.call('GET', '/management/events')).body.data;
    await store.unit((db) => db.run('drop table operator_changes'));
    expect((await operator.call('POST', `/management/events/${id}/resend`)).status).toBe(500);
    expect(await store.read.all('select id from events where resend_of is not null')).toEqual([]);
    expect(lines).toEqual([]);
  });
});
