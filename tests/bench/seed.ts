/**
 * SQLite files with many payments, made by copying the rows of one payment with a few statements before a gateway opens
 * the file. The copies are consistent: a gateway reads every payment, and an audit of the books finds no difference.
 */
import { DatabaseSync } from 'node:sqlite';
import { findMethod, sandboxMethods } from '../../gateway/src/domain/methods.ts';
import { createGateway } from '../../gateway/src/server.ts';
import { requestExamples } from '../../generated/examples.ts';
import { inject } from '../gateway/harness/inject.ts';
import { type DatabaseSettings, insertLoadMerchant, openDatabase } from '../load/merchants.ts';
import { ManualClock } from '../tools/manual-clock.ts';
import { createPayments, SCATTER, timeArrivals } from './gateways.ts';

/** A file with one completely processed payment, its id, and the API key of its merchant. */
export type Template = Readonly<{ file: string; id: string; key: string }>;

/** The payment is from yesterday, so that it doesn't count against today's limits. */
const AGO_MS = 24 * 60 * 60_000;
/** Payments per customer, few enough for the limits of a day. */
const PAYMENTS_PER_CUSTOMER = 10;
/** Digits of the number at the end of a copy's id. The remaining random part distinguishes copies of several rows. */
const DIGITS = 9;
const CACHE_KIB = 512 * 1024;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/**
 * A gateway in this process, the requests of its merchant, and an endpoint for webhooks. A request returns the response's
 * body after the work that the request causes.
 */
export async function openGateway(database: DatabaseSettings, now = Date.now()) {
  const receiver = await timeArrivals(() => '');
  const clock = new ManualClock(now);
  const store = await openDatabase(database);
  const { key } = await insertLoadMerchant(store, clock.now());
  const publicUrl = () => 'http://localhost';
  const gateway = await createGateway({ store, clock, publicUrl, callbackAllow: ['127.0.0.0/8'] });
  // biome-ignore lint/suspicious/noExplicitAny: the members of a response depend on the request.
  const send = async (method: 'GET' | 'POST', url: string, payload?: string | object): Promise<any> => {
    const headers = { authorization: `Bearer ${key}`, ...(typeof payload === 'string' && FORM) };
    const { statusCode, body } = await inject(gateway, { method, url, headers, ...(payload && { payload }) });
    if (statusCode >= 400) throw new Error(`${method} ${url} returned ${statusCode}: ${body}`);
    await gateway.idle();
    return body.startsWith('{') && JSON.parse(body);
  };
  return {
    ...{ key, send, callbackUrl: receiver.url },
    advance: (ms: number) => {
      clock.advance(ms);
      return gateway.idle();
    },
    close: () => gateway.close().finally(receiver.close),
  };
}

/** Creates the file with a collected, settled payment and its delivered webhooks, so that no work is due. */
export async function writeTemplate(file: string): Promise<Template> {
  const { key, send, callbackUrl, advance, close } = await openGateway({ DATABASE_FILE: file }, Date.now() - AGO_MS);
  const body = createPayments('template', callbackUrl)();
  const { transaction_id: id } = await send('POST', '/payments', body);
  const { tid } = requestExamples.confirmPayment['tid-and-amount'].body.confirm_data;
  await send('POST', `/payments/${id}/confirm`, { confirm_data: { tid, amount: String(body.amount) } });
  await advance(findMethod(sandboxMethods, 'payment', body.payment_method_type)?.settlementMs ?? 0);
  await close();
  return { file, id, key };
}

/** SQL expressions of a copy's number `n`, which begins with 0, and of the copied row, by column. */
type Columns = Readonly<Record<string, string>>;

const copied = (column: string) => `substr(${column}, 1, length(${column}) - ${DIGITS}) || printf('%0${DIGITS}d', n)`;
const inHex = (number: string) => `printf('%08x', (${number} * ${SCATTER}) & 0xffffffff)`;
const changed = (column: string, members: Columns) =>
  `json_set(${column}, ${Object.entries(members).map(([path, value]) => `'${path}', ${value}`)})`;
const ORDER_ID = `${inHex('n')} || '-seeded'`;
const customerOf = (number: string) => `'customer-' || ${inHex(number)}`;

/** Adds payments, with their ledger entries, webhooks and customers. Their order ids and customers are scattered. */
export function seedPayments(template: Template, count: number): void {
  const customers = Math.ceil(count / PAYMENTS_PER_CUSTOMER);
  const state = changed('state', { '$.id': copied('id'), '$.orderId': ORDER_ID });
  const details = changed('details', { '$.customer.id': customerOf(`(n % ${customers})`) });
  const body = changed('body', { '$.transaction_id': copied('transaction_id'), '$.merchant_order_id': ORDER_ID });
  const ids = { id: copied('id'), transaction_id: copied('transaction_id') };
  const ofCustomer = "customer_id = (select details ->> '$.customer.id' from transactions where id = :id)";
  // Once per payment of the customer.
  const usage = `amount * ((${count} - n + ${customers - 1}) / ${customers})`;
  fill(template, (copy, db) => {
    copy(count, 'transactions', 'id = :id', { id: copied('id'), order_id: ORDER_ID, details, state });
    copy(count, 'ledger_entries', 'transaction_id = :id', ids);
    copy(count, 'events', 'transaction_id = :id', { ...ids, body });
    copy(customers, 'customer_usage', ofCustomer, { customer_id: customerOf('n'), amount: usage });
    // All money of a payment has become available. The merchant's funding has no transaction.
    db.prepare(
      `update wallets set settled_until = :now, pending = 0, available = available + pending + :count *
         (select sum(amount) from ledger_entries where transaction_id = :id)
       where (merchant_id, currency) = (select merchant_id, currency from transactions where id = :id)`,
    ).run({ count, id: template.id, now: Date.now() });
  });
}

/** Adds webhooks of the template's payment to a URL. They are due, without attempts. */
export function seedBacklog(template: Template, count: number, url: string): void {
  const due = { attempts: '0', next_at: 'created_at', delivered_at: 'null', last_result: 'null' };
  const columns = { id: copied('id'), url: `'${url}'`, address: `'${new URL(url).origin}'`, ...due };
  const where = 'id = (select max(id) from events where transaction_id = :id)';
  fill(template, (copy) => copy(count, 'events', where, columns));
}

/** The id of a seeded payment by its number, which begins with 0. */
export function formatSeededId({ id }: Template, number: number): string {
  return id.slice(0, -DIGITS) + String(number).padStart(DIGITS, '0');
}

/** Copies all columns of the rows except the given ones. `:id` is the template's payment. */
type Copy = (count: number, table: string, where: string, columns: Columns) => void;

/** Fills the file without a journal or syncs. A failed run discards it. */
function fill({ file, id }: Template, work: (copy: Copy, db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec(`pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -${CACHE_KIB}; begin`);
  work((count, table, where, columns) => {
    const all = db.prepare(`select name from pragma_table_info('${table}')`).all();
    const names = all.map(({ name }) => String(name));
    db.prepare(
      `with recursive
         numbers (n) as (select 0 union all select n + 1 from numbers where n + 1 < :count),
         template as materialized (select * from ${table} where ${where})
       insert into ${table} (${names.join(', ')})
       select ${names.map((name) => columns[name] ?? name).join(', ')} from numbers cross join template`,
    ).run({ count, id });
  }, db);
  db.exec('commit');
  db.close();
}
