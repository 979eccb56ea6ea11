/**
 * Payments and payouts in the store. The domain's object is stored as JSON in two parts: immutable `details`, and
 * `state`. The collected amount is only in a column. Other columns duplicate searchable fields. Personal data is
 * encrypted within both parts.
 */

import { integer, json, optional, rowMapper, text } from '../database/row-mapper.ts';
import { insertion, rowStatement } from '../database/row-statement.ts';
import { withoutIndex } from '../database/sql.ts';
import type { ConditionRule, Database, Row, RowStatement, WriteCondition } from '../database/store.ts';
import { openExceptions } from '../domain/exceptions.ts';
import type { Details, Payment, Payout, StatusData, Transaction } from '../domain/transaction.ts';
import type { KeyRing } from '../platform/key-ring.ts';

export type OfKind<K extends Kind> = K extends 'payment' ? Payment : Payout;

const INSERTED: RowStatement['columns'] = [
  ['id', 'text'],
  ['merchant_id', 'bigint'],
  ['kind', 'text'],
  ['order_id', 'text'],
  ['currency', 'text'],
  ['amount', 'bigint'],
  ['status', 'text'],
  ['amount_paid', 'bigint'],
  ['version', 'bigint'],
  ['created_at', 'bigint'],
  ['next_attempt_at', 'bigint'],
  ['checkout_token', 'text'],
  ['details', 'text'],
  ['state', 'text'],
];

const INSERT = rowStatement({
  table: 'transactions',
  columns: INSERTED,
  key: ['id'],
  sql: (form) => `${insertion('transactions', INSERTED, form)} on conflict do nothing`,
});

/** Adds a transaction that any worker can claim from `attemptAt`, in the store's time. Returns false if the merchant has used the order id for this kind before. */
export async function insertTransaction(
  db: Database,
  transaction: Transaction,
  attemptAt: number | null = transaction.dueAt ?? null,
): Promise<boolean> {
  const row = await db.write(
    INSERT,
    transaction.id,
    transaction.merchantId,
    transaction.kind,
    transaction.orderId,
    transaction.currency,
    transaction.amount,
    transaction.status,
    readAmountPaid(transaction),
    transaction.version,
    transaction.createdAt,
    attemptAt,
    transaction.kind === 'payment' ? (transaction.checkoutToken ?? null) : null,
    formatDetails(transaction, db.keys),
    formatState(transaction, db.keys),
  );
  return row !== undefined;
}

const FREE: ConditionRule = {
  columns: [
    ['orderer', 'bigint'],
    ['ordered', 'text'],
    ['order_id', 'text'],
  ],
  sql: (of) => `not exists (select 1 from transactions t
      where t.merchant_id = ${of('orderer')} and t.kind = ${of('ordered')} and t.order_id = ${of('order_id')})`,
};

/** Holds while the transaction can be inserted. */
export function canInsert({ merchantId, kind, orderId }: Transaction): WriteCondition {
  return { rule: FREE, values: [merchantId, kind, orderId] };
}

export interface UpdateOptions {
  /** The end of the lease under which a worker writes. */
  readonly claimedUntil?: number | undefined;
  /** The error after which the step is repeated: it counts as a failure. Any other step resets the failures. */
  readonly error?: string | null;
  /** The store's time from which any worker can claim the transaction; null for never. */
  readonly attemptAt?: number | null;
}

/** The statement that writes the next version, optionally under a worker's lease. */
function updateStatement(claimed: boolean): RowStatement {
  return rowStatement({
    table: 'transactions',
    columns: [
      ['id', 'text'],
      ['version', 'bigint'],
      ['status', 'text'],
      ['amount_paid', 'bigint'],
      ['next_attempt_at', 'bigint'],
      ['state', 'text'],
      ['error', 'text'],
      ['exception_at', 'bigint'],
      ...(claimed ? ([['claimed_until', 'bigint']] as const) : []),
    ],
    key: ['id'],
    sql: ({ of, given }) => `update transactions set
        status = ${of('status')}, amount_paid = ${of('amount_paid')}, version = ${of('version')},
        next_attempt_at = ${of('next_attempt_at')}, state = ${of('state')},
        failures = case when ${of('error')} is null then 0 else transactions.failures + 1 end, last_error = ${of('error')},
        exception_at = ${of('exception_at')}
      ${given && `from ${given}`}
      where transactions.id = ${of('id')} and transactions.version = ${of('version')} - 1
        ${claimed ? `and ${withoutIndex('transactions.next_attempt_at')} = ${of('claimed_until')}` : ''}`,
  });
}

const UPDATE = updateStatement(false);
const UPDATE_CLAIMED = updateStatement(true);

/** Writes the next version. Returns false, with no changes, on a version conflict or a lost lease. */
export async function updateTransaction(
  db: Database,
  next: Transaction,
  { claimedUntil, error = null, attemptAt = next.dueAt ?? null }: UpdateOptions = {},
): Promise<boolean> {
  const { id, status, version } = next;
  const values = [
    ...[id, version, status, readAmountPaid(next), attemptAt],
    ...[formatState(next, db.keys), error, openExceptions(next)[0]?.at ?? null],
  ];
  const row =
    claimedUntil === undefined
      ? await db.write(UPDATE, ...values)
      : await db.write(UPDATE_CLAIMED, ...values, claimedUntil);
  return row !== undefined;
}

/** Replaces the details, which otherwise never change, in the unit of work that writes the next version. */
export async function replaceDetails(db: Database, transaction: Transaction): Promise<void> {
  const details = formatDetails(transaction, db.keys);
  await db.run('update transactions set details = ? where id = ?', details, transaction.id);
}

const UNCHANGED: ConditionRule = {
  columns: [
    ['id', 'text'],
    ['version', 'bigint'],
  ],
  sql: (of) => `exists (select 1 from transactions t where t.id = ${of('id')} and t.version = ${of('version')})`,
};

const CLAIMED: ConditionRule = {
  columns: [...UNCHANGED.columns, ['claimed_until', 'bigint']],
  sql: (of) => `exists (select 1 from transactions t
    where t.id = ${of('id')} and t.version = ${of('version')} and ${withoutIndex('t.next_attempt_at')} = ${of('claimed_until')})`,
};

/** Holds while the next version can be written. */
export function canUpdate({ id, version }: Transaction, claimedUntil?: number): WriteCondition {
  const present = [id, version - 1];
  return claimedUntil === undefined
    ? { rule: UNCHANGED, values: present }
    : { rule: CLAIMED, values: [...present, claimedUntil] };
}

/** A transaction that a worker has claimed. */
export interface ClaimedTransaction {
  readonly id: string;
  readonly version: number;
  /** The end of the lease, in milliseconds since 1970. */
  readonly claimedUntil: number;
  /** It was written as a call of its channel, which is still to be made. */
  readonly isCall?: boolean;
  /** Parses it. One that cannot be parsed throws here, and thus keeps no worker from claiming others. */
  read(): Transaction;
}

/** Columns that a transaction is read from. */
const COLUMNS = 'id, details, state, amount_paid';

/** By id alone: without statistics, a database would prefer the index of merchant and kind. */
const BY_ID = 'where id = ?';

type Kind = Transaction['kind'];

/** Members that a transaction must have to be found. */
interface Expected<K extends Kind> extends Partial<Pick<Transaction, 'merchantId' | 'channel'>> {
  readonly kind?: K;
}

/** The transaction of this id, if it has the expected members. */
export async function transactionById<K extends Kind = Kind>(
  db: Database,
  id: string,
  expected: Expected<K> = {},
): Promise<OfKind<K> | undefined> {
  const row = await db.get(`select ${COLUMNS} from transactions ${BY_ID}`, id);
  const transaction = row && parseTransaction(row, db.keys);
  return transaction && matches(transaction, expected) ? (transaction as OfKind<K>) : undefined;
}

/** The visible part of the transaction of this id, if it has the expected members. */
export async function shownById<K extends Kind>(
  db: Database,
  id: string,
  expected: Omit<Expected<K>, 'channel'>,
): Promise<StatusData<OfKind<K>> | undefined> {
  const row = await db.get(`select state, amount_paid from transactions ${BY_ID}`, id);
  const shown = row && (parseStatus(row) as StatusData<OfKind<K>>);
  return shown && matches(shown, expected) ? shown : undefined;
}

function matches(transaction: StatusData<Transaction>, expected: Expected<Kind>): boolean {
  return Object.entries(expected).every(([name, value]) => transaction[name as keyof Expected<Kind>] === value);
}

/** The merchant's transaction of this kind and order id. */
export async function transactionByOrderId<K extends Transaction['kind']>(
  db: Database,
  merchantId: number,
  kind: K,
  orderId: string,
): Promise<OfKind<K> | undefined> {
  const row = await db.get(
    `select ${COLUMNS} from transactions where merchant_id = ? and kind = ? and order_id = ?`,
    merchantId,
    kind,
    orderId,
  );
  return row && (parseTransaction(row, db.keys) as OfKind<K>);
}

/** The payment behind a payment page. */
export async function paymentByCheckoutToken(db: Database, token: string): Promise<Payment | undefined> {
  const row = await db.get(`select ${COLUMNS} from transactions where checkout_token = ?`, token);
  return row && (parseTransaction(row, db.keys) as Payment);
}

interface ClaimOptions {
  readonly now: number;
  readonly claimedUntil: number;
  readonly limit: number;
  /** The earliest due time. */
  readonly from?: number;
}

/**
 * Claims up to `limit` due transactions until `claimedUntil`, after which another worker may claim them again. A claim
 * doesn't change the transaction or its due time, since a customer may still act on it. The update repeats the
 * condition, because only some databases lock the selected rows.
 */
export async function claimDueTransactions(
  db: Database,
  { now, claimedUntil, limit, from = 0 }: ClaimOptions,
): Promise<ClaimedTransaction[]> {
  const rows = await db.all(
    `with due as
       (select id from transactions where next_attempt_at >= ? and next_attempt_at <= ?
        order by next_attempt_at limit ? for update skip locked)
     update transactions set next_attempt_at = ? where id in (select id from due) and ${withoutIndex('next_attempt_at')} <= ?
     returning version, ${COLUMNS}`,
    from,
    now,
    limit,
    claimedUntil,
    now,
  );
  return rows.map((row) => {
    let parsed: Transaction | undefined;
    return { ...toVersion(row), claimedUntil, read: () => (parsed ??= parseTransaction(row, db.keys)) };
  });
}

/** Time from `from` on at which the next transaction can be claimed, in milliseconds since 1970. */
export async function nextDueTransaction(db: Database, from = 0): Promise<number | undefined> {
  const row = await db.get('select min(next_attempt_at) as at from transactions where next_attempt_at >= ?', from);
  return optional('at', Number)(row);
}

const toVersion = rowMapper({ id: text('id'), version: integer('version') });

function readAmountPaid(transaction: Transaction): number | null {
  return (transaction.kind === 'payment' && transaction.amountPaid) || null;
}

// Personal data of payers and payees: in the details, all that a customer has besides an id and a level. In the state, the
// items that the customer supplied. Each part is one value, encrypted for its row.

/** The parts of a transaction with personal data, as the encryption names them. */
const nameCustomer = (id: string) => `the customer of ${id}`;
const nameItems = (id: string) => `the items of ${id}`;

/** The details as JSON. */
export function formatDetails(transaction: Details & Pick<Transaction, 'id'>, keys: KeyRing): string {
  const { callbackUrl, returnUrl, trace } = transaction;
  const { id, kyc_level, ...personal } = transaction.customer;
  return JSON.stringify({
    customer: { id, kyc_level },
    // Without data, too: its key is the one of the row's search keys.
    personal: keys.encrypt(JSON.stringify(personal), nameCustomer(transaction.id)),
    ...{ callbackUrl, returnUrl, trace },
  });
}

type OfPayments = Partial<Pick<Payment, 'amountPaid' | 'returnUrl' | 'supplied' | 'clarifying'>>;

/** The state as JSON. */
export function formatState(transaction: Transaction & OfPayments, keys: KeyRing): string {
  const { customer, callbackUrl, returnUrl, trace, amountPaid, supplied = {}, clarifying, ...shown } = transaction;
  const items = { ...(Object.keys(supplied).length > 0 && { supplied }), ...(clarifying && { clarifying }) };
  if (Object.keys(items).length === 0) return JSON.stringify(shown);
  return JSON.stringify({ ...shown, personal: keys.encrypt(JSON.stringify(items), nameItems(transaction.id)) });
}

/** The transaction of a row with its id. */
export function parseTransaction(row: Row, keys: KeyRing): Transaction {
  const { personal, customer, ...details } = json<StoredDetails>('details')(row);
  const whole = { ...customer, ...open(personal, nameCustomer(text('id')(row)), keys) };
  const { personal: items, ...status } = parseStatus(row) as StoredState;
  return {
    ...{ customer: whole, ...details, ...status },
    ...(status.kind === 'payment' && { supplied: {} }),
    ...open(items, nameItems(text('id')(row)), keys),
  } as Transaction;
}

/** The transaction of a row without personal data, which needs no keys. A column adds the collected amount. */
export function parseStatus(row: Row): StatusData<Transaction> {
  const amountPaid = optional('amount_paid', Number)(row);
  return { ...json<StatusData<Transaction>>('state')(row), ...(amountPaid !== undefined && { amountPaid }) };
}

type StoredDetails = Details & { readonly personal: string };
type StoredState = StatusData<Transaction> & { readonly personal?: string };

/** Whether all personal data of a row, and its search keys, have the current key. */
export function isEncrypted(row: Row, keys: KeyRing): boolean {
  const stored = [json<StoredDetails>('details')(row).personal, json<StoredState>('state')(row).personal];
  return stored.every((personal) => personal === undefined || keys.isCurrent(personal));
}

/** The row without its personal data. */
export function withoutPersonalData(row: Row): Row {
  const { personal: customer, ...details } = json<StoredDetails>('details')(row);
  const { personal: items, ...state } = json<StoredState>('state')(row);
  return { ...row, details: JSON.stringify(details), state: JSON.stringify(state) };
}

function open(personal: string | undefined, context: string, keys: KeyRing): object | undefined {
  return personal === undefined ? undefined : JSON.parse(keys.decrypt(personal, context));
}
