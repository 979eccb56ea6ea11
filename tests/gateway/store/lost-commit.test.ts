/** A connection lost during a commit leaves the outcome unknown, so the whole group must be retried. */
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { openPostgres } from '../../../gateway/src/database/postgres/postgres-store.ts';
import { StoreUnavailable } from '../../../gateway/src/database/store.ts';
import { until } from '../../tools/wait.ts';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { spoilingProxy } from '../harness/proxy.ts';
import { afterwards, postgresDatabase, startTestGateway } from '../harness.ts';

/** The same database directly, and through a proxy that can cut connections. */
async function openProxiedStore() {
  const database = await postgresDatabase();
  const direct = database.connect({ max: 2 });
  await migrate(direct);
  const proxy = await spoilingProxy(database.address);
  const store = openPostgres(proxy.address, { max: 4 });
  afterwards(() => store.close());
  return { direct, proxy, store };
}

/** Includes the end of the message, since `read committed` also contains the word. */
const COMMIT = 'commit\0';

const WAYS = [
  ['before the commit arrives', false],
  ['after the commit has arrived', true],
] as const;

describe.each(WAYS)('units that share a transaction whose connection breaks %s', (_when, arrives) => {
  it('are all rejected as unavailable, and run once', async () => {
    const { direct, proxy, store } = await openProxiedStore();
    await store.read.get('select 1');
    let runs = 0;
    proxy.cutAt(COMMIT, { arrives });
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((id) =>
        store.unit(
          (db) => {
            runs += 1;
            return db.run('insert into merchants (id, name, created_at) values (?, ?, ?)', id, `m${id}`, START);
          },
          { together: [] },
        ),
      ),
    );
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
    expect(runs).toBe(4);
    const count = async () => (await direct.read.get('select count(*) as n from merchants'))?.['n'];
    expect(await until(async () => (await count()) === (arrives ? 4 : 0), 60_000)).toBeDefined();
  });

  it('leave retried creations with one response each', async () => {
    const { direct, proxy, store } = await openProxiedStore();
    const { call, gateway } = await startTestGateway({ store });
    await gateway.idle();
    const requests = Array.from({ length: 8 }, () => paymentRequest());
    const send = () => Promise.all(requests.map((request) => call('POST', '/payments', request)));
    proxy.cutAt(COMMIT, { arrives });
    const lost = (await send()).filter(({ status }) => status === 503);
    expect(lost.length).toBeGreaterThan(0);
    const [repeated, again] = [await send(), await send()];
    expect(repeated.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(again.map(({ body }) => body)).toEqual(repeated.map(({ body }) => body));
    const ids = (await direct.read.all('select id from transactions order by id')).map(({ id }) => id);
    expect(repeated.map(({ body }) => body.transaction_id).sort()).toEqual(ids);
  });
});
