/**
 * SQLite files with many payments, made by copying the rows of one payment with a few statements before a gateway opens
 * the file. The copies are consistent: a gateway reads every payment, and an audit of the books finds no difference.
 */
import { DatabaseSync } from 'node:sqlite';
import { findMethod, sandboxMethods } from '../../gateway/src/domain/methods.ts';
import { createGateway } from '../../gateway/src/server.ts';
import { requestExamples } from '../../generated/examples.ts';
import { inject } from '../gateway/harness/inject.ts';
import { insertLoadMerchant, openDatabase } from '../load/merchants.ts';
import { ManualClock } from '../tools/manual-clock.ts';
import { createPayments, SCATTER } from './gateways.ts';
import { timeArrivals } from './journeys.ts';

/** A file with one completely processed payment. */
export interface Template {
  readonly file: string;
  /** The payment. */
  readonly id: string;
  /** API key of its merchant. */
  readonly key: string;
}

/** The payment is from yesterday, so that it doesn't count against today's limits. */
const AGO_MS = 24 * 60 * 60_000;
/** Payments per customer, few enough for the limits of a day. */
const PAYMENTS_PER_CUSTOMER = 10;
/** Digits of the number at the end of a copy's id. The remaining random part distinguishes copies of several rows. */
const DIGITS = 9;
const CACHE_KIB = 512 * 1024;

/** Creates the file with a collected, settled payment and its delivered webhooks, so that no work is due. */
export async function writeTemplate(file: string): Promise<Template> {
  const receiver = await timeArrivals(() => '');
  const clock = new ManualClock(Date.now() - AGO_MS);
  const store = await openDatabase({ DATABASE_FILE: file });
  const { key } = await insertLoadMerchant(store, clock.now());
  const publicUrl = () => 'http://localhost';
  const gateway = await createGateway({ store, clock, publicUrl, callbackAllow: ['127.0.0.0/8'] });
  const post = async (url: string, payload: object) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await inject(gateway, { method: 'POST', url, headers, payload });
    if (response.statusCode >= 300) throw new Error(`POST ${url} returned ${response.statusCode}: ${response.body}`);
    await gateway.idle();
    return response.json().transaction_id as string;
  };
  try {
    const body = createPayments('template', receiver.url)();
    const id = await post('/payments', body);
    const { tid } = requestExamples.confirmPayment['tid-and-amount'].body.confirm_data;
    await post(`/payments/${id}/confirm`, { confirm_data: { tid, amount: String(body.amount) } });
    clock.advance(findMethod(sandboxMethods, 'payment', body.payment_method_type)?.settlementMs ?? 0);
    await gateway.idle();
    return { file, id, key };
  } finally {
    await gateway.close();
    await receiver.close();
  }
}

/** SQL expressions of a copy's number `n`, which begins with 0, and of the copied row, by column. */
type Columns = Readonly<Record<string, string>>;

const copied = (column: string) => `substr(${column}, 1, length(${column}) - ${DIGITS}) || printf('%0${DIGITS}d', n)`;
const inHex = (number: string) => `printf('%08x', (${number} * ${SCATTER}) & 0xffffffff)`;
const ORDER_ID = `${inHex('n')} || '-seeded'`;
const customerOf = (number: string) => `'customer-' || ${inHex(number)}`;

/** Adds payments, with their ledger entries, webhooks and customers. Their order ids and customers are scattered. */
export function seedPayments({ file, id }: Template, count: number): void {
  const customers = Math.ceil(count / PAYMENTS_PER_CUSTOMER);
  const state = changed('state', { '$.id': copied('id'), '$.orderId': ORDER_ID });
  const details = changed('details', { '$.customer.id': customerOf(`(n % ${customers})`) });
  const body = changed('body', { '$.transaction_id': copied('transaction_id'), '$.merchant_order_id': ORDER_ID });
  const ids = { id: copied('id'), transaction_id: copied('transaction_id') };
  const ofCustomer = "customer_id = (select details ->> '$.customer.id' from transactions where id = :id)";
  // Once per payment of the customer.
  const usage = `amount * ((${count} - n + ${customers - 1}) / ${customers})`;
  fill(file, (db) => {
    const copy = (table: string, where: string, columns: Columns, rows = count) =>
      copyRows(db, { table, where, columns }, { count: rows, id });
    copy('transactions', 'id = :id', { id: copied('id'), order_id: ORDER_ID, details, state });
    copy('ledger_entries', 'transaction_id = :id', ids);
    copy('events', 'transaction_id = :id', { ...ids, body });
    copy('customer_usage', ofCustomer, { customer_id: customerOf('n'), amount: usage }, customers);
    // All money of a payment has become available. The merchant's funding has no transaction.
    db.prepare(
      `update wallets set settled_until = :now, pending = 0, available = available + pending + :count *
         (select sum(amount) from ledger_entries where transaction_id = :id)
       where (merchant_id, currency) = (select merchant_id, currency from transactions where id = :id)`,
    ).run({ count, id, now: Date.now() });
  });
}

/** Adds webhooks of the template's payment to a URL. They are due, without attempts. */
export function seedBacklog({ file, id }: Template, count: number, url: string): void {
  const columns = {
    id: copied('id'),
    url: `'${url}'`,
    address: `'${new URL(url).origin}'`,
    attempts: '0',
    next_at: 'created_at',
    delivered_at: 'null',
    last_result: 'null',
  };
  const where = 'id = (select max(id) from events where transaction_id = :id)';
  fill(file, (db) => copyRows(db, { table: 'events', where, columns }, { count, id }));
}

/** The id of a seeded payment by its number, which begins with 0. */
export function formatSeededId({ id }: Template, number: number): string {
  return id.slice(0, -DIGITS) + String(number).padStart(DIGITS, '0');
}

/** Fills the file without a journal or syncs. A failed run discards it. */
function fill(file: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    db.exec(`pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -${CACHE_KIB}; begin`);
    work(db);
    db.exec('commit');
  } finally {
    db.close();
  }
}

/** Copies all columns of the rows except the given ones. `:id` is the template's payment. */
function copyRows(
  db: DatabaseSync,
  { table, where, columns }: { readonly table: string; readonly where: string; readonly columns: Columns },
  values: { readonly count: number; readonly id: string },
): void {
  const names = db
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name));
  db.prepare(
    `with recursive
       numbers (n) as (select 0 union all select n + 1 from numbers where n + 1 < :count),
       template as materialized (select * from ${table} where ${where})
     insert into ${table} (${names.join(', ')})
     select ${names.map((name) => columns[name] ?? name).join(', ')} from numbers cross join template`,
  ).run(values);
}

function changed(column: string, members: Columns): string {
  return `json_set(${column}, ${Object.entries(members)
    .map(([path, value]) => `'${path}', ${value}`)
    .join(', ')})`;
}
