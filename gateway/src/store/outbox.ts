/** Webhooks that wait to be delivered. They are written together with the change that they report, and kept afterwards. */
import type { Transaction } from '../domain/transaction.ts';
import { sameTime } from '../platform/merchant-time.ts';
import { batches, marks } from './batches.ts';
import type { Database, Row, RowStatement, Value } from './store.ts';

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
  /** It sends this event again; the event's own attempts continue as if it weren't there. */
  readonly resendOf: string | undefined;
  /** The sandbox's rules that affect it; undefined until they are selected. */
  readonly faultRules: readonly string[] | undefined;
}

/** The event that a delivery is about, which is its `webhook-id`. */
export function eventIdOf({ id, resendOf }: Pick<Delivery, 'id' | 'resendOf'>): string {
  return resendOf ?? id;
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

/** An event that is about to be written. */
export interface NewEvent {
  readonly id: string;
  readonly transaction: Pick<Transaction, 'id' | 'merchantId' | 'callbackUrl'>;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The store's time at which a time of the merchant comes. Defaults to the same time. */
  readonly stored?: ((time: number) => number) | undefined;
  /** The end of the lease under which the writer delivers it; without it, the next worker that looks claims it. */
  readonly leaseUntil?: number | undefined;
}

/** Whether nothing is sent to the URL of a row of `events` any more. */
const STOPPED = `case when exists
  (select 1 from stopped_urls s where s.merchant_id = events.merchant_id and s.url = events.url) then 1 else 0 end as stopped`;

const APPENDED = 'id, merchant_id, transaction_id, url, address, body, created_at, next_at';

const APPEND: RowStatement = {
  columns: [
    ['id', 'text'],
    ['merchant_id', 'bigint'],
    ['transaction_id', 'text'],
    ['url', 'text'],
    ['address', 'text'],
    ['body', 'text'],
    ['created_at', 'bigint'],
    ['next_at', 'bigint'],
  ],
  one: `insert into events (${APPENDED}, attempts) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0) returning ${STOPPED}`,
  returns: true,
  many: `insert into events (${APPENDED}, attempts) select ${APPENDED}, 0 from given where id is not null
    returning id, ${STOPPED}`,
  key: ['id'],
};

/** Adds the event that reports the transaction as it is now; it is due at once. Returns its delivery. */
export async function appendEvent(
  db: Database,
  { id, transaction, body, now, stored = sameTime, leaseUntil }: NewEvent,
): Promise<Delivery> {
  const { merchantId, id: transactionId, callbackUrl: url } = transaction;
  const address = addressOf(url);
  const row = await db.write(
    APPEND,
    ...[id, merchantId, transactionId, url, address, body, now, leaseUntil ?? stored(now)],
  );
  const stopped = row?.['stopped'] === 1;
  const untried = { attempts: 0, createdAt: now, resendOf: undefined, faultRules: undefined };
  return { id, merchantId, transactionId, url, address, body, stopped, ...untried };
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
       returning id, merchant_id, transaction_id, url, address, body, attempts, created_at, resend_of, fault_rules,
         ${STOPPED}`,
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

/** Remembers that a URL takes no events any more, and gives up what waits for it. Without its event nothing is remembered. */
export async function stopUrl(db: Database, stopped: StoppedUrl, result: string): Promise<void> {
  const { merchantId, url, eventId, stoppedAt } = stopped;
  await db.run(
    `insert into stopped_urls (merchant_id, url, event_id, stopped_at)
     select merchant_id, ?, id, cast(? as bigint) from events where id = ? for update
     on conflict (merchant_id, url) do nothing`,
    url,
    stoppedAt,
    eventId,
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

/** Selects the sandbox's rules that affect a delivery, once. Returns false if that has been done, or the delivery is gone. */
export async function assignFaultRules(db: Database, id: string, rules: readonly string[]): Promise<boolean> {
  const assigned = await db.run(
    'update events set fault_rules = ? where id = ? and fault_rules is null',
    rules.join(' '),
    id,
  );
  return assigned === 1;
}

/** Makes a delivery due that waits for exactly this time of the store, and isn't attempted meanwhile. */
export async function bringForward(db: Database, id: string, from: number, to: number): Promise<void> {
  await db.run('update events set next_at = ? where id = ? and next_at = ?', to, id, from);
}

/** Scheme, host and port of a URL. */
export function addressOf(url: string): string {
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
    // A person has asked for a resend.
    stopped: row['stopped'] === 1 && row['resend_of'] === null,
    resendOf: row['resend_of'] === null ? undefined : String(row['resend_of']),
    faultRules: row['fault_rules'] === null ? undefined : String(row['fault_rules']).split(' '),
  };
}
