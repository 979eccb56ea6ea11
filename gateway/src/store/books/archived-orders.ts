/** Order ids of archived transactions. They stay taken, so that no order is paid twice. */
import type { Transaction } from '../../domain/transaction.ts';
import type { Database, Row } from '../engine/store.ts';

export interface ArchivedOrder {
  readonly orderId: string;
  readonly transactionId: string;
  /** Milliseconds since 1970. */
  readonly archivedAt: number;
}

/** Holds unless the order id belongs to an archived transaction; in SQL, of expressions or parameters. */
export function isNotArchived(merchantId: string, kind: string, orderId: string): string {
  return `not exists (select 1 from archived_orders a
    where a.merchant_id = ${merchantId} and a.kind = ${kind} and a.order_id = ${orderId})`;
}

/** The merchant's archived transaction of a kind, by one of its ids. */
export async function archivedOrder(
  db: Database,
  merchantId: number,
  kind: Transaction['kind'],
  by: { readonly orderId: string } | { readonly transactionId: string },
): Promise<ArchivedOrder | undefined> {
  const [column, id] = 'orderId' in by ? ['order_id', by.orderId] : ['transaction_id', by.transactionId];
  const row = await db.get(
    `select order_id, transaction_id, archived_at from archived_orders
     where merchant_id = ? and kind = ? and ${column} = ?`,
    ...[merchantId, kind, id],
  );
  return row && parse(row);
}

function parse(row: Row): ArchivedOrder {
  return {
    orderId: String(row['order_id']),
    transactionId: String(row['transaction_id']),
    archivedAt: Number(row['archived_at']),
  };
}
