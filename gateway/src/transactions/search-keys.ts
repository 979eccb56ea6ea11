/**
 * Search keys: hashes of the phones, accounts and bank references of a transaction, so that an operator finds it by any
 * of them. Their rows are written once; columns of the transaction would be indexed again with each version.
 */
import { insertion, rowStatement } from '../database/row-statement.ts';
import type { Database, RowStatement } from '../database/store.ts';
import type { Items, Step, Transaction } from '../domain/transaction.ts';

const COLUMNS: RowStatement['columns'] = [
  ['hash', 'text'],
  ['transaction_id', 'text'],
];

const INSERT = rowStatement({
  table: 'search_keys',
  columns: COLUMNS,
  key: ['hash', 'transaction_id'],
  // Sent together with the transaction. If that isn't inserted, since its order id is taken, nothing is written.
  isLast: true,
  sql: (form) => `${insertion('search_keys', COLUMNS, form)}
    and exists (select 1 from transactions t where t.id = ${form.of('transaction_id')}) on conflict do nothing`,
});

/** Writes the keys of what a step adds to its transaction: its customer, or the items that the customer supplied. */
export async function writeSearchKeys(
  db: Database,
  { transaction, supplied = {} }: Pick<Step, 'transaction' | 'supplied'>,
): Promise<void> {
  const references = transaction.version === 1 ? listReferences(transaction) : selectReferences(supplied);
  await Promise.all(references.map((reference) => db.write(INSERT, db.keys.hash(reference), transaction.id)));
}

/** Deletes the keys of a transaction. */
export async function deleteSearchKeys(db: Database, transaction: Transaction): Promise<void> {
  for (const hash of listReferences(transaction).flatMap((reference) => db.keys.hashes(reference)))
    await db.run('delete from search_keys where hash = ? and transaction_id = ?', hash, transaction.id);
}

/** Writes the keys of a transaction again, with hashes by the current key. */
export async function rewriteSearchKeys(db: Database, transaction: Transaction): Promise<void> {
  await deleteSearchKeys(db, transaction);
  for (const reference of listReferences(transaction)) await db.write(INSERT, db.keys.hash(reference), transaction.id);
}

/** The text of a reference without formatting: `+91 98123-45671` and `919812345671` are the same. */
export function normalizeReference(text: string): string {
  const characters = text.normalize('NFKC').toUpperCase();
  return characters.replaceAll(/[^\p{L}\p{N}@]/gu, '');
}

/** The normalized references by which a transaction is found. */
export function listReferences({ customer, ...transaction }: Transaction): string[] {
  const account = 'account_number' in customer ? customer.account_number : undefined;
  const supplied = 'supplied' in transaction ? selectReferences(transaction.supplied) : [];
  return [...new Set([...selectReferences({ phone: customer.phone, account_number: account }), ...supplied])];
}

/** Supplied items that aren't references. */
const OTHER_ITEMS: ReadonlySet<string> = new Set(['amount', 'name', 'email']);

/** The normalized values of the items that are references. */
function selectReferences(items: { readonly [name in keyof Items]: Items[name] | undefined }): string[] {
  return Object.entries(items).flatMap(([name, value]) => {
    const reference = OTHER_ITEMS.has(name) || value === undefined ? '' : normalizeReference(value);
    return reference === '' ? [] : [reference];
  });
}
