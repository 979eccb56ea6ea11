/** The outbox: events are written together with the change that they report, and stay in it after delivery. */

import { batches, placeholders } from '../database/batches.ts';
import { insertion, rowStatement } from '../database/row-statement.ts';
import type { Database, Row, RowStatement } from '../database/store.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { OperatorName } from '../operators/operators.ts';
import { sameTime } from '../platform/merchant-time.ts';
import { appendedLog, type LogEntries } from './attempts.ts';

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
  /** The URL is stopped. */
  readonly stopped: boolean;
  /** The event that it sends again. That event's own retries continue. */
  readonly resendOf: string | undefined;
  /** Identifies the claim among the delivery's claims. */
  readonly claim: number;
  /** The `traceparent` of the step that wrote it. */
  readonly trace?: string | undefined;
}

/** The id of the delivered event, which is its `webhook-id`. */
export function eventIdOf({ id, resendOf }: Pick<Delivery, 'id' | 'resendOf'>): string {
  return resendOf ?? id;
}

/** A claim of a delivery. */
export type Claim = Pick<Delivery, 'id' | 'claim'>;

/** The end of a claim. */
export interface ClaimEnd extends Claim {
  /** False if the delivery is released without an attempt. */
  readonly tried: boolean;
  /** Description of the result. */
  readonly result: string | undefined;
  readonly deliveredAt: number | undefined;
  /** Time of the next attempt, if there is one. */
  readonly nextAt: number | undefined;
  /** New entries for the log of the event. */
  readonly log?: LogEntries | undefined;
}

export interface StoppedUrl {
  readonly merchantId: number;
  readonly url: string;
  readonly eventId: string;
  /** Milliseconds since 1970. */
  readonly stoppedAt: number;
  /** The operator who stopped it. Undefined after a 410. */
  readonly by?: OperatorName | undefined;
}

/** An event to be written. */
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
  const address = addressOf(url);
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
  const stopped = row?.['stopped'] === 1;
  const untried = { attempts: 0, createdAt: now, resendOf: undefined, claim: leaseUntil ?? 0, trace };
  return { id, merchantId, transactionId, url, address, body, stopped, ...untried };
}

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
         (select id from events where id in (${placeholders(batch)}) and next_at <= ? for update skip locked)
         and next_at <= ?
       returning id, merchant_id, transaction_id, url, address, body, attempts, created_at, resend_of, trace, ${STOPPED}`,
      leaseUntil,
      leaseUntil,
      ...batch,
      now,
      now,
    );
    claimed.push(...rows.map((row) => parse(row, leaseUntil)));
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

/** Result of an event that was not attempted because its URL is stopped. */
export const URL_STOPPED = 'not sent: its URL is stopped';

/** Stops a URL and abandons its waiting events. Has no effect if the event is gone. */
export async function stopUrl(db: Database, stopped: StoppedUrl): Promise<void> {
  const { merchantId, url, eventId, stoppedAt, by } = stopped;
  await db.run(
    `insert into stopped_urls (merchant_id, url, event_id, stopped_at, operator_id)
     select merchant_id, ?, id, cast(? as bigint), ? from events where id = ? for update
     on conflict (merchant_id, url) do nothing`,
    ...[url, stoppedAt, by?.id ?? null, eventId],
  );
  // A resend is a separate row and leaves its event unchanged.
  await db.run(
    `delete from events where address = ? and next_at is not null and merchant_id = ? and url = ? and resend_of is not null`,
    ...[addressOf(url), merchantId, url],
  );
  await db.run(
    `update events set next_at = null, claim = null, last_result = ?
     where address = ? and next_at is not null and merchant_id = ? and url = ?`,
    URL_STOPPED,
    addressOf(url),
    merchantId,
    url,
  );
}

/** Newest events of a merchant that are searched for a URL. */
const SEARCHED_MAX = 10_000;

/** The id of the newest event for a URL among the merchant's last SEARCHED_MAX. */
export async function lastEventFor(db: Database, merchantId: number, url: string): Promise<string | undefined> {
  const row = await db.get(
    `select id from (select id, url from events where merchant_id = ? and resend_of is null order by id desc
       limit ${SEARCHED_MAX}) as last where url = ? order by id desc limit 1`,
    merchantId,
    url,
  );
  return row && String(row['id']);
}

/** Whether deliveries to the URL are stopped. */
export async function isStopped(db: Database, merchantId: number, url: string): Promise<boolean> {
  const row = await db.get('select 1 as one from stopped_urls where merchant_id = ? and url = ?', merchantId, url);
  return row !== undefined;
}

/** Returns up to `limit` stopped URLs of one or all merchants, after an event's. */
export async function stoppedUrls(
  db: Database,
  {
    merchantId,
    after = '',
    limit,
  }: { readonly merchantId?: number | undefined; readonly after?: string | undefined; readonly limit: number },
): Promise<StoppedUrl[]> {
  const rows = await db.all(
    `select s.merchant_id, s.url, s.event_id, s.stopped_at, s.operator_id, o.name as operator from stopped_urls s
     left join operators o on o.id = s.operator_id
     where s.merchant_id = coalesce(cast(? as bigint), s.merchant_id) and s.event_id > ?
     order by s.event_id limit ${limit}`,
    merchantId ?? null,
    after,
  );
  return rows.map((row) => ({
    merchantId: Number(row['merchant_id']),
    url: String(row['url']),
    eventId: String(row['event_id']),
    stoppedAt: Number(row['stopped_at']),
    by: row['operator_id'] === null ? undefined : { id: String(row['operator_id']), name: String(row['operator']) },
  }));
}

/** Resumes deliveries of new events to the URL. Returns false if it was not stopped. */
export async function resumeUrl(db: Database, merchantId: number, url: string): Promise<boolean> {
  return (await db.run('delete from stopped_urls where merchant_id = ? and url = ?', merchantId, url)) === 1;
}

/** Scheme, host and port of a URL. */
export function addressOf(url: string): string {
  return new URL(url).origin;
}

function parse(row: Row, claim: number): Delivery {
  return {
    id: String(row['id']),
    merchantId: Number(row['merchant_id']),
    transactionId: String(row['transaction_id']),
    url: String(row['url']),
    address: String(row['address']),
    body: String(row['body']),
    attempts: Number(row['attempts']),
    createdAt: Number(row['created_at']),
    // Resends are requested explicitly, so they are sent even to a stopped URL.
    stopped: row['stopped'] === 1 && row['resend_of'] === null,
    claim,
    resendOf: row['resend_of'] === null ? undefined : String(row['resend_of']),
    trace: row['trace'] === null ? undefined : String(row['trace']),
  };
}
