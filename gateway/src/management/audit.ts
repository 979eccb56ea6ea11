/**
 * The audit: compares each transaction with its ledger entries, the entries with the wallets, and the operators' audit
 * log with its hashes. Reads the tables in batches, so that memory depends only on the number of wallets.
 */
import { listMovements, owedCorrection, type Progress } from '../../../contract/src/reference-model.ts';
import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import { keysetPages } from '../database/sql.ts';
import { type Database, type Row, type Store, StoreUnavailable, type Value } from '../database/store.ts';
import { openExceptions } from '../domain/exceptions.ts';
import { createEntry, createMovementEntry, type LedgerEntry, type Reason } from '../domain/ledger.ts';
import { readKind, type StatusData, type Transaction } from '../domain/transaction.ts';
import { ProblemWithHeaders } from '../http/problems.ts';
import { ENTRY, ENTRY_COLUMNS, type PostedEntry } from '../ledger/ledger-pages.ts';
import { asSettled, WALLET_ACCOUNTS, type WalletKey } from '../ledger/wallets.ts';
import { type ChainLink, verifyAuditLog } from '../operators/audit-log.ts';
import { parseStatus } from '../transactions/rows.ts';
import { CORRECTION_REASONS, type Correction, type ExceptionResolution } from './proposal-rows.ts';

export interface AuditTotals {
  readonly transactions: number;
  readonly entries: number;
  readonly wallets: number;
}

/** Transactions, and rows of other tables, in a batch. */
const BATCH_ROWS = 1_000;

/** Reasons of entries that belong to no transaction. */
const OUTSIDE: readonly Reason[] = ['funded', 'drained', 'credited', 'debited'];

type Report = (difference: string) => void;

/**
 * Sums of a wallet's entries by account. Entries are not read in order of time, so intermediate sums may exceed 2^53.
 */
type Sums = Record<string, bigint>;

/** The approved correction behind an entry, as JSON. */
const APPROVED = `(select p.change from proposals p where p.entry_id = e.id and p.state = 'approved'
  and p.merchant_id = e.merchant_id)`;

type Approved = Omit<Correction, 'type'> | Omit<ExceptionResolution, 'type'>;

interface AuditedEntry extends PostedEntry, WalletKey {}

const toEntry = rowMapper<AuditedEntry>({ ...ENTRY, merchantId: integer('merchant_id'), currency: text('currency') });

export interface AuditOptions {
  /** Only the books of this merchant. */
  readonly merchantId?: number | undefined;
  readonly batchRows?: number;
  /** A link that the operators' audit log must contain. */
  readonly known?: ChainLink | undefined;
  /** Called after each batch, so that others get their turn: SQLite reads in the thread of its caller. */
  readonly pause?: () => Promise<unknown>;
}

interface Books extends Required<Omit<AuditOptions, 'merchantId' | 'known'>> {
  readonly db: Database;
  readonly report: Report;
  /** A condition, with its values, that rows have to meet. */
  readonly ours: string;
  readonly merchant: readonly Value[];
}

export interface Audit extends AuditTotals {
  /** The end of the operators' audit log; undefined in an audit of one merchant. */
  readonly logEnd: ChainLink | undefined;
  /** The differences, one line each; empty when the books are right. No more than the first thousand. */
  readonly differences: readonly string[];
  readonly found: number;
}

const DIFFERENCES_MAX = 1_000;

/** Audits a snapshot of the ledger, even while gateways write. Read-only. */
export async function auditStore(store: Store, options: AuditOptions = {}): Promise<Audit> {
  const differences: string[] = [];
  let found = 0;
  const totals = await store.snapshot(async (db) => {
    differences.length = 0;
    found = 0;
    const report: Report = (difference) => {
      found += 1;
      if (differences.length < DIFFERENCES_MAX) differences.push(difference);
    };
    const named = namingTables(db);
    const { merchantId, batchRows = BATCH_ROWS, known } = options;
    const logEnd = merchantId === undefined ? await verifyAuditLog(named, report, { batchRows, known }) : undefined;
    return { ...(await auditBooks(named, report, options)), logEnd };
  });
  return { ...totals, differences, found };
}

/** A table that could not be read, so that the books can't be compared. */
export class UnreadableTable extends Error {
  readonly table: string;
  constructor(table: string, options: ErrorOptions) {
    super(`the table ${table} can't be read`, options);
    this.table = table;
  }
}

/** Reads of a damaged database throw UnreadableTable. */
function namingTables(db: Database): Database {
  const name = (sql: string) => (error: unknown) => {
    const isDamaged = error instanceof StoreUnavailable && error.reason === 'damaged';
    throw isDamaged
      ? new UnreadableTable(/\bfrom (\w+)\b(?! a\b)/.exec(sql)?.[1] ?? '', { cause: error.cause })
      : error;
  };
  return {
    keys: db.keys,
    all: (sql, ...values) => db.all(sql, ...values).catch(name(sql)),
    get: (sql, ...values) => db.get(sql, ...values).catch(name(sql)),
    run: (sql, ...values) => db.run(sql, ...values),
    write: (statement, ...values) => db.write(statement, ...values),
  };
}

/** Audits the books on one snapshot, and reports each difference as a line. */
export async function auditBooks(db: Database, report: Report, options: AuditOptions = {}): Promise<AuditTotals> {
  const { merchantId, batchRows = BATCH_ROWS, pause = async () => undefined } = options;
  const [ours, ...merchant] = merchantId === undefined ? ['1 = 1'] : ['merchant_id = ?', merchantId];
  const books: Books = { db, report, batchRows, pause, ours, merchant };
  const settledUntil = await readSettledTimes(books);
  const sums = new Map<string, Sums>();
  let entries = 0;
  const count = (found: readonly AuditedEntry[]) => {
    entries += found.length;
    for (const entry of found) addEntry(sums, asSettled(entry, settledUntil.get(nameWallet(entry)) ?? 0));
  };
  const transactions = await auditTransactions(books, count);
  await auditOtherEntries(books, count);
  await auditCorrections(books);
  const wallets = await auditWallets(books, sums);
  return { transactions, entries, wallets };
}

/** Reads rows of the audited merchants in batches, by their ids. */
async function* readBatches({ db, batchRows, pause, ours, merchant }: Books, select: string): AsyncGenerator<Row[]> {
  for await (const rows of keysetPages<Row>(batchRows, (last) =>
    db.all(
      `${select} and ${ours} and id > ? order by id limit ?`,
      ...[...merchant, last ? text('id')(last) : '', batchRows],
    ),
  )) {
    yield [...rows];
    await pause();
  }
}

/** Each transaction against its entries. The entries up to the last transaction of a batch belong to the batch. */
async function auditTransactions(books: Books, count: (entries: readonly AuditedEntry[]) => void): Promise<number> {
  const { db, report, ours, merchant } = books;
  const readEntries = async (after: string, upTo?: string) => {
    const rows = await db.all(
      `select e.merchant_id, e.currency, ${ENTRY_COLUMNS} from ledger_entries e
       where ${ours} and transaction_id > ? ${upTo === undefined ? '' : 'and transaction_id <= ?'}`,
      ...[...merchant, after, ...(upTo === undefined ? [] : [upTo])],
    );
    const entries = rows.map(toEntry);
    count(entries);
    return Map.groupBy(entries, ({ transactionId }) => transactionId);
  };
  const reportStrays = (strays: Iterable<readonly AuditedEntry[]>) => {
    for (const entry of [...strays].flat()) report(strayEntry(entry));
  };
  let [transactions, after] = [0, ''];
  for await (const batch of readBatches(books, 'select * from transactions where 1 = 1')) {
    transactions += batch.length;
    const last = text('id')(batch.at(-1));
    const entries = await readEntries(after, last);
    for (const row of batch) {
      const id = text('id')(row);
      for (const difference of listDifferences(row, entries.get(id) ?? [])) report(`transaction ${id}: ${difference}`);
      entries.delete(id);
    }
    reportStrays(entries.values());
    after = last;
  }
  reportStrays((await readEntries(after)).values());
  return transactions;
}

/** Entries without a transaction. Only funding is allowed. */
async function auditOtherEntries(books: Books, count: (entries: readonly AuditedEntry[]) => void): Promise<void> {
  const select = `select e.merchant_id, e.currency, ${ENTRY_COLUMNS}, ${APPROVED} as approved from ledger_entries e
    where transaction_id is null`;
  for await (const batch of readBatches(books, select)) {
    const entries = batch.map((row) => ({ ...toEntry(row), approved: optional('approved', String)(row) }));
    count(entries);
    for (const entry of entries)
      if (!OUTSIDE.some((reason) => hasReason(reason, entry)) || !isApproved(entry)) books.report(strayEntry(entry));
  }
}

/** Approved corrections whose entry is missing. Whether each entry is as approved has been compared with the entries. */
async function auditCorrections(books: Books): Promise<void> {
  const select = `select id from proposals where state = 'approved' and (transaction_id is null or entry_id is not null)
    and not exists (select 1 from ledger_entries e where e.id = proposals.entry_id)`;
  for await (const batch of readBatches(books, select))
    for (const row of batch) books.report(`proposal ${text('id')(row)}: its entry is missing`);
}

/** The time up to which each wallet is settled. */
async function readSettledTimes({ db, ours, merchant }: Books): Promise<Map<string, number>> {
  const rows = await db.all(`select merchant_id, currency, settled_until from wallets where ${ours}`, ...merchant);
  return new Map(
    rows.map((row) => {
      const wallet = { merchantId: integer('merchant_id')(row), currency: text('currency')(row) };
      return [nameWallet(wallet), integer('settled_until')(row)];
    }),
  );
}

/** Each wallet against what its entries add up to. */
async function auditWallets(
  { db, report, batchRows, ours, merchant }: Books,
  sums: Map<string, Sums>,
): Promise<number> {
  let wallets = 0;
  const pages = keysetPages<WalletKey & { readonly row: Row }>(batchRows, async (last) => {
    const rows = await db.all(
      `select * from wallets where ${ours} and (merchant_id, currency) > (?, ?) order by merchant_id, currency limit ?`,
      ...[...merchant, last?.merchantId ?? 0, last?.currency ?? '', batchRows],
    );
    return rows.map((row) => ({ merchantId: integer('merchant_id')(row), currency: text('currency')(row), row }));
  });
  for await (const page of pages) {
    wallets += page.length;
    for (const { row, ...wallet } of page) {
      const key = nameWallet(wallet);
      const entered = sums.get(key) ?? {};
      for (const account of WALLET_ACCOUNTS) {
        const sum = entered[account] ?? 0n;
        const amount = integer(account)(row);
        if (toBigInt(amount) !== sum) report(`${key}: ${account} is ${amount}, its entries add up to ${sum}`);
      }
      sums.delete(key);
    }
  }
  for (const key of sums.keys()) report(`${key}: there are entries, but no wallet`);
  return wallets;
}

/** Returns the differences between a transaction and its entries, one line each. */
function listDifferences(row: Row, entries: readonly AuditedEntry[]): string[] {
  let transaction: StatusData<Transaction>;
  try {
    transaction = parseStatus(row);
  } catch (error) {
    return [`its state cannot be read: ${(error as Error).message}`];
  }
  return [...columnDifferences(row, transaction), ...entryDifferences(transaction, entries)];
}

/** Columns that repeat the state, and the collected amount, which only a successful payment has. */
function columnDifferences(row: Row, transaction: StatusData<Transaction>): string[] {
  const { id, merchantId, kind, orderId, currency, amount, status, version } = transaction;
  const exception_at = openExceptions(transaction)[0]?.at ?? null;
  const repeated = {
    id,
    merchant_id: merchantId,
    kind,
    order_id: orderId,
    currency,
    amount,
    status,
    version,
    exception_at,
  };
  const differences = Object.entries(repeated)
    .filter(([column, value]) => row[column] !== value)
    .map(([column, value]) => `${column} is ${row[column]}, its state says ${value}`);
  const isPaid = kind === 'payment' && status === 'SUCCESS';
  const { amount_paid: amountPaid = null } = row;
  return isPaid === (amountPaid !== null)
    ? differences
    : [...differences, `it is ${status}, amount_paid is ${amountPaid}`];
}

function entryDifferences(transaction: StatusData<Transaction>, entries: readonly AuditedEntry[]): string[] {
  const { merchantId, currency } = transaction;
  const found = entries.map(describeEntry);
  const missing: string[] = [];
  for (const movement of listMovements(toProgress(transaction))) {
    const expected = describeEntry({ ...createMovementEntry(movement), merchantId, currency });
    const index = found.indexOf(expected);
    if (index === -1) missing.push(`the entry ${expected} is missing`);
    else found.splice(index, 1);
  }
  return [...missing, ...found.map((entry) => `the entry ${entry} does not belong to it`)];
}

/** The facts from which the reference model derives a transaction's movements. */
function toProgress(transaction: StatusData<Transaction>): Progress {
  const { kind, status, amount } = transaction;
  if (kind === 'payout') return { kind, status, amount, held: transaction.fundsHold === 'held' };
  return { kind, status, amount: transaction.amountPaid ?? 0 };
}

function addEntry(sums: Map<string, Sums>, entry: AuditedEntry): void {
  const key = nameWallet(entry);
  const wallet = sums.get(key) ?? {};
  const amount = toBigInt(entry.amount) ?? 0n;
  wallet[entry.from] = (wallet[entry.from] ?? 0n) - amount;
  wallet[entry.to] = (wallet[entry.to] ?? 0n) + amount;
  sums.set(key, wallet);
}

/** Undefined for an amount that isn't an integer, which SQLite can store. Its entry or wallet then fails the audit. */
function toBigInt(amount: number): bigint | undefined {
  return Number.isInteger(amount) ? BigInt(amount) : undefined;
}

function nameWallet({ merchantId, currency }: WalletKey): string {
  return `merchant ${merchantId} ${currency}`;
}

function strayEntry(entry: AuditedEntry): string {
  return `entry ${entry.id}: ${describeEntry(entry)} belongs to nothing`;
}

/** Whether an entry is as its correction was approved, or was none. */
function isApproved({ reason, amount, currency, approved }: AuditedEntry & { approved: string | undefined }): boolean {
  if (!Object.values<unknown>(CORRECTION_REASONS).includes(reason)) return true;
  if (approved === undefined) return false;
  const change = JSON.parse(approved) as Approved;
  return change.currency === currency && signedReason(change) === `${reason} ${amount}`;
}

/** The reason and the amount of the entry that an approval makes. */
function signedReason(change: Approved): string {
  if ('direction' in change) return `${CORRECTION_REASONS[change.direction]} ${change.amount}`;
  const amount = owedCorrection(readKind(change.transactionId), change);
  return `${CORRECTION_REASONS[amount < 0 ? 'debit' : 'credit']} ${Math.abs(amount)}`;
}

function hasReason(reason: Reason, { from, to, ...found }: LedgerEntry): boolean {
  const expected = createEntry(reason, found.amount);
  return found.reason === reason && from === expected.from && to === expected.to;
}

function describeEntry({ from, to, amount, reason, merchantId, currency }: LedgerEntry & WalletKey): string {
  return `'${reason}: ${amount} ${currency} of merchant ${merchantId} from ${from} to ${to}'`;
}

/** Audits that run or wait. */
const QUEUE_MAX = 20;
const RETRY_AFTER_S = 1;

/** Runs audits of merchants one after the other. */
export class AuditQueue {
  readonly #merchants = new Set<number>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the audit after the others. Throws the problem `rate-limited` if the merchant has one, or too many wait. */
  async run<T>(merchantId: number, audit: () => Promise<T>): Promise<T> {
    if (this.#merchants.has(merchantId)) throw refuse('An audit of this merchant is in progress.');
    if (this.#merchants.size >= QUEUE_MAX) throw refuse('Too many merchants wait for an audit.');
    this.#merchants.add(merchantId);
    const done = this.#last.then(audit);
    this.#last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      this.#merchants.delete(merchantId);
    }
  }
}

function refuse(reason: string): ProblemWithHeaders {
  const detail = `${reason} Retry after the number of seconds in \`Retry-After\`.`;
  return new ProblemWithHeaders('rate-limited', detail, { 'retry-after': String(RETRY_AFTER_S) });
}
