/** The outbox: events are written together with the change that they report, and stay in it after delivery. */

import { flag, integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import { insertion, rowStatement } from '../database/row-statement.ts';
import { batches, placeholders, withoutIndex } from '../database/sql.ts';
import type { Database, RowStatement } from '../database/store.ts';
import type { Transaction } from '../domain/transaction.ts';
import { sameTime } from '../platform/merchant-time.ts';
import { appendedLog, type LogEntries } from './attempt-log.ts';

/** Lease of a webhook in milliseconds, renewed while an attempt is in flight. */
export const DELIVERY_CLAIM_MS = 5_000;

/** A claimed event or resend. */
export interface Delivery {
  readonly id: string;
  readonly merchantId: number;
  readonly transactionId: string;
  readonly url: string;
  readonly address: string;
  readonly body: string;
  /** Attempts made before this one. */
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly stopped: boolean;
  /** The event that it sends again. That event's own retries continue. */
  readonly resendOf: string | undefined;
  /** Identifies the claim among the delivery's claims. */
  readonly claim: number;
  /** The `traceparent` of the step that wrote it. */
  readonly trace?: string | undefined;
}

/** The id of the delivered event, which is its `webhook-id`. */
export function toEventId({ id, resendOf }: Pick<Delivery, 'id' | 'resendOf'>): string {
  return resendOf ?? id;
}

export type Claim = Pick<Delivery, 'id' | 'claim'>;

export interface ClaimEnd extends Claim {
  /** False if the delivery is released without an attempt. */
  readonly tried: boolean;
  readonly result: string | undefined;
  readonly deliveredAt: number | undefined;
  /** Time of the next attempt, if there is one. */
  readonly nextAt: number | undefined;
  /** New entries for the log of the event. */
  readonly log?: LogEntries | undefined;
}

export interface NewEvent {
  readonly id: string;
  readonly transaction: Pick<Transaction, 'id' | 'merchantId' | 'callbackUrl'>;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Converts a merchant's time to the store's time. Defaults to the same time. */
  readonly toStoreTime?: ((time: number) => number) | undefined;
  /** End of the writer's lease. Without it, any worker may claim the event. */
  readonly leaseUntil?: number | undefined;
  /** The store time from which another worker may claim it. Defaults to the converted `now`. */
  readonly dueAt?: number | undefined;
  /** The `traceparent` of the step that writes it. */
  readonly trace?: string | undefined;
}

/** Whether deliveries to the URL of a row of `events` are stopped. */
const STOPPED = `case when exists
  (select 1 from stopped_urls s where s.merchant_id = events.merchant_id and s.url = events.url) then 1 else 0 end as stopped`;

const APPENDED: RowStatement['columns'] = [
  ['id', 'text'],
  ['merchant_id', 'bigint'],
  ['transaction_id', 'text'],
  ['url', 'text'],
  ['address', 'text'],
  ['body', 'text'],
  ['created_at', 'bigint'],
  ['next_at', 'bigint'],
  ['claim', 'bigint'],
  ['attempts', 'bigint'],
  ['trace', 'text'],
];

const APPEND = rowStatement({
  table: 'events',
  columns: APPENDED,
  key: ['id'],
  sql: (form) => insertion('events', APPENDED, form),
  returning: STOPPED,
});

/** Adds an event about the transaction, due at once. Returns its delivery. */
export async function appendEvent(
  db: Database,
  { id, transaction, body, now, toStoreTime = sameTime, leaseUntil, dueAt, trace }: NewEvent,
): Promise<Delivery> {
  const { merchantId, id: transactionId, callbackUrl: url } = transaction;
  const address = toAddress(url);
  const row = await db.write(
    APPEND,
    ...[
      id,
      merchantId,
      transactionId,
      url,
      address,
      body,
      now,
      leaseUntil ?? dueAt ?? toStoreTime(now),
      leaseUntil ?? null,
      0,
      trace ?? null,
    ],
  );
  const stopped = row !== undefined && flag('stopped')(row);
  const untried = { attempts: 0, createdAt: now, resendOf: undefined, claim: leaseUntil ?? 0, trace };
  return { id, merchantId, transactionId, url, address, body, stopped, ...untried };
}

const IS_DUE = `${withoutIndex('next_at')} <= ?`;

/**
 * Claims the deliveries that are still due until `leaseUntil`. The update repeats the condition, because only some
 * databases lock the selected rows.
 */
export async function claimDeliveries(
  db: Database,
  ids: readonly string[],
  now: number,
  leaseUntil: number,
): Promise<Delivery[]> {
  const claimed: Delivery[] = [];
  for (const batch of batches(ids)) {
    const rows = await db.all(
      `update events set next_at = ?, claim = ? where id in
         (select id from events where id in (${placeholders(batch)}) and ${IS_DUE} for update skip locked)
         and ${IS_DUE}
       returning id, merchant_id, transaction_id, url, address, body, attempts, created_at, resend_of, trace, ${STOPPED}`,
      leaseUntil,
      leaseUntil,
      ...batch,
      now,
      now,
    );
    claimed.push(...rows.map((row) => ({ ...toDelivery(row), claim: leaseUntil })));
  }
  return claimed;
}

/** Extends claims whose deliveries are in flight. Claims taken by another process are skipped. */
export async function renewClaims(db: Database, claims: readonly Claim[], leaseUntil: number): Promise<void> {
  for (const batch of batches(claims)) {
    await db.run(
      `with held (id, claim) as (values ${batch.map(() => '(?, cast(? as bigint))').join(', ')})
       update events set next_at = ? from held where events.id = held.id and events.claim = held.claim`,
      ...batch.flatMap((held) => [held?.id ?? null, held?.claim ?? null]),
      leaseUntil,
    );
  }
}

const END_CLAIM = rowStatement({
  table: 'events',
  columns: [
    ['id', 'text'],
    ['claim', 'bigint'],
    ['tried', 'bigint'],
    ['result', 'text'],
    ['delivered_at', 'bigint'],
    ['next_at', 'bigint'],
    ['log', 'text'],
  ],
  key: ['id'],
  sql: ({ of, given }) => `update events set attempts = events.attempts + ${of('tried')},
      last_result = coalesce(${of('result')}, events.last_result),
      delivered_at = ${of('delivered_at')}, next_at = ${of('next_at')}, claim = null,
      attempt_log = ${appendedLog('events.attempt_log', of('log'))}
    ${given && `from ${given}`} where events.id = ${of('id')} and events.claim = ${of('claim')}`,
});

/**
 * Records the results of claims and returns the ids of their deliveries. Deliveries claimed or completed by another
 * process stay unchanged and are not returned.
 */
export async function endClaims(db: Database, ends: readonly ClaimEnd[]): Promise<ReadonlySet<string>> {
  const ended = await Promise.all(
    ends.map(async ({ id, claim, tried, result = null, deliveredAt = null, nextAt = null, log = null }) =>
      (await db.write(END_CLAIM, id, claim, tried ? 1 : 0, result, deliveredAt, nextAt, log)) ? [id] : [],
    ),
  );
  return new Set(ended.flat());
}

/** Scheme, host and port of a URL. */
export function toAddress(url: string): string {
  return new URL(url).origin;
}

const toDelivery = rowMapper<Omit<Delivery, 'claim'>>({
  id: text('id'),
  merchantId: integer('merchant_id'),
  transactionId: text('transaction_id'),
  url: text('url'),
  address: text('address'),
  body: text('body'),
  attempts: integer('attempts'),
  createdAt: integer('created_at'),
  // Resends are requested explicitly, so they are sent even to a stopped URL.
  stopped: (row) => flag('stopped')(row) && optional('resend_of', String)(row) === undefined,
  resendOf: optional('resend_of', String),
  trace: optional('trace', String),
});
