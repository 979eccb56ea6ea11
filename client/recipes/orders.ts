/**
 * Orders in SQLite (Node 22.13), each applied and paid out exactly once, even if the process is killed at any point.
 * The statements suit every database with transactions; on PostgreSQL, add `for update` to the select.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  type CreatePaymentRequest,
  type CreatePayoutRequest,
  kindOf,
  type PaymentsClient,
  type PayoutResult,
  sendPayout,
} from 'payments-client';
import { judgeState, type TransactionState } from 'payments-client/webhooks';
import type { OpenOrder } from './reconcile.ts';

const TABLE = `CREATE TABLE IF NOT EXISTS orders (
  kind TEXT NOT NULL,
  merchant_order_id TEXT NOT NULL,
  request TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'OPEN',
  transaction_id TEXT,
  seen TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (kind, merchant_order_id)
) STRICT`;

type Row = { kind: 'payment' | 'payout'; merchant_order_id: string; request: string; transaction_id: string | null };

export class Orders {
  readonly #db: DatabaseSync;
  readonly #onNew: (state: TransactionState) => void;

  /** `onNew` runs in the transaction that stores a new state. Write your own work there, such as a shipment to prepare. */
  constructor(db: DatabaseSync, onNew: (state: TransactionState) => void) {
    this.#db = db;
    this.#onNew = onNew;
    db.exec(TABLE);
  }

  /** Stores an order with its exact request. Call it before you send the request. */
  add(kind: 'payment' | 'payout', request: CreatePaymentRequest | CreatePayoutRequest): void {
    this.#db
      .prepare('INSERT INTO orders (kind, merchant_order_id, request) VALUES (?, ?, ?)')
      .run(kind, request.merchant_order_id, JSON.stringify(request));
  }

  /** Stores a payout as refused: no payout exists. */
  refuse(merchantOrderId: string): void {
    this.#db
      .prepare(
        `UPDATE orders SET status = 'REFUSED' WHERE kind = 'payout' AND merchant_order_id = ? AND status = 'OPEN'`,
      )
      .run(merchantOrderId);
  }

  /** Applies a state if it is new: an event, the result of a creation, or a read. Pass it to the webhooks and to `reconcile`. */
  apply(state: TransactionState): void {
    const { data } = state;
    const key = [kindOf(data), data.merchant_order_id];
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const row = this.#db.prepare('SELECT seen FROM orders WHERE kind = ? AND merchant_order_id = ?').get(...key);
      if (!row) throw new Error(`There is no ${key.join(' ')}`);
      const { verdict, seen } = judgeState(JSON.parse(String(row['seen'])), state);
      this.#db
        .prepare('UPDATE orders SET transaction_id = ?, seen = ? WHERE kind = ? AND merchant_order_id = ?')
        .run(data.transaction_id, JSON.stringify(seen), ...key);
      if (verdict === 'new') {
        this.#db
          .prepare('UPDATE orders SET status = ? WHERE kind = ? AND merchant_order_id = ?')
          .run(data.status, ...key);
        this.#onNew(state);
      }
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Orders that are not final, for `reconcile`. */
  open(): OpenOrder[] {
    const rows = this.#db
      .prepare(`SELECT * FROM orders WHERE status NOT IN ('SUCCESS', 'FAILED', 'REFUSED') ORDER BY rowid`)
      .all() as Row[];
    return rows.map(({ kind, merchant_order_id, request, transaction_id }) => {
      if (kind === 'payment') return { kind, merchant_order_id };
      return transaction_id ? { kind, payout_id: transaction_id } : { kind, request: JSON.parse(request) };
    });
  }
}

/** Pays out: stores the request, sends it, and stores the result. If the result is unknown, `reconcile` sends it again. */
export async function payOut(
  client: PaymentsClient,
  orders: Orders,
  request: CreatePayoutRequest,
): Promise<PayoutResult> {
  orders.add('payout', request);
  const result = await sendPayout(client, request);
  if (result.outcome === 'accepted') orders.apply(result);
  if (result.outcome === 'refused') orders.refuse(request.merchant_order_id);
  return result;
}
