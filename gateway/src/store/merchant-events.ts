/** Events of the outbox as their merchant sees them. */
import type { Database, Row, Value } from './store.ts';

export interface StoredEvent {
  readonly id: string;
  readonly transactionId: string;
  readonly url: string;
  readonly body: string;
  /** Milliseconds since 1970, by the merchant's clock. */
  readonly createdAt: number;
  /** Including those of resends. */
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
  .concat('(select count(*) from webhook_attempts a where a.event_id = e.id) as recorded')
  .join(', ');

export type EventState = 'waiting' | 'delivered' | 'failed';

export interface EventFilter {
  readonly transactionId?: string | undefined;
  readonly state?: EventState | undefined;
  /** The id before which the page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const STATES: Readonly<Record<EventState, string>> = {
  // They are found by the index of what waits, and then sorted, since few wait among many that don't.
  waiting: 'e.id in (select id from waiting)',
  delivered: 'e.delivered_at is not null',
  failed: 'e.next_at is null and e.delivered_at is null',
};
const WAITING = `with waiting as materialized
  (select id from events where merchant_id = ? and next_at is not null)`;

/** The merchant's events that fit, the newest first. */
export async function listEvents(
  db: Database,
  merchantId: number,
  { transactionId, state, before, limit }: EventFilter,
): Promise<StoredEvent[]> {
  const conditions: [string, ...Value[]][] = [['e.merchant_id = ?', merchantId], ['e.resend_of is null']];
  if (transactionId !== undefined) conditions.push(['e.transaction_id = ?', transactionId]);
  if (before !== undefined) conditions.push(['e.id < ?', before]);
  if (state) conditions.push([STATES[state]]);
  const waiting = state === 'waiting';
  const rows = await db.all(
    `${waiting ? WAITING : ''} select ${COLUMNS} from events e
     where ${conditions.map(([sql]) => sql).join(' and ')} order by e.id desc limit ${limit}`,
    ...(waiting ? [merchantId] : []),
    ...conditions.flatMap(([, ...values]) => values),
  );
  return rows.map(parseEvent);
}

/** The merchant's event of this id. */
export async function eventById(db: Database, merchantId: number, id: string): Promise<StoredEvent | undefined> {
  const row = await db.get(
    `select ${COLUMNS} from events e where e.id = ? and e.merchant_id = ? and e.resend_of is null`,
    id,
    merchantId,
  );
  return row && parseEvent(row);
}

/** The events of a transaction, in order. */
export async function eventsOfTransaction(db: Database, transactionId: string): Promise<StoredEvent[]> {
  const rows = await db.all(
    `select ${COLUMNS} from events e where e.transaction_id = ? and e.resend_of is null order by e.id`,
    transactionId,
  );
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
     where e.resend_of is null and e.delivered_at is null and e.attempts > 0 order by e.id desc limit ?`,
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
    // A gateway without a sandbox counts attempts, and keeps none.
    attempts: Math.max(Number(row['attempts']), Number(row['recorded'])),
    nextAt: time(row['next_at']),
    deliveredAt: time(row['delivered_at']),
    lastResult: row['last_result'] === null ? undefined : String(row['last_result']),
  };
}
