/** docs/operations/restoring.md on PostgreSQL: an operator recovers a server to a point in time. */
import { beforeAll, expect, it } from 'vitest';
import type { Channel } from '../../gateway/src/channels/channel.ts';
import { payoutPause } from '../../gateway/src/channels/pauses.ts';
import { openPostgres } from '../../gateway/src/database/postgres/postgres-store.ts';
import { afterTheFile } from '../gateway/harness/afterwards.ts';
import { fund, payoutRequest } from '../gateway/harness/fixtures.ts';
import { createCaller } from '../gateway/harness/gateway.ts';
import { BANK } from '../gateway/harness/live.config.ts';
import { startOperated } from '../gateway/management/operator.ts';
import { type InstalledPostgres, startInstalledPostgres } from '../tools/installed-postgres.ts';
import { query } from '../tools/postgres.ts';
import { until } from '../tools/wait.ts';
import { Document } from './tools/document.ts';

const START_MS = 120_000;
const document = new Document('docs/operations/restoring.md');
let postgres: InstalledPostgres;

/** Replaces the document's folders with local ones. */
const placed = (text: string) =>
  text
    .replaceAll('/var/lib/postgresql', postgres.folder)
    .replaceAll(/(?<![\w/])\/(archive|backups)/g, `${postgres.folder}/$1`);

beforeAll(async () => {
  const started = await startInstalledPostgres((folder) =>
    document.take('archive_command', 'ini').replaceAll('/archive', `${folder}/archive`),
  );
  if (!started) throw new Error('This journey needs PostgreSQL with its tools, such as: apt-get install postgresql');
  postgres = started;
  afterTheFile(() => postgres.close());
  await postgres.shell('mkdir archive backups');
}, START_MS);

/** A gateway whose bank pays each payout once. */
async function start(url: string, paid: Set<string>) {
  const channel: Channel = {
    ...BANK,
    async payOut({ id }) {
      paid.add(id);
      return { event: { type: 'succeeded' } };
    },
  };
  return startOperated(openPostgres(url), { channels: [channel] });
}

it(
  'recovers to a point in time, with payouts paused',
  async () => {
    const paid = new Set<string>();
    await postgres.shell('createdb payments');
    const url = postgres.url('payments');
    const before = await start(url, paid);
    const { test } = before;
    await fund(test.gateway.store, test.merchant, 1_000_000);
    const payOut = async (call: typeof test.call, orderId: string) => {
      const created = await call('POST', '/payouts', payoutRequest({ merchant_order_id: orderId, amount: 60_000 }));
      return created.body.transaction_id as string;
    };
    await postgres.shell(placed(document.take('pg_basebackup')));
    const kept = await payOut(test.call, 'order-1001');
    await test.gateway.idle();
    const [[target]] = (await query(url, 'select clock_timestamp()::text')).rows as [[string]];
    const lost = await payOut(test.call, 'order-1002');
    await test.gateway.idle();
    expect([...paid]).toEqual([kept, lost]);
    await test.gateway.close();

    await postgres.shell(placed(document.take('recovery.signal')).replace('2026-03-02 08:59:00+00', target));
    const isPromoted = async () => (await query(url, 'select pg_is_in_recovery()')).rows[0]?.[0] === false;
    expect(await until(isPromoted, START_MS)).toBeDefined();

    const after = await start(url, paid);
    expect(await payoutPause(after.test.gateway.store.read)).toMatchObject({ by: undefined });
    const merchant = createCaller(after.test.gateway, test.key);
    const status = async (id: string) => (await merchant('GET', `/payouts/${id}`)).status;
    expect([await status(kept), await status(lost)]).toEqual([200, 404]);
    await payOut(merchant, 'order-1002');
    await after.test.gateway.idle();
    expect([...paid]).toEqual([kept, lost]);
  },
  2 * START_MS,
);
