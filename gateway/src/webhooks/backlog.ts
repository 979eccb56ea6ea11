/** Counts undelivered webhooks for monitoring. The cost grows with their number, up to a limit. */
import { integer, optional, rowMapper, text } from '../database/row-mapper.ts';
import type { Database } from '../database/store.ts';
import { HANGS_FOR_MS } from './hanging-addresses.ts';

/** Maximum number counted. */
export const BACKLOG_MAX = 100_000;

/**
 * `due` could be attempted now, `scheduled` waits for its next attempt or is being attempted, and `abandoned` has no further attempt,
 * or its URL is stopped.
 */
export const BACKLOG_STATES = ['due', 'scheduled', 'abandoned'] as const;
export type BacklogState = (typeof BACKLOG_STATES)[number];

export interface Backlog {
  /** At most BACKLOG_MAX for `abandoned`, and for the other states together. */
  readonly count: number;
  /** Creation time of the oldest counted event, in milliseconds since 1970. */
  readonly oldest: number | undefined;
}

export async function countBacklog(db: Database, now: number): Promise<Readonly<Record<BacklogState, Backlog>>> {
  const rows = await db.all(
    `with counted (state, count, first) as (
       select case when next_at <= ? then 'due' else 'scheduled' end, count(*), min(id) from
         (select next_at, id from events where next_at is not null limit ${BACKLOG_MAX}) as waiting
       group by 1
       union all
       select 'abandoned', count(*), min(id) from
         (select id from events where next_at is null and delivered_at is null limit ${BACKLOG_MAX}) as given_up
     )
     select state, count, (select e.created_at from events e where e.id = counted.first) as oldest from counted`,
    now,
  );
  const counted = Object.fromEntries(rows.map((row) => [text('state')(row), toBacklog(row)]));
  const none: Backlog = { count: 0, oldest: undefined };
  return { due: none, scheduled: none, abandoned: none, ...counted };
}

const toBacklog = rowMapper<Backlog>({ count: integer('count'), oldest: optional('oldest', Number) });

/** Failed attempts at a webhook after which its endpoint is failing. The second attempt follows 5 s after the first. */
const FAILING_FROM = 2;
const ENDPOINTS_MAX = 10_000;

/** Endpoints with problems, each with the query for up to ENDPOINTS_MAX of them. */
const TROUBLED = {
  /** Their last response was late, and webhooks wait for them. */
  hanging: `select 1 from hanging_addresses h where h.hung_at > ? and exists
    (select 1 from events e where e.merchant_id = h.merchant_id and e.address = h.address and e.next_at is not null)`,
  /** Several attempts at a webhook have failed, and another one will follow. */
  failing: `select distinct merchant_id, address from
    (select merchant_id, address, attempts from events where next_at is not null limit ${BACKLOG_MAX}) as e
    where attempts >= ${FAILING_FROM} and not exists
      (select 1 from hanging_addresses h where h.merchant_id = e.merchant_id and h.address = e.address and h.hung_at > ?)`,
  /** They returned 410. */
  gone: 'select 1 from stopped_urls where operator_id is null',
  /** An operator stopped them. */
  stopped: 'select 1 from stopped_urls where operator_id is not null',
} as const;
export type EndpointTrouble = keyof typeof TROUBLED;

export async function countTroubledEndpoints(
  db: Database,
  now: number,
): Promise<Readonly<Record<EndpointTrouble, number>>> {
  const hungSince = now - HANGS_FOR_MS;
  const counts = Object.entries(TROUBLED).map(
    ([trouble, sql]) => `(select count(*) from (${sql} limit ${ENDPOINTS_MAX}) as endpoints) as ${trouble}`,
  );
  const row = await db.get(`select ${counts.join(', ')}`, hungSince, hungSince);
  return {
    ...{ hanging: integer('hanging')(row), failing: integer('failing')(row) },
    ...{ gone: integer('gone')(row), stopped: integer('stopped')(row) },
  };
}
