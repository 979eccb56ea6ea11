/** Transactions, ledger entries and wallets as rows for accounting, with totals that other books can be compared with. */

import type { CreatedRange } from '../database/id-range.ts';
import type { Database } from '../database/store.ts';
import { openExceptions } from '../domain/exceptions.ts';
import type { Transaction } from '../domain/transaction.ts';
import { entryPages, type PostedEntry } from '../ledger/ledger-pages.ts';
import { type OwnedWallet, signedAmount, WALLET_ACCOUNTS, type WalletKey, walletPages } from '../ledger/wallets.ts';
import { mergePages } from '../platform/merge-pages.ts';
import { transactionPages } from '../transactions/merchant-transactions.ts';
import { timestamp } from '../transactions/view.ts';
import { viewPosted } from './ledger.ts';
import type { CountedAmount, Totals } from './totals.ts';
import { summarizeTransaction } from './transactions.ts';

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
  readonly pages: (db: Database, selection: ExportSelection, totals: Totals) => AsyncGenerator<readonly Exported[]>;
}

const IN_WALLETS = 'in wallets';

/** Payments and payouts in the order of their creation. */
const transactions: Export = {
  columns: [
    ...['transaction_id', 'merchant_id', 'merchant_order_id', 'kind', 'status', 'amount', 'amount_paid', 'currency'],
    ...['payment_method_type', 'customer_id', 'channel', 'decline_reason', 'created_at', 'finalized_at', 'settled_at'],
    'open_exceptions',
  ],
  unit: 'transactions',
  async *pages(db, { merchantId, created }, totals) {
    const kinds = ['payment', 'payout'] as const;
    const sources = kinds.map((kind) => transactionPages(db, merchantId, kind, created));
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
  async *pages(db, { merchantId, created }, totals) {
    for await (const wallets of walletPages(db, merchantId)) {
      for (const wallet of wallets) {
        for await (const page of entryPages(db, wallet, created)) {
          for (const entry of page) totals.addRow(countEntry(wallet.currency, entry));
          yield page.map((entry) => rowOfEntry(wallet, entry));
        }
      }
    }
  },
};

/** The wallets as they are. */
const balances: Export = {
  columns: ['merchant_id', 'currency', 'available', 'pending', 'reserved', 'updated_at'],
  unit: 'wallets',
  async *pages(db, { merchantId }, totals) {
    for await (const page of walletPages(db, merchantId)) {
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
  const { channel, finalizedAt } = transaction;
  const exceptions = openExceptions(transaction).length;
  const settledAt = transaction.kind === 'payment' ? transaction.settledAt : undefined;
  return {
    ...summarizeTransaction(transaction),
    channel,
    ...(finalizedAt !== undefined && { finalized_at: timestamp(finalizedAt) }),
    ...(settledAt !== undefined && { settled_at: timestamp(settledAt) }),
    ...(exceptions > 0 && { open_exceptions: exceptions }),
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

function rowOfWallet({ merchantId, currency, available, pending, reserved, updatedAt }: OwnedWallet): Exported {
  return { merchant_id: merchantId, currency, available, pending, reserved, updated_at: timestamp(updatedAt) };
}
