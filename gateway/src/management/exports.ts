/** Transactions, ledger entries and wallets as rows for accounting, with totals that other books can be compared with. */

import type { Database } from '../database/store.ts';
import { openExceptions } from '../domain/exceptions.ts';
import type { Transaction } from '../domain/transaction.ts';
import { type CarriedEntry, entryPages, type PostedEntry } from '../ledger/ledger-pages.ts';
import {
  asSettled,
  type OwnedWallet,
  signedAmount,
  WALLET_ACCOUNTS,
  type WalletKey,
  walletPages,
} from '../ledger/wallets.ts';
import type { CreatedRange } from '../platform/ids.ts';
import { transactionPages } from '../transactions/merchant-transactions.ts';
import { timestamp } from '../transactions/view.ts';
import { summarizeTransaction, viewPosted } from './views.ts';

interface ExportSelection {
  readonly merchantId?: number | undefined;
  /** Times of creations, or of entries. */
  readonly created: CreatedRange;
  /** The time of the export, in milliseconds since 1970. */
  readonly now: number;
}

/** A row by the names of the columns. Without a value, a name is missing. */
export type Exported = Readonly<Record<string, string | number | undefined>>;

interface Export {
  readonly columns: readonly string[];
  /** The name of the rows in the totals. */
  readonly unit: string;
  /** The rows, page by page. Counts them in the totals. */
  readonly pages: (db: Database, selection: ExportSelection, totals: Totals) => AsyncGenerator<readonly Exported[]>;
}

const IN_WALLETS = 'in wallets';

/** Payments, then payouts, each in the order of their creation. */
const transactions: Export = {
  columns: [
    ...['transaction_id', 'merchant_id', 'merchant_order_id', 'kind', 'status', 'amount', 'amount_paid', 'currency'],
    ...['payment_method_type', 'customer_id', 'channel', 'decline_reason', 'created_at', 'finalized_at'],
    'open_exceptions',
  ],
  unit: 'transactions',
  async *pages(db, { merchantId, created }, totals) {
    for (const kind of ['payment', 'payout'] as const) {
      for await (const page of transactionPages(db, merchantId, kind, created)) {
        for (const transaction of page) totals.addRow(countTransaction(transaction));
        yield page.map(rowOfTransaction);
      }
    }
  },
};

/** Entries, wallet by wallet in the order of their times. */
const ledger: Export = {
  columns: [
    ...['id', 'at', 'merchant_id', 'transaction_id', 'currency', 'amount', 'from', 'to', 'reason', 'available_at'],
    ...['channel', 'payment_method_type'],
  ],
  unit: 'entries',
  async *pages(db, { merchantId, created, now }, totals) {
    for await (const wallets of walletPages(db, merchantId, now)) {
      for (const wallet of wallets) {
        for await (const page of entryPages(db, wallet, created)) {
          for (const entry of page) totals.addRow(countEntry(wallet, entry));
          yield page.map((entry) => rowOfEntry(wallet, entry));
        }
      }
    }
  },
};

const balances: Export = {
  columns: ['merchant_id', 'currency', 'available', 'pending', 'reserved', 'updated_at'],
  unit: 'wallets',
  async *pages(db, { merchantId, now }, totals) {
    for await (const page of walletPages(db, merchantId, now)) {
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
  return {
    ...summarizeTransaction(transaction),
    channel,
    ...(finalizedAt !== undefined && { finalized_at: timestamp(finalizedAt) }),
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

function rowOfEntry({ merchantId, currency }: WalletKey, { transactionId, carrier, ...entry }: CarriedEntry): Exported {
  return {
    ...viewPosted(entry),
    ...{ merchant_id: merchantId, currency },
    ...(transactionId !== undefined && { transaction_id: transactionId }),
    ...(carrier && { channel: carrier.channel, payment_method_type: carrier.method }),
  };
}

function countEntry({ currency, settledUntil }: OwnedWallet, posted: PostedEntry): CountedAmount[] {
  const entry = asSettled(posted, settledUntil);
  const { reason, amount } = entry;
  return [
    { currency, list: 'by reason', name: reason, amount, rows: 1 },
    ...WALLET_ACCOUNTS.map((name) => ({ currency, list: IN_WALLETS, name, amount: signedAmount(entry, name) })),
  ];
}

function rowOfWallet({ merchantId, currency, available, pending, reserved, updatedAt }: OwnedWallet): Exported {
  return { merchant_id: merchantId, currency, available, pending, reserved, updated_at: timestamp(updatedAt) };
}

/** Sums of exported rows by currency, for people who compare them with other books. */

/** An amount that counts in the totals of a currency: in which list, and under which name. */
interface CountedAmount {
  readonly currency: string;
  readonly list: string;
  readonly name: string;
  /** May exceed 2^53 where it is a sum. */
  readonly amount: bigint | number;
  /** Number of rows in the sum, or undefined if not counted. */
  readonly rows?: number;
}

export class Totals {
  #rows = 0;
  /** By currency, list and name. */
  readonly #sums = new Map<string, Required<CountedAmount> & { readonly amount: bigint }>();

  get rows(): number {
    return this.#rows;
  }

  addRow(counted: readonly CountedAmount[]): void {
    this.#rows += 1;
    this.add(counted);
  }

  add(counted: readonly CountedAmount[]): void {
    for (const { currency, list, name, amount, rows = 0 } of counted) {
      const key = [currency, list, name].join();
      const sum = this.#sums.get(key) ?? { amount: 0n, rows: 0 };
      this.#sums.set(key, { currency, list, name, amount: sum.amount + BigInt(amount), rows: sum.rows + rows });
    }
  }

  /** A line for each currency and list, such as `INR  by reason: collected 100000 (2), reserved 50000 (1)`. */
  lines(): string[] {
    const byCurrency = [...this.#sums.values()].sort((a, b) => compareTexts(a.currency, b.currency));
    const lists = Map.groupBy(byCurrency, ({ currency, list }) => `${currency}  ${list}`);
    return [...lists].map(([list, sums]) => {
      const byName = sums.toSorted((a, b) => compareTexts(a.name, b.name));
      return `${list}: ${byName.map(({ name, amount, rows }) => `${name} ${amount}${rows > 0 ? ` (${rows})` : ''}`).join(', ')}`;
    });
  }
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
