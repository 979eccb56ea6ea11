/**
 * Sums moved by customers, by day and month in UTC. They are stored, because recomputing them would cost more with
 * every transaction.
 */

import { integer, text } from '../database/row-mapper.ts';
import { rowStatement } from '../database/row-statement.ts';
import {
  ALWAYS,
  type ConditionRule,
  type ContendedRow,
  type ContendedTable,
  type Database,
  type RowStatement,
  type Value,
  type WriteCondition,
} from '../database/store.ts';
import type { Transaction, UsageLimits } from '../domain/transaction.ts';

/** The month comes first, as it sorts: two units of work lock the sums of a customer in the same order. */
function toPeriods(time: number): readonly [month: string, day: string] {
  const date = new Date(time).toISOString();
  return [date.slice(0, 7), date.slice(0, 10)];
}

const CUSTOMER_COLUMNS = ['merchant_id', 'kind', 'customer_id', 'currency'] as const;
const CUSTOMER = CUSTOMER_COLUMNS.join(', ');

function toCustomerKey({ merchantId, kind, customer, currency }: Transaction): Value[] {
  return [merchantId, kind, customer.id, currency];
}

const USAGE: ContendedTable = {
  name: 'customer_usage',
  key: [
    ['merchant_id', 'bigint'],
    ['kind', 'text'],
    ['customer_id', 'text'],
    ['currency', 'text'],
    ['period', 'text'],
  ],
  order: 1,
  isInserted: true,
};

/** The customer's sums, as rows that units of work contend for. */
export function usageRows(transaction: Transaction): ContendedRow[] {
  const customer = toCustomerKey(transaction);
  return toPeriods(transaction.createdAt).map((period) => ({ table: USAGE, key: [...customer, period] }));
}

const CUSTOMERS: RowStatement['columns'] = [
  ['merchant_id', 'bigint'],
  ['kind', 'text'],
  ['customer_id', 'text'],
  ['currency', 'text'],
  ['amount', 'bigint'],
];

/** Adds to the sums of the month and the day, which are stored side by side, while a rule holds. */
function addStatement({ columns, sql }: ConditionRule): RowStatement {
  return rowStatement({
    table: 'customer_usage',
    columns: [
      ...CUSTOMERS,
      ['month', 'text'],
      ['day', 'text'],
      ['month_max', 'bigint'],
      ['day_max', 'bigint'],
      ...columns,
    ],
    key: CUSTOMER_COLUMNS,
    exactly: 2,
    sql: ({ of, given, ofExcluded }) => {
      const max = `case when excluded.period = ${of('day')} then ${of('day_max')} else ${of('month_max')} end`;
      return `insert into customer_usage (${CUSTOMER}, period, amount)
        select ${CUSTOMER_COLUMNS.map(of).join(', ')}, period, ${of('amount')}
        from ${given && `${given} cross join lateral`} (select ${of('month')} as period union all select ${of('day')}) as periods
        where ${sql(of)}
        ${/* Two units of work insert the sums of customers in the same order. */ given && `order by ${CUSTOMER}, period`}
        on conflict (${CUSTOMER}, period) do update set amount = customer_usage.amount + excluded.amount
        where customer_usage.amount <= ${ofExcluded(max)}`;
    },
  });
}

const ADD = new Map<ConditionRule, RowStatement>();

/**
 * Adds an amount to the customer's sums. Returns false if a sum would exceed its limit or the condition doesn't hold; the
 * unit must be rejected then.
 */
export async function addUsage(
  db: Database,
  transaction: Transaction,
  amount: number,
  { perDay, perMonth }: UsageLimits,
  { rule, values }: WriteCondition = ALWAYS,
): Promise<boolean> {
  if (amount > Math.min(perDay, perMonth)) return false;
  const [month, day] = toPeriods(transaction.createdAt);
  const statement = ADD.get(rule) ?? addStatement(rule);
  ADD.set(rule, statement);
  const row = await db.write(
    statement,
    ...[...toCustomerKey(transaction), amount, month, day, perMonth - amount, perDay - amount],
    ...values,
  );
  return row !== undefined && integer('changed')(row) === statement.exactly;
}

const PERIOD = [...CUSTOMER_COLUMNS, 'period'];

const SUBTRACT = rowStatement({
  table: 'customer_usage',
  columns: [...CUSTOMERS, ['period', 'text']],
  key: PERIOD,
  sums: ['amount'],
  sql: ({ of, given }) => `update customer_usage set amount = customer_usage.amount - ${of('amount')}
    ${given && `from ${given}`} where ${PERIOD.map((name) => `customer_usage.${name} = ${of(name)}`).join(' and ')}`,
});

/** Subtracts an amount from the customer's sums, where they are still stored. */
export async function subtractUsage(db: Database, transaction: Transaction, amount: number): Promise<void> {
  const periods = toPeriods(transaction.createdAt);
  await Promise.all(periods.map((period) => db.write(SUBTRACT, ...toCustomerKey(transaction), amount, period)));
}

/** The customer whose usage it is, with the kind of transaction and the currency. */
export interface Usage {
  readonly merchantId: number;
  readonly kind: Transaction['kind'];
  readonly customerId: string;
  readonly currency: string;
}

/** Sets the customer's sums of the day and the month of a time to an amount, unless they are higher. */
export async function raiseUsage(
  db: Database,
  { merchantId, kind, customerId, currency }: Usage,
  amount: number,
  time: number,
): Promise<void> {
  for (const period of toPeriods(time)) {
    await db.run(
      `insert into customer_usage (${CUSTOMER}, period, amount) values (?, ?, ?, ?, ?, ?)
       on conflict (${CUSTOMER}, period) do update set amount = excluded.amount
       where customer_usage.amount < excluded.amount`,
      ...[merchantId, kind, customerId, currency, period, amount],
    );
  }
}

/** The customer's usage in the day and month of a transaction, zero if not counted. */
export async function readUsage(db: Database, transaction: Transaction): Promise<{ day: number; month: number }> {
  const [month, day] = toPeriods(transaction.createdAt);
  const rows = await db.all(
    `select period, amount from customer_usage
     where merchant_id = ? and kind = ? and customer_id = ? and currency = ? and period in (?, ?)`,
    ...[...toCustomerKey(transaction), month, day],
  );
  const sums = new Map(rows.map((row) => [text('period')(row), integer('amount')(row)]));
  return { day: sums.get(day) ?? 0, month: sums.get(month) ?? 0 };
}
