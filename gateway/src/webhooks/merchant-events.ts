/** Events of the outbox, for merchants and operators. */

import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import { whereAll } from '../database/sql.ts';
import type { Database, Row } from '../database/store.ts';
import type { IdRange } from '../platform/ids.ts';
import { type LoggedAttempt, parseLog } from './attempt-log.ts';
import { URL_STOPPED } from './stopped-urls.ts';

export interface StoredEvent {
  readonly id: string;
  readonly merchantId: number;
  readonly transactionId: string;
  readonly url: string;
  readonly body: string;
  /** Milliseconds since 1970, by the merchant's clock. */
  readonly createdAt: number;
  /** Includes resends. */
  readonly attempts: number;
  readonly log: readonly LoggedAttempt[];
  readonly state: EventState;
  /** The store's time of the next attempt; undefined when there will be none. */
  readonly nextAt: number | undefined;
  readonly deliveredAt: number | undefined;
  readonly lastResult: string | undefined;
}

/** Newest transactions of each kind whose events are searched. */
const SEARCHED_MAX = 1_000;

const COLUMNS = [
  ...['id', 'merchant_id', 'transaction_id', 'url', 'body', 'created_at', 'attempts', 'attempt_log'],
  ...['next_at', 'delivered_at', 'last_result'],
]
  .map((column) => `e.${column}`)
  .join(', ');

export type EventState = 'waiting' | 'delivered' | 'given_up' | 'stopped';

/** The last results of stopped events. */
const STOPPED: readonly string[] = ['responded 410', URL_STOPPED];

export interface EventFilter {
  /** Defaults to all merchants. */
  readonly merchantId?: number | undefined;
  readonly transactionId?: string | undefined;
  /** `failed` means undelivered without attempts left. */
  readonly state?: EventState | 'failed' | undefined;
  /** Range of ids, without its end. */
  readonly range?: IdRange | undefined;
  /** Only events with smaller ids. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const FAILED = 'e.next_at is null and e.delivered_at is null';
const IN_STOPPED = `in (${STOPPED.map((result) => `'${result}'`).join(', ')})`;
const STATES: Readonly<Record<EventState | 'failed', string>> = {
  // Uses the index of waiting events and sorts the few results.
  waiting: 'e.id in (select id from waiting)',
  delivered: 'e.delivered_at is not null',
  given_up: `${FAILED} and coalesce(e.last_result, '') not ${IN_STOPPED}`,
  stopped: `${FAILED} and e.last_result ${IN_STOPPED}`,
  failed: FAILED,
};

/** SQL condition for events `e` in a state other than waiting. */
export function stateCondition(state: Exclude<EventState, 'waiting'>): string {
  return STATES[state];
}

/** Returns matching events, newest first. */
export async function listEvents(
  db: Database,
  { merchantId, transactionId, state, range = {}, before, limit }: EventFilter,
): Promise<StoredEvent[]> {
  const ofMerchant = { 'e.merchant_id = ?': merchantId };
  const { where, values } = whereAll({
    ...ofMerchant,
    'e.transaction_id = ?': transactionId,
    'e.id >= ?': range.from,
    'e.id < ?': [range.to, before].filter((id) => id !== undefined).sort()[0],
  });
  const waiting = state === 'waiting' ? whereAll(ofMerchant) : undefined;
  const rows = await db.all(
    `${waiting ? `with waiting as materialized (select id from events e where e.next_at is not null and ${waiting.where})` : ''}
     select ${COLUMNS} from events e where e.resend_of is null and ${where} ${state ? `and ${STATES[state]}` : ''}
     order by e.id desc limit ${limit}`,
    ...[...(waiting?.values ?? []), ...values],
  );
  return rows.map(toEvent);
}

/** Returns an event, if it belongs to the merchant. Without a merchant, any event. */
export async function eventById(
  db: Database,
  merchantId: number | undefined,
  id: string,
): Promise<StoredEvent | undefined> {
  const row = await db.get(
    `select ${COLUMNS} from events e
     where e.id = ? and e.merchant_id = coalesce(cast(? as bigint), e.merchant_id) and e.resend_of is null`,
    id,
    merchantId ?? null,
  );
  return row && toEvent(row);
}

/** The events of a transaction, in order. */
export async function eventsOfTransaction(db: Database, transactionId: string): Promise<StoredEvent[]> {
  const rows = await db.all(
    `select ${COLUMNS} from events e where e.transaction_id = ? and e.resend_of is null order by e.id`,
    transactionId,
  );
  return rows.map(toEvent);
}

/** Events with a failed last attempt, newest first, among the merchant's newest transactions. */
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
  return rows.map(toEvent);
}

const toStored = rowMapper<Omit<StoredEvent, 'state'>>({
  id: text('id'),
  merchantId: integer('merchant_id'),
  transactionId: text('transaction_id'),
  url: text('url'),
  body: text('body'),
  createdAt: integer('created_at'),
  attempts: integer('attempts'),
  log: (row) => parseLog(optional('attempt_log', String)(row)),
  nextAt: optional('next_at', Number),
  deliveredAt: optional('delivered_at', Number),
  lastResult: optional('last_result', String),
});

function toEvent(row: Row): StoredEvent {
  const stored = toStored(row);
  const { attempts, log, nextAt, deliveredAt, lastResult } = stored;
  return { ...stored, attempts: Math.max(attempts, log.length), state: toState(nextAt, deliveredAt, lastResult) };
}

function toState(nextAt: number | undefined, deliveredAt: number | undefined, lastResult = ''): EventState {
  if (deliveredAt !== undefined) return 'delivered';
  if (nextAt !== undefined) return 'waiting';
  return STOPPED.includes(lastResult) ? 'stopped' : 'given_up';
}
