/** Statements, commits and row versions of one transaction of each kind. They are exact even on a busy machine. */
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { createGateway } from '../../gateway/src/server.ts';
import { requestExamples } from '../../generated/examples.ts';
import { clarification, confirmation } from '../gateway/harness/customer.ts';
import { inject } from '../gateway/harness/inject.ts';
import { type DatabaseSettings, insertLoadMerchant, openDatabase } from '../load/merchants.ts';
import { ManualClock } from '../tools/manual-clock.ts';
import { query } from '../tools/postgres.ts';
import { createDatabase, withPostgres } from './gateways.ts';
import { timeArrivals } from './journeys.ts';
import type { Bench, Row } from './measure.ts';

/** Transactions of each kind, one after the other. */
const COUNT = 20;
/** Longer than the settlement delay of every method. */
const SETTLED_MS = 10_000;
/** Targets of the most frequent kind. */
const MAXIMA = { kind: 'UPI payment by redirect', commits: 6, versions: 4, walBytes: 10_000 };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

// biome-ignore lint/suspicious/noExplicitAny: the members of a response depend on the request.
type Send = (method: 'GET' | 'POST', url: string, payload?: string | object) => Promise<any>;

/** Brings a transaction of one kind to SUCCESS. */
const FLOWS: Readonly<Record<string, (send: Send, order: object) => Promise<void>>> = {
  'UPI payment by redirect': async (send, order) => {
    const { body } = requestExamples.createPayment['redirect-upi'];
    const { redirect_url: page } = await send('POST', '/payments', { ...body, ...order });
    await send('POST', new URL(page).pathname, 'action=paid');
  },
  'UPI payment by h2h with extra data': async (send, order) => {
    const { body } = requestExamples.createPayment['h2h-upi-incomplete'];
    const path = `/payments/${(await send('POST', '/payments', { ...body, ...order })).transaction_id}`;
    await send('POST', `${path}/clarify`, clarification(await send('GET', path)));
    await send('POST', `${path}/confirm`, confirmation(await send('GET', path)));
  },
  'payout by IMPS': async (send, order) =>
    send('POST', '/payouts', { ...requestExamples.createPayout['imps-inr'].body, ...order }),
};

/** Counts the writes of each kind on both databases. */
export async function measureWrites(bench: Bench): Promise<Row[]> {
  const writes = countWrites();
  const onSqlite = await measureOn(writes, 'SQLite', { DATABASE_FILE: join(bench.folder, 'writes.db') });
  return withPostgres(async (server) => {
    const readWal = async () => (await query(server.url, "select pg_current_wal_lsn() - '0/0'")).rows[0]?.[0];
    const database = await createDatabase(server, 'writes');
    return [...onSqlite, ...(await measureOn(writes, 'PostgreSQL', database, async () => Number(await readWal())))];
  });
}

/** Counts what both drivers send from now on. */
function countWrites() {
  const writes = { statements: 0, commits: 0, versions: {} as Record<string, number> };
  const count = (sql: string, rows: number) => {
    const table = /(?<!\b(?:for|do) )\b(?:insert into|update|delete from) (\w+)/.exec(sql)?.[1];
    if (/^begin (immediate|.*\bread write\b)/.test(sql)) writes.commits += 1;
    else if (!/^(begin|commit|rollback|savepoint|release)\b/.test(sql)) writes.statements += 1;
    if (table !== undefined && rows > 0) writes.versions[table] = (writes.versions[table] ?? 0) + rows;
  };
  const countRows = (result: unknown) =>
    Array.isArray(result) ? result.length : Number((result as { changes?: number } | undefined)?.changes ?? !!result);
  const statement = StatementSync.prototype as unknown as Record<string, (...values: unknown[]) => unknown>;
  for (const [name, send] of ['run', 'all', 'get'].map((method) => [method, statement[method]] as const)) {
    statement[name] = function (this: StatementSync, ...values: unknown[]) {
      const result = send?.apply(this, values);
      count(this.sourceSQL, countRows(result));
      return result;
    };
  }
  const { query: send } = pg.Client.prototype as { query: (...given: unknown[]) => unknown };
  Object.assign(pg.Client.prototype, {
    query(...given: [string | { text: string }, ...unknown[]]) {
      const sql = typeof given[0] === 'string' ? given[0] : given[0].text;
      const sent = send.apply(this, given);
      if (sent instanceof Promise) sent.then(({ rowCount }) => count(sql, rowCount ?? 0)).catch(() => undefined);
      else count(sql, 0);
      return sent;
    },
  });
  return writes;
}

type Writes = ReturnType<typeof countWrites>;

async function measureOn(writes: Writes, name: string, database: DatabaseSettings, readWal = async () => 0) {
  const { url: callback_url, close } = await timeArrivals(() => '');
  const clock = new ManualClock(Date.now());
  const store = await openDatabase(database);
  const { key } = await insertLoadMerchant(store, clock.now());
  const publicUrl = () => 'http://localhost';
  const gateway = await createGateway({ store, clock, publicUrl, callbackAllow: ['127.0.0.0/8'] });
  const send: Send = async (method, url, payload) => {
    const headers = { authorization: `Bearer ${key}`, ...(typeof payload === 'string' && FORM) };
    const { statusCode, body } = await inject(gateway, { method, url, headers, ...(payload && { payload }) });
    if (statusCode >= 400) throw new Error(`${method} ${url} returned ${statusCode}: ${body}`);
    await gateway.idle();
    return body.startsWith('{') && JSON.parse(body);
  };
  const rows: Row[] = [];
  try {
    for (const [kind, flow] of Object.entries(FLOWS)) {
      const complete = async (index: number) => {
        await flow(send, { merchant_order_id: `${kind} ${index}`, callback_url });
        clock.advance(SETTLED_MS);
        await gateway.idle();
      };
      // Fills caches.
      await complete(0);
      Object.assign(writes, { statements: 0, commits: 0, versions: {} });
      const walBefore = await readWal();
      for (let index = 1; index <= COUNT; index++) await complete(index);
      const wal = (await readWal()) - walBefore;
      const per = (count: number) => Number((count / COUNT).toFixed(1));
      const sum = Object.values(writes.versions).reduce((total, one) => total + one, 0);
      const isMissed =
        kind === MAXIMA.kind &&
        (per(writes.commits) > MAXIMA.commits ||
          per(writes.versions.transactions ?? 0) > MAXIMA.versions ||
          per(wal) > MAXIMA.walBytes);
      const target = `≤ ${MAXIMA.commits} commits, transactions ${MAXIMA.versions}, ${MAXIMA.walBytes / 1_000} kB of WAL (${isMissed ? 'not met' : 'met'})`;
      const counts = `${per(writes.commits)} commits, ${per(writes.statements)} statements, ${per(sum)} row versions`;
      const figure = wal > 0 ? `${counts}, ${per(wal / 1_000)} kB of WAL` : counts;
      const tables = Object.entries(writes.versions).map(([table, count]) => `${table} ${per(count)}`);
      const cells = [`Writes of a ${kind}, ${name}`, '', figure, tables.join(', '), kind === MAXIMA.kind ? target : ''];
      rows.push({ cells, isMissed });
    }
    return rows;
  } finally {
    await gateway.close();
    await close();
  }
}
