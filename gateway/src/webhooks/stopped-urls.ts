/** Callback URLs that get no events until they are resumed, after a 410 or by an operator. */

import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import type { OperatorName } from '../operators/operators.ts';
import { toAddress } from './outbox.ts';

export interface StoppedUrl {
  readonly merchantId: number;
  readonly url: string;
  readonly eventId: string;
  /** Milliseconds since 1970. */
  readonly stoppedAt: number;
  /** The operator who stopped it. Undefined after a 410. */
  readonly by?: OperatorName | undefined;
}

/** Result of an event that was not attempted because its URL is stopped. */
export const URL_STOPPED = 'not sent: its URL is stopped';

/**
 * Stops a URL and its waiting events. An operator can also stop a URL that responded with 410. Returns false if
 * an operator has stopped it already, or if the event is gone.
 */
export async function stopUrl(db: Database, stopped: StoppedUrl): Promise<boolean> {
  const { merchantId, url, eventId, stoppedAt, by } = stopped;
  const changed = await db.run(
    `insert into stopped_urls (merchant_id, url, event_id, stopped_at, operator_id)
     select merchant_id, ?, id, cast(? as bigint), ? from events where id = ? for update
     on conflict (merchant_id, url) do update set operator_id = excluded.operator_id
       where stopped_urls.operator_id is null`,
    ...[url, stoppedAt, by?.id ?? null, eventId],
  );
  // A resend is a separate row and leaves its event unchanged.
  await db.run(
    `delete from events where address = ? and next_at is not null and merchant_id = ? and url = ? and resend_of is not null`,
    ...[toAddress(url), merchantId, url],
  );
  await db.run(
    `update events set next_at = null, claim = null, last_result = ?
     where address = ? and next_at is not null and merchant_id = ? and url = ?`,
    URL_STOPPED,
    toAddress(url),
    merchantId,
    url,
  );
  return changed > 0;
}

/** Newest events of a merchant that are searched for a URL. */
const SEARCHED_MAX = 10_000;

/** The id of the newest event for a URL among the merchant's last SEARCHED_MAX. */
export async function findLastEvent(db: Database, merchantId: number, url: string): Promise<string | undefined> {
  const row = await db.get(
    `select id from (select id, url from events where merchant_id = ? and resend_of is null order by id desc
       limit ${SEARCHED_MAX}) as last where url = ? order by id desc limit 1`,
    merchantId,
    url,
  );
  return row && text('id')(row);
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
  return rows.map(toStoppedUrl);
}

const toOperatorName = rowMapper({ id: text('operator_id'), name: text('operator') });

const toStoppedUrl = rowMapper<StoppedUrl>({
  merchantId: integer('merchant_id'),
  url: text('url'),
  eventId: text('event_id'),
  stoppedAt: integer('stopped_at'),
  by: optional('operator_id', (_, row) => toOperatorName(row)),
});

/** Resumes deliveries of new events to the URL. Returns false if it was not stopped. */
export async function resumeUrl(db: Database, merchantId: number, url: string): Promise<boolean> {
  return (await db.run('delete from stopped_urls where merchant_id = ? and url = ?', merchantId, url)) === 1;
}
