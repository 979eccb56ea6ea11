/** Webhooks that wait to be delivered. They are written together with the change that they report, and kept afterwards. */
import type { Transaction } from '../domain/transaction.ts';
import { sameTime } from '../platform/merchant-time.ts';
import type { Database, Row, Value } from './store.ts';

/** A delivery that a worker has claimed. */
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
  /** The URL has returned 410 before: nothing may be sent to it. */
  readonly stopped: boolean;
}

/** How a claim ends. */
export interface ClaimEnd {
  readonly id: string;
  /** False when the delivery is given back without having been tried. */
  readonly tried: boolean;
  /** What came of it, for people. */
  readonly result: string | undefined;
  readonly deliveredAt: number | undefined;
  /** Undefined when there will be no other attempt. */
  readonly nextAt: number | undefined;
}

export interface StoppedUrl {
  readonly merchantId: number;
  readonly url: string;
  readonly eventId: string;
  /** Milliseconds since 1970. */
  readonly stoppedAt: number;
}

/** Statements take one of these numbers of rows, so that there are few of them to prepare. */
const SIZES = [1, 8, 64];

/** An event that is about to be written. */
export interface NewEvent {
  readonly id: string;
  readonly transaction: Pick<Transaction, 'id' | 'merchantId' | 'callbackUrl'>;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The store's time at which a time of the merchant comes. Defaults to the same time. */
  readonly stored?: ((time: number) => number) | undefined;
}

/** Adds the event that reports the transaction as it is now; it is due at once. */
export async function appendEvent(
  db: Database,
  { id, transaction, body, now, stored = sameTime }: NewEvent,
): Promise<void> {
  await db.run(
    `insert into events (id, merchant_id, transaction_id, url, address, body, created_at, attempts, next_at)
     values (?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    id,
    transaction.merchantId,
    transaction.id,
    transaction.callbackUrl,
    addressOf(transaction.callbackUrl),
    body,
    now,
    stored(now),
  );
}

/** The merchant's event of this id. */
export async function eventById(
  db: Database,
  merchantId: number,
  id: string,
): Promise<{ id: string; url: string; body: string } | undefined> {
  const row = await db.get('select id, url, body from events where id = ? and merchant_id = ?', id, merchantId);
  return row && { id: String(row['id']), url: String(row['url']), body: String(row['body']) };
}

/** Takes those of the deliveries that are still due, and keeps other workers away from them until `leaseUntil`. */
export async function claimDeliveries(
  db: Database,
  ids: readonly string[],
  now: number,
  leaseUntil: number,
): Promise<Delivery[]> {
  const claimed: Delivery[] = [];
  for (const batch of batches(ids)) {
    const rows = await db.all(
      `update events set next_at = ? where id in
         (select id from events where id in (${marks(batch)}) and next_at <= ? for update skip locked)
       returning id, merchant_id, transaction_id, url, address, body, attempts, created_at,
         case when exists (select 1 from stopped_urls s where s.merchant_id = events.merchant_id and s.url = events.url)
           then 1 else 0 end as stopped`,
      leaseUntil,
      ...batch,
      now,
    );
    claimed.push(...rows.map(parse));
  }
  return claimed;
}

/** Keeps claims alive while their deliveries are still under way. */
export async function renewClaims(db: Database, ids: readonly string[], leaseUntil: number): Promise<void> {
  for (const batch of batches(ids)) {
    await db.run(
      `update events set next_at = ? where id in (${marks(batch)}) and next_at is not null`,
      leaseUntil,
      ...batch,
    );
  }
}

/** Writes down how claims end. A delivery that another process has ended meanwhile stays unchanged. */
export async function endClaims(db: Database, ends: readonly ClaimEnd[]): Promise<void> {
  const columns = '(?, cast(? as bigint), ?, cast(? as bigint), cast(? as bigint))';
  for (const batch of batches(ends)) {
    await db.run(
      `with ended (id, tried, result, delivered_at, next_at) as (values ${batch.map(() => columns).join(', ')})
       update events set attempts = events.attempts + ended.tried,
         last_result = coalesce(ended.result, events.last_result),
         delivered_at = ended.delivered_at, next_at = ended.next_at
       from ended where events.id = ended.id and events.next_at is not null`,
      ...batch.flatMap((end): Value[] =>
        end
          ? [end.id, end.tried ? 1 : 0, end.result ?? null, end.deliveredAt ?? null, end.nextAt ?? null]
          : [null, null, null, null, null],
      ),
    );
  }
}

/** Remembers that a URL takes no events any more, and gives up what waits for it. */
export async function stopUrl(db: Database, stopped: StoppedUrl, result: string): Promise<void> {
  const { merchantId, url, eventId, stoppedAt } = stopped;
  await db.run(
    `insert into stopped_urls (merchant_id, url, event_id, stopped_at) values (?, ?, ?, ?)
     on conflict (merchant_id, url) do nothing`,
    merchantId,
    url,
    eventId,
    stoppedAt,
  );
  await db.run(
    `update events set next_at = null, last_result = ?
     where address = ? and next_at is not null and merchant_id = ? and url = ?`,
    result,
    addressOf(url),
    merchantId,
    url,
  );
}

/** The URLs to which nothing is sent any more, of one merchant or of all. */
export async function stoppedUrls(db: Database, merchantId?: number): Promise<StoppedUrl[]> {
  const rows = await db.all(
    `select merchant_id, url, event_id, stopped_at from stopped_urls where merchant_id = coalesce(?, merchant_id)
     order by stopped_at, merchant_id, url`,
    merchantId ?? null,
  );
  return rows.map((row) => ({
    merchantId: Number(row['merchant_id']),
    url: String(row['url']),
    eventId: String(row['event_id']),
    stoppedAt: Number(row['stopped_at']),
  }));
}

/** Lets events that come from now on be sent to the URL again. Returns false when it was not stopped. */
export async function resumeUrl(db: Database, merchantId: number, url: string): Promise<boolean> {
  return (await db.run('delete from stopped_urls where merchant_id = ? and url = ?', merchantId, url)) === 1;
}

/** Scheme, host and port of a URL. */
function addressOf(url: string): string {
  return new URL(url).origin;
}

function parse(row: Row): Delivery {
  return {
    id: String(row['id']),
    merchantId: Number(row['merchant_id']),
    transactionId: String(row['transaction_id']),
    url: String(row['url']),
    address: String(row['address']),
    body: String(row['body']),
    attempts: Number(row['attempts']),
    createdAt: Number(row['created_at']),
    stopped: row['stopped'] === 1,
  };
}

/** The items in groups of one of the sizes; the last group is filled up with nulls, which match no row. */
function* batches<T>(items: readonly T[]): Generator<(T | null)[]> {
  const most = SIZES.at(-1) ?? 1;
  for (let start = 0; start < items.length; start += most) {
    const group: (T | null)[] = items.slice(start, start + most);
    const size = SIZES.find((candidate) => candidate >= group.length) ?? most;
    while (group.length < size) group.push(null);
    yield group;
  }
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
