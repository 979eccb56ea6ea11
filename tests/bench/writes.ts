/** Statements, commits and row versions of one transaction of each kind. They are exact even on a busy machine. */
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { requestExamples } from '../../generated/examples.ts';
import { clarification, confirmation } from '../gateway/harness/customer.ts';
import { createDatabase, readWalBytes, startPostgres } from './gateways.ts';
import type { Bench, Row } from './measure.ts';
import { openGateway } from './seed.ts';

/** Transactions of each kind, one after the other. */
const COUNT = 20;
/** Longer than the settlement delay of every method. */
const SETTLED_MS = 10_000;
/** Targets of the most frequent kind. */
const JUDGED = 'UPI payment by redirect';
const [COMMITS_MAX, VERSIONS_MAX, WAL_KB_MAX] = [6, 4, 10];

type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** Brings a transaction of one kind to SUCCESS. */
const FLOWS: Readonly<Record<string, (send: Gateway['send'], order: object) => Promise<void>>> = {
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
  const onSqlite = await openGateway({ DATABASE_FILE: join(bench.folder, 'writes.db') });
  const rows = await measureOn(writes, 'SQLite', onSqlite);
  await onSqlite.close();
  const server = await startPostgres(bench);
  const onPostgres = await openGateway(await createDatabase(server, 'writes'));
  bench.atEnd(onPostgres.close);
  return [...rows, ...(await measureOn(writes, 'PostgreSQL', onPostgres, () => readWalBytes(server.url)))];
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

async function measureOn(
  writes: ReturnType<typeof countWrites>,
  name: string,
  { send, advance, callbackUrl }: Gateway,
  readWal = async () => 0,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [kind, flow] of Object.entries(FLOWS)) {
    const complete = async (index: number) => {
      await flow(send, { merchant_order_id: `${kind} ${index}`, callback_url: callbackUrl });
      await advance(SETTLED_MS);
    };
    // Fills caches.
    await complete(0);
    Object.assign(writes, { statements: 0, commits: 0, versions: {} });
    const walBefore = await readWal();
    for (let index = 1; index <= COUNT; index++) await complete(index);
    const wal = (await readWal()) - walBefore;
    const per = (count: number) => Number((count / COUNT).toFixed(1));
    const sum = Object.values(writes.versions).reduce((total, one) => total + one, 0);
    const { commits, statements, versions } = writes;
    const isRowsMet = per(commits) <= COMMITS_MAX && per(versions.transactions ?? 0) <= VERSIONS_MAX;
    const isMet = isRowsMet && per(wal / 1_000) <= WAL_KB_MAX;
    const maxima = `≤ ${COMMITS_MAX} commits, transactions ${VERSIONS_MAX}, ${WAL_KB_MAX} kB of WAL`;
    const counts = `${per(commits)} commits, ${per(statements)} statements, ${per(sum)} row versions`;
    const figure = wal > 0 ? `${counts}, ${per(wal / 1_000)} kB of WAL` : counts;
    const tables = Object.entries(versions).map(([table, count]) => `${table} ${per(count)}`);
    const isJudged = kind === JUDGED;
    const target = isJudged ? `${maxima} (${isMet ? 'met' : 'not met'})` : '';
    const cells = [`Writes of a ${kind}, ${name}`, '', figure, tables.join(', '), target];
    rows.push({ cells, isMissed: isJudged && !isMet });
  }
  return rows;
}
