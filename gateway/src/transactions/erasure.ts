/** Erases the personal data of a customer: everything that the merchant and the customer supplied, except ids and amounts. */
import { optional, text } from '../database/row-mapper.ts';
import type { Database, Store } from '../database/store.ts';
import { isFinal, type Transaction } from '../domain/transaction.ts';
import { parseTransaction, replaceDetails, updateTransaction } from './rows.ts';
import { deleteSearchKeys } from './search-keys.ts';

/** Transactions that a call looks at, and those in a unit of work. */
const SEARCHED_MAX = 10_000;
const BATCH_ROWS = 250;

interface Customer {
  readonly merchantId: number;
  readonly customerId: string;
}

export interface Erasure {
  readonly erased: number;
  /** Transactions with personal data that still need it, or that changed at the same time. */
  readonly kept: number;
  /** The id after which the next call begins; undefined at the end. */
  readonly next: string | undefined;
}

const readDueTime = optional('next_attempt_at', Number);

/** Erases the customer's data in up to SEARCHED_MAX of the merchant's transactions, in the order of their ids. */
export async function eraseCustomer(
  { store }: { readonly store: Store },
  { merchantId, customerId }: Customer,
  { after = '', record }: { readonly after?: string | undefined; readonly record: (db: Database) => Promise<unknown> },
): Promise<Erasure> {
  let [erased, kept, last, searched] = [0, 0, after, 0];
  while (searched < SEARCHED_MAX) {
    const batch = await store.unit(async (db) => {
      const rows = await db.all(
        `select id, next_attempt_at, details, state, amount_paid from transactions
         where merchant_id = ? and id > ? order by id limit ${BATCH_ROWS}`,
        ...[merchantId, last],
      );
      const result = { rows: rows.length, last: rows.map(text('id')).at(-1) ?? last, erased: 0, kept: 0 };
      for (const row of rows) {
        const transaction = parseTransaction(row, db.keys);
        if (transaction.customer.id !== customerId || !hasPersonalData(transaction)) continue;
        const isErased = readDueTime(row) === undefined && (await eraseTransaction(db, transaction));
        result[isErased ? 'erased' : 'kept'] += 1;
      }
      if (result.erased > 0) await record(db);
      return result;
    });
    erased += batch.erased;
    kept += batch.kept;
    searched += batch.rows;
    last = batch.last;
    if (batch.rows < BATCH_ROWS) return { erased, kept, next: undefined };
  }
  return { erased, kept, next: last };
}

function hasPersonalData(transaction: Transaction): boolean {
  return JSON.stringify(withoutPersonalData(transaction)) !== JSON.stringify(transaction);
}

function withoutPersonalData<T extends Transaction>(transaction: T): T {
  const { id, kyc_level } = transaction.customer;
  const customer = { id, ...(kyc_level !== undefined && { kyc_level }) };
  return { ...transaction, customer, ...(transaction.kind === 'payment' && { supplied: {} }) };
}

/** Writes a next version, so that a concurrent writer of the previous one can't restore the data. */
async function eraseTransaction(db: Database, transaction: Transaction): Promise<boolean> {
  if (!isFinal(transaction.status)) return false;
  const erased = { ...withoutPersonalData(transaction), version: transaction.version + 1 };
  if (!(await updateTransaction(db, erased))) return false;
  await replaceDetails(db, erased);
  await deleteSearchKeys(db, transaction);
  return true;
}
