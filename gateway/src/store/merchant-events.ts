/** Events of the outbox as their merchant sees them. */
import type { Database, Row } from './store.ts';

export interface StoredEvent {
  readonly id: string;
  readonly transactionId: string;
  readonly url: string;
  readonly body: string;
  /** Milliseconds since 1970, by the merchant's clock. */
  readonly createdAt: number;
  readonly attempts: number;
  /** The store's time of the next attempt; undefined when there will be none. */
  readonly nextAt: number | undefined;
  readonly deliveredAt: number | undefined;
  readonly lastResult: string | undefined;
}

/** Transactions of each kind whose events are searched. */
const SEARCHED_MAX = 1_000;

const COLUMNS = [
  ...['id', 'transaction_id', 'url', 'body', 'created_at', 'attempts', 'next_at', 'delivered_at', 'last_result'],
]
  .map((column) => `e.${column}`)
  .join(', ');

/** The events of a transaction, in order. */
export async function eventsOfTransaction(db: Database, transactionId: string): Promise<StoredEvent[]> {
  const rows = await db.all(`select ${COLUMNS} from events e where e.transaction_id = ? order by e.id`, transactionId);
  return rows.map(parseEvent);
}

/** Events whose last attempt failed, newest first, among those of the merchant's newest transactions. */
export async function failingEvents(db: Database, merchantId: number, limit: number): Promise<StoredEvent[]> {
  const newest = (prefix: string) =>
    `select * from (select id from transactions where merchant_id = ? and id > '${prefix}' and id < '${prefix}_ZZ'
       order by id desc limit ${SEARCHED_MAX}) as ${prefix}`;
  const rows = await db.all(
    `select ${COLUMNS} from (${newest('pay')} union all ${newest('out')}) as t
     join events e on e.transaction_id = t.id
     where e.delivered_at is null and e.attempts > 0 order by e.id desc limit ?`,
    merchantId,
    merchantId,
    limit,
  );
  return rows.map(parseEvent);
}

function parseEvent(row: Row): StoredEvent {
  const time = (value: Row[string] | undefined) => (typeof value === 'number' ? value : undefined);
  return {
    id: String(row['id']),
    transactionId: String(row['transaction_id']),
    url: String(row['url']),
    body: String(row['body']),
    createdAt: Number(row['created_at']),
    attempts: Number(row['attempts']),
    nextAt: time(row['next_at']),
    deliveredAt: time(row['delivered_at']),
    lastResult: row['last_result'] === null ? undefined : String(row['last_result']),
  };
}
