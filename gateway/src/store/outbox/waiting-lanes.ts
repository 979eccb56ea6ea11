/**
 * Lanes in which deliveries wait. A lane is a merchant and an address (scheme, host and port of a callback URL). The
 * cost of a look grows with the number of lanes in it, not with the number of events.
 */
import type { Database, Value } from '../engine/store.ts';

export interface LaneName {
  readonly merchantId: number;
  readonly address: string;
}

/** A lane in which deliveries wait. */
export interface WaitingLane extends LaneName {
  /** Due time of its next delivery, in milliseconds since 1970. */
  readonly nextAt: number;
  /** Its first deliveries that are due now. */
  readonly due: readonly string[];
  /** Its last attempt got no response in good time. */
  readonly slow: boolean;
}

/** Position in the lanes of a merchant: the next is after this address. The empty string is the beginning. */
export interface Cursor {
  readonly merchantId: number;
  readonly after: string;
}

/** Statements take one of these numbers of cursors, so that there are few of them to prepare. */
const SIZES = [1, 8, 64, 256];
/** Cursors that fit in one statement. */
export const CURSORS_MAX = 256;
/** After this long a lane counts as new: the retries of an event take three days. */
export const SLOW_FOR_MS = 7 * 24 * 60 * 60_000;

/** The table `waiting` of a recursive statement: the merchants that have deliveries waiting, and a null at its end. */
export const WAITING_MERCHANTS = `waiting (merchant_id) as (
    select (select min(merchant_id) from events where next_at is not null)
    union all
    select (select min(e.merchant_id) from events e
      where e.next_at is not null and e.merchant_id > waiting.merchant_id)
    from waiting where waiting.merchant_id is not null
  )`;

/** The merchants that have deliveries waiting, by number. */
export async function waitingMerchants(db: Database): Promise<number[]> {
  const rows = await db.all(
    `with recursive ${WAITING_MERCHANTS} select merchant_id from waiting where merchant_id is not null`,
  );
  return rows.map((row) => Number(row['merchant_id']));
}

/** Up to `limit` lanes from each cursor on, those of a merchant in the order of its walk. At most CURSORS_MAX cursors. */
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
    // Delivered since the walk came by: nothing is due, and the walk continues from here anyway.
    nextAt: row['next_at'] === null ? Number.POSITIVE_INFINITY : Number(row['next_at']),
    due: row['due'] === null ? [] : String(row['due']).split(' '),
    slow: row['slow'] !== null,
  }));
}

/** Records which lanes have hung now, and which no longer do. */
export async function recordSlowLanes(
  db: Database,
  lanes: readonly (LaneName & { readonly hung: boolean })[],
  now: number,
): Promise<void> {
  // In one order everywhere, so that processes that write the same lanes don't wait for each other in a circle.
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

/** Forgets up to `limit` lanes that count as new again. Returns how many. */
export function deleteOldSlowLanes(db: Database, now: number, limit: number): Promise<number> {
  return db.run(
    `delete from slow_lanes where (merchant_id, address) in
       (select merchant_id, address from slow_lanes where hung_at <= ? order by hung_at limit ${limit}
        for update skip locked)`,
    now - SLOW_FOR_MS,
  );
}
