/**
 * The portable profile of PostgreSQL: serializable transactions with retries after conflicts, and only portable
 * features.
 */
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { type Database, Rejection, type Row, type Store } from '../../../gateway/src/database/store.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { injectConflicts } from '../harness/conflicts.ts';
import { confirmation } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest, START } from '../harness/fixtures.ts';
import { createCaller } from '../harness/gateway.ts';
import { openTestPostgres, postgresDatabase, startTestGateway } from '../harness.ts';
import { startReceiver } from '../webhooks/receiver.ts';

/** Features that other databases lack or restrict. */
const POSTGRES_ONLY = /for (no key )?update|for (key )?share|skip locked|advisory|lock table|temporary/i;

/** A store with tables, in which each writing transaction fails with this probability. */
async function openConflicting(share: number, code?: string) {
  const conflicts = injectConflicts('conflicting', share, code);
  return { conflicts, store: await openTestPostgres(conflicts.connection) };
}

function insertMerchant(db: Database, id: number): Promise<number> {
  return db.run('insert into merchants (id, name, created_at) values (?, ?, ?)', id, `m${id}`, START);
}

async function merchantIds({ read }: Store): Promise<unknown[]> {
  return (await read.all('select id from merchants order by id')).map(({ id }) => id);
}

const IDS = Array.from({ length: 40 }, (_, index) => index + 1);

it.each([
  ['alone', undefined],
  ['with others in one transaction', []],
])(
  'a unit of work committed %s is unavailable and rolled back if every attempt ends with a conflict',
  async (_how, together) => {
    const { conflicts, store } = await openConflicting(1);
    const failing = store.unit((db) => insertMerchant(db, 1), { together });
    await expect(failing).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'busy' });
    expect(await merchantIds(store)).toEqual([]);
    expect(conflicts.injected.statement + conflicts.injected.commit).toBeGreaterThanOrEqual(20);
  },
);

it('a commit with an unknown outcome is unavailable instead of retried', async () => {
  const { conflicts, store } = await openConflicting(1, '40003');
  let runs = 0;
  const ask = () =>
    store.unit(async () => {
      runs += 1;
    });
  while (conflicts.injected.commit === 0) await expect(ask()).rejects.toMatchObject({ name: 'StoreUnavailable' });
  expect(runs).toBe(conflicts.injected.commit);
});

it('a conflict reruns a unit even if the unit has caught it or failed later', async () => {
  const { store } = await openConflicting(0.5);
  const catching = IDS.map((id) =>
    store.unit(async (db) => {
      const inserted = await insertMerchant(db, id).catch(() => 0);
      return inserted === 1 ? inserted : new Rejection('missing');
    }),
  );
  const together = IDS.map((id) =>
    store.unit((db) => Promise.allSettled([insertMerchant(db, -id), insertMerchant(db, -id - 100)])),
  );
  expect(await Promise.all(catching)).toEqual(IDS.map(() => 1));
  for (const outcome of (await Promise.all(together)).flat()) expect(outcome.status).toBe('fulfilled');
});

it("units that read each other's writes are serializable, although no row is locked", async () => {
  const { store } = await openConflicting(0);
  const insertNext = async (db: Database) =>
    insertMerchant(db, Number((await db.get('select count(*) as n from merchants'))?.['n']));
  await Promise.all(IDS.slice(0, 12).map(() => store.unit(insertNext)));
  expect(await merchantIds(store)).toEqual(IDS.slice(0, 12).map((id) => id - 1));
});

const DAY_MS = 24 * 60 * 60_000;
const PAYOUT = 1_000;

/**
 * Creates each transaction at both gateways concurrently, runs all to a final status, and expects each exactly once.
 * The wallet initially covers half of the payouts.
 */
async function carryLoad(share: number, payments: number) {
  const conflicts = injectConflicts('load', share);
  const database = await postgresDatabase(conflicts.connection);
  const [store, other] = [database.connect(), database.connect()];
  await Promise.all([migrate(store), migrate(other)]);
  const receiver = await startReceiver();
  const options = { clock: new ManualClock(START), callbackAllow: ['127.0.0.0/8'] };
  const one = await startTestGateway({ store, ...options });
  const two = await startTestGateway({ store: other, ...options });
  const calls = [one.call, createCaller(two.gateway, one.key)];
  await fund(store, one.merchant, (payments / 4) * PAYOUT);

  const create = async (path: string, request: object) => {
    const [first, again] = await Promise.all(calls.map((call) => call('POST', path, request)));
    expect(again?.body.transaction_id).toBe(first?.body.transaction_id);
    return String(first?.body.transaction_id);
  };
  // Gateways of other tests may still send webhooks to an earlier endpoint with this port.
  const path = `/webhooks/${randomIds.text(16)}`;
  const callback = { callback_url: receiver.address + path };
  const [made, madePayouts] = await Promise.all([
    Promise.all(Array.from({ length: payments }, () => create('/payments', paymentRequest(callback)))),
    Promise.all(
      Array.from({ length: payments / 2 }, () => create('/payouts', payoutRequest({ amount: PAYOUT, ...callback }))),
    ),
  ]);
  const idle = () => Promise.all([one.gateway.idle(), two.gateway.idle()]);
  await idle();
  await Promise.all(
    made.map(async (id, index) => {
      const { body } = await one.call('GET', `/payments/${id}`);
      await calls[index % 2]?.('POST', `/payments/${id}/confirm`, confirmation(body));
    }),
  );
  for (let day = 0; day < 10; day++) {
    await idle();
    options.clock.advance(DAY_MS);
  }
  await idle();

  const rows = (sql: string) => store.read.all(sql);
  const ids = (found: readonly Row[]) => found.map(({ id }) => String(id));
  expect(ids(await rows('select id from transactions order by id'))).toEqual([...made, ...madePayouts].sort());
  expect(await rows("select id from transactions where status not in ('SUCCESS', 'FAILED')")).toEqual([]);
  expect((await auditStore(store)).differences).toEqual([]);
  const requests = receiver.requests.filter((request) => request.path === path);
  const received = requests.map(({ headers }) => String(headers['webhook-id']));
  expect(received.sort()).toEqual(ids(await rows('select id from events order by id')));
  expect(await rows("select id from transactions where kind = 'payout' and status = 'SUCCESS'")).toHaveLength(
    payments / 4,
  );
  return conflicts;
}

it.each([0.1, 0.3, 0.5])(
  'two gateways process each transaction exactly once, with portable statements, if %d of their transactions fail',
  async (share) => {
    const { injected, sent } = await carryLoad(share, 120);
    for (const count of Object.values(injected)) expect(count).toBeGreaterThan(0);
    expect([...sent].filter((sql) => POSTGRES_ONLY.test(sql))).toEqual([]);
    const begun = [...sent].filter((sql) => sql.startsWith('begin'));
    expect(begun.filter((sql) => !/isolation level serializable|read only/.test(sql))).toEqual([]);
  },
);
