/** Transactions, ledger entries and wallets as rows for accounting, with totals that other books can be compared with. */
import type { Transaction } from '../domain/transaction.ts';
import { mergePages } from '../platform/merge-pages.ts';
import { carriedForward } from '../store/books/audit-books.ts';
import { entryPages, type PostedEntry } from '../store/books/ledger-pages.ts';
import { transactionPages } from '../store/books/merchant-transactions.ts';
import {
  type OwnedWallet,
  signedAmount,
  WALLET_ACCOUNTS,
  type WalletKey,
  walletPages,
} from '../store/books/wallets.ts';
import type { CreatedRange } from '../store/engine/id-range.ts';
import type { Database } from '../store/engine/store.ts';
import { timestamp } from '../wire/view.ts';
import { viewPosted } from './ledger.ts';
import type { CountedAmount, Totals } from './totals.ts';
import { summarizeTransaction } from './transactions.ts';

/** The databases of one moment: the gateway's first, then archives of it. */
export interface ExportSource {
  readonly databases: readonly [Database, ...Database[]];
  /** Ids of the archives that aren't among them. */
  readonly unread: readonly string[];
}

export interface ExportSelection {
  readonly merchantId?: number | undefined;
  /** Times of creations, or of entries. */
  readonly created: CreatedRange;
}

/** A row by the names of the columns. Without a value, a name is missing. */
export type Exported = Readonly<Record<string, string | number | undefined>>;

export interface Export {
  readonly columns: readonly string[];
  /** The name of the rows in the totals. */
  readonly unit: string;
  /** The rows, page by page. Counts them in the totals. */
  readonly pages: (
    source: ExportSource,
    selection: ExportSelection,
    totals: Totals,
  ) => AsyncGenerator<readonly Exported[]>;
}

const IN_WALLETS = 'in wallets';

/** Payments and payouts in the order of their creation. */
const transactions: Export = {
  columns: [
    ...['transaction_id', 'merchant_id', 'merchant_order_id', 'kind', 'status', 'amount', 'amount_paid', 'currency'],
    ...['payment_method_type', 'customer_id', 'channel', 'decline_reason', 'created_at', 'finalized_at', 'settled_at'],
  ],
  unit: 'transactions',
  async *pages({ databases }, { merchantId, created }, totals) {
    const kinds = ['payment', 'payout'] as const;
    const sources = databases.flatMap((db) => kinds.map((kind) => transactionPages(db, merchantId, kind, created)));
    // Ids have their kind first, then their time.
    for await (const page of mergePages(sources, ({ id }) => id.slice(id.indexOf('_')) + id)) {
      for (const transaction of page) totals.addRow(countTransaction(transaction));
      yield page.map(rowOfTransaction);
    }
  },
};

/** Entries, wallet by wallet in the order of their times. */
const ledger: Export = {
  columns: ['id', 'at', 'merchant_id', 'transaction_id', 'currency', 'amount', 'from', 'to', 'reason'],
  unit: 'entries',
  async *pages({ databases, unread }, { merchantId, created }, totals) {
    const wallets = databases.map((db) => walletPages(db, merchantId));
    for await (const keys of mergePages(wallets, walletOrder)) {
      for (const wallet of keys) {
        const sources = databases.map((db) => entryPages(db, wallet, created));
        for await (const page of mergePages(sources, ({ id }) => id)) {
          for (const entry of page) totals.addRow(countEntry(wallet.currency, entry));
          yield page.map((entry) => rowOfEntry(wallet, entry));
        }
      }
    }
    // The times of what is carried forward aren't known.
    if (created.from !== undefined || created.before !== undefined) return;
    for (const id of unread) await countCarried(databases[0], id, merchantId, totals);
  },
};

/** The wallets as they are. */
const balances: Export = {
  columns: ['merchant_id', 'currency', 'available', 'pending', 'reserved', 'updated_at'],
  unit: 'wallets',
  async *pages({ databases }, { merchantId }, totals) {
    for await (const page of walletPages(databases[0], merchantId)) {
      for (const wallet of page) {
        const { currency } = wallet;
        totals.addRow(WALLET_ACCOUNTS.map((name) => ({ currency, list: IN_WALLETS, name, amount: wallet[name] })));
      }
      yield page.map(rowOfWallet);
    }
  },
};

export const EXPORTS = { transactions, ledger, balances };

function rowOfTransaction(transaction: Transaction): Exported {
  const { merchantId, channel, finalizedAt } = transaction;
  const settledAt = transaction.kind === 'payment' ? transaction.settledAt : undefined;
  return {
    ...summarizeTransaction(transaction),
    ...{ merchant_id: merchantId, channel },
    ...(finalizedAt !== undefined && { finalized_at: timestamp(finalizedAt) }),
    ...(settledAt !== undefined && { settled_at: timestamp(settledAt) }),
  };
}

function countTransaction(transaction: Transaction): CountedAmount[] {
  const { kind, status, currency, amount } = transaction;
  const paid = transaction.kind === 'payment' ? transaction.amountPaid : undefined;
  return [
    { currency, list: 'by status', name: `${kind} ${status}`, amount, rows: 1 },
    ...(paid === undefined ? [] : [{ currency, list: 'amount_paid', name: 'payment', amount: paid, rows: 1 }]),
  ];
}

function rowOfEntry({ merchantId, currency }: WalletKey, { transactionId, ...entry }: PostedEntry): Exported {
  return {
    ...viewPosted(entry),
    ...{ merchant_id: merchantId, currency },
    ...(transactionId !== undefined && { transaction_id: transactionId }),
  };
}

function countEntry(currency: string, entry: PostedEntry): CountedAmount[] {
  const { reason, amount } = entry;
  return [
    { currency, list: 'by reason', name: reason, amount, rows: 1 },
    ...WALLET_ACCOUNTS.map((name) => ({ currency, list: IN_WALLETS, name, amount: signedAmount(entry, name) })),
  ];
}

/** Counts the entries that are in an archive alone, by what the database carries forward from there. */
async function countCarried(
  db: Database,
  archiveId: string,
  merchantId: number | undefined,
  totals: Totals,
): Promise<void> {
  const [ours, ...merchant] = merchantId === undefined ? ['1 = 1'] : ['merchant_id = ?', merchantId];
  for await (const row of carriedForward(db, [`archive_id = ? and ${ours}`, archiveId, ...merchant])) {
    const [currency, amount] = [String(row['currency']), BigInt(String(row['amount']))];
    const moved = WALLET_ACCOUNTS.map((name) => {
      const sign = row['to_account'] === name ? 1n : row['from_account'] === name ? -1n : 0n;
      return { currency, list: IN_WALLETS, name, amount: sign * amount };
    });
    const reason = { currency, list: 'in archives', name: String(row['reason']), amount, rows: Number(row['entries']) };
    totals.add([reason, ...moved]);
  }
}

function rowOfWallet({ merchantId, currency, available, pending, reserved, updatedAt }: OwnedWallet): Exported {
  return { merchant_id: merchantId, currency, available, pending, reserved, updated_at: timestamp(updatedAt) };
}

/** Sorts as the database does. */
function walletOrder({ merchantId, currency }: WalletKey): string {
  return `${String(merchantId).padStart(15, '0')} ${currency}`;
}
