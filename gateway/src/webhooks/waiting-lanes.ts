/**
 * Lanes with waiting deliveries. A lane is a merchant and an address (scheme, host and port of a callback URL). The
 * cost of a query grows with the number of lanes, not of events.
 */
import type { Database, Value } from '../database/store.ts';

export interface LaneName {
  readonly merchantId: number;
  readonly address: string;
}

/** A lane with waiting deliveries. */
export interface WaitingLane extends LaneName {
  /** Due time of its next delivery, in milliseconds since 1970. */
  readonly nextAt: number;
  /** Its first due deliveries. */
  readonly due: readonly string[];
  /** Its last attempt got no response in good time. */
  readonly slow: boolean;
}

/** Cursor within a merchant's lanes: the next lane comes after this address. The empty string is the start. */
export interface Cursor {
  readonly merchantId: number;
  readonly after: string;
}

/** Statements take one of these numbers of cursors, so that there are few of them to prepare. */
const SIZES = [1, 8, 64, 256];
/** Cursors that fit in one statement. */
export const CURSORS_MAX = 256;
/** Time after which a lane counts as new. Longer than an event's retries, which take three days. */
export const SLOW_FOR_MS = 7 * 24 * 60 * 60_000;

/** The recursive table `waiting`: merchants with waiting deliveries, then null. */
export const WAITING_MERCHANTS = `waiting (merchant_id) as (
    select (select min(merchant_id) from events where next_at is not null)
    union all
    select (select min(e.merchant_id) from events e
      where e.next_at is not null and e.merchant_id > waiting.merchant_id)
    from waiting where waiting.merchant_id is not null
  )`;

/** Merchants with waiting deliveries, by number. */
export async function waitingMerchants(db: Database): Promise<number[]> {
  const rows = await db.all(
    `with recursive ${WAITING_MERCHANTS} select merchant_id from waiting where merchant_id is not null`,
  );
  return rows.map((row) => Number(row['merchant_id']));
}

/** Returns up to `limit` lanes from each cursor, at most CURSORS_MAX cursors. */
export async function waitingLanes(
  db: Database,
  cursors: readonly Cursor[],
  { now, limit, dueMax }: { now: number; limit: number; dueMax: number },
): Promise<WaitingLane[]> {
  const size = SIZES.find((candidate) => candidate >= cursors.length) ?? CURSORS_MAX;
  const begin = Array.from({ length: size }, (): string => '(cast(? as bigint), cast(? as text))');
  const values = Array.from({ length: size }, (_, index): Value[] => {
    const cursor = cursors[index];
    return cursor ? [cursor.merchantId, cursor.after] : [null, null];
  });
  const rows = await db.all(
    `with recursive begin_at (merchant_id, address) as (values ${begin.join(', ')}),
     lane (merchant_id, address, position) as (
       select merchant_id, address, 0 from begin_at
       union all
       select merchant_id,
         (select min(e.address) from events e
           where e.next_at is not null and e.merchant_id = lane.merchant_id and e.address > lane.address),
         position + 1
       from lane where lane.address is not null and position < cast(? as bigint)
     )
     select merchant_id, address,
       (select min(e.next_at) from events e
         where e.merchant_id = lane.merchant_id and e.address = lane.address and e.next_at is not null) as next_at,
       (select string_agg(due.id, ' ') from
         (select e.id from events e where e.merchant_id = lane.merchant_id and e.address = lane.address
            and e.next_at <= ? order by e.next_at limit ?) as due) as due,
       (select 1 from slow_lanes s
         where s.merchant_id = lane.merchant_id and s.address = lane.address and s.hung_at > ?) as slow
     from lane where position > 0 and address is not null order by position`,
    ...values.flat(),
    limit,
    now,
    dueMax,
    now - SLOW_FOR_MS,
  );
  return rows.map((row) => ({
    merchantId: Number(row['merchant_id']),
    address: String(row['address']),
    // Delivered since the last query. The cursor still moves on.
    nextAt: row['next_at'] === null ? Number.POSITIVE_INFINITY : Number(row['next_at']),
    due: row['due'] === null ? [] : String(row['due']).split(' '),
    slow: row['slow'] !== null,
  }));
}

/** Records which lanes hang and which have recovered. */
export async function recordSlowLanes(
  db: Database,
  lanes: readonly (LaneName & { readonly hung: boolean })[],
  now: number,
): Promise<void> {
  // A consistent order prevents deadlocks between processes.
  const sorted = lanes.toSorted((a, b) => a.merchantId - b.merchantId || (a.address < b.address ? -1 : 1));
  for (const { merchantId, address, hung } of sorted) {
    if (!hung) await db.run('delete from slow_lanes where merchant_id = ? and address = ?', merchantId, address);
    else
      await db.run(
        `insert into slow_lanes (merchant_id, address, hung_at) values (?, ?, ?)
         on conflict (merchant_id, address) do update set hung_at = excluded.hung_at`,
        merchantId,
        address,
        now,
      );
  }
}

/** Deletes up to `limit` lanes that count as new again. Returns their number. */
export function deleteOldSlowLanes(db: Database, now: number, limit: number): Promise<number> {
  return db.run(
    `delete from slow_lanes where (merchant_id, address) in
       (select merchant_id, address from slow_lanes where hung_at <= ? order by hung_at limit ${limit}
        for update skip locked)`,
    now - SLOW_FOR_MS,
  );
}
