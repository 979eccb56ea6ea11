/**
 * Fills an SQLite file with copies of its template's rows, with a few statements and before a gateway opens it. The
 * copies are consistent: a gateway reads every payment, and an audit of the books finds no difference.
 */
import { DatabaseSync } from 'node:sqlite';
import { SCATTER } from './bodies.ts';
import type { Template } from './template.ts';

/** Payments per customer, few enough for the limits of a day. */
const PAYMENTS_PER_CUSTOMER = 10;
/** Digits of the number at the end of a copy's id. The remaining random part distinguishes copies of several rows. */
const DIGITS = 9;
const CACHE_KIB = 512 * 1024;

/** SQL expressions of a copy's number `n`, which begins with 0, and of the copied row, by column. */
type Columns = Readonly<Record<string, string>>;

interface Copies {
  readonly table: string;
  /** Condition for the rows to copy; `:id` is the template's payment. */
  readonly where: string;
  readonly count: number;
  readonly columns: Columns;
}

const copied = (column: string) => `substr(${column}, 1, length(${column}) - ${DIGITS}) || printf('%0${DIGITS}d', n)`;
const inHex = (number: string) => `printf('%08x', (${number} * ${SCATTER}) & 0xffffffff)`;
const ORDER_ID = `${inHex('n')} || '-seeded'`;
const customerOf = (number: string) => `'customer-' || ${inHex(number)}`;

/** Adds payments, with their ledger entries, webhooks and customers. Their order ids and customers are scattered. */
export function seedPayments({ file, id }: Template, count: number): void {
  const customers = Math.ceil(count / PAYMENTS_PER_CUSTOMER);
  const ofPayment = { where: 'transaction_id = :id', count };
  const state = { '$.id': copied('id'), '$.orderId': ORDER_ID };
  const details = { '$.customer.id': customerOf(`(n % ${customers})`) };
  const body = { '$.transaction_id': copied('transaction_id'), '$.merchant_order_id': ORDER_ID };
  fill(file, (db) => {
    const copies: Copies[] = [
      {
        table: 'transactions',
        where: 'id = :id',
        count,
        columns: {
          id: copied('id'),
          order_id: ORDER_ID,
          details: changed('details', details),
          state: changed('state', state),
        },
      },
      {
        ...ofPayment,
        table: 'ledger_entries',
        columns: { id: copied('id'), transaction_id: copied('transaction_id') },
      },
      {
        ...ofPayment,
        table: 'events',
        columns: { id: copied('id'), transaction_id: copied('transaction_id'), body: changed('body', body) },
      },
      {
        table: 'customer_usage',
        where: "customer_id = (select details ->> '$.customer.id' from transactions where id = :id)",
        count: customers,
        // Once per payment of the customer.
        columns: {
          customer_id: customerOf('n'),
          amount: `amount * ((${count} - n + ${customers - 1}) / ${customers})`,
        },
      },
    ];
    for (const one of copies) copyRows(db, id, one);
    // All money of a payment has become available. The merchant's funding has no transaction.
    db.prepare(
      `update wallets set available = available + :count *
         (select sum(amount) from ledger_entries where transaction_id = :id and to_account = 'available')
       where (merchant_id, currency) = (select merchant_id, currency from transactions where id = :id)`,
    ).run({ count, id });
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
  fill(file, (db) => copyRows(db, id, { table: 'events', where, count, columns }));
}

/** The id of a seeded payment by its number, which begins with 0. */
export function seededId({ id }: Template, number: number): string {
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

/** Copies all columns of the rows except the given ones. */
function copyRows(db: DatabaseSync, id: string, { table, where, count, columns }: Copies): void {
  const names = db
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name));
  const values = names.map((name) => columns[name] ?? name);
  db.prepare(
    `with recursive
       numbers (n) as (select 0 union all select n + 1 from numbers where n + 1 < :count),
       template as materialized (select * from ${table} where ${where})
     insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from numbers cross join template`,
  ).run({ count, id });
}

function changed(column: string, members: Columns): string {
  return `json_set(${column}, ${Object.entries(members)
    .map(([path, value]) => `'${path}', ${value}`)
    .join(', ')})`;
}
