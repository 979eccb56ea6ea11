/** The last requests of each merchant in its sandbox. What is stored has been masked before. */
import { batches } from '../../database/batches.ts';
import type { Database, Row, Value } from '../../database/store.ts';
import type { RequestFilter } from '../../management/operation.ts';

export interface StoredRequest {
  readonly merchantId: number;
  readonly id: string;
  readonly status: number;
  readonly transactionId: string | undefined;
  /** JSON. */
  readonly summary: string;
  /** JSON of the fields outside the summary. */
  readonly detail: string;
}

/** Maximum stored requests per merchant. */
export const REQUESTS_KEPT = 1_000;

/** Beginnings of the paths of the gateway's own APIs. */
export const OWN_PATHS = ['/sandbox/', '/management/'] as const;

/** Sorts after every id of a request, in every collation. */
const LAST_ID = `req_${'Z'.repeat(10)}`;

/**
 * Stores requests. Drops those of deleted merchants, and the second of two with the same id, which a seed can cause.
 */
export async function insertRequests(db: Database, requests: readonly StoredRequest[]): Promise<void> {
  const types = ['bigint', 'text', 'bigint', 'text', 'text', 'text'];
  const columns = `(${types.map((type) => `cast(? as ${type})`).join(', ')})`;
  for (const batch of batches(requests)) {
    await db.run(
      `with made (merchant_id, id, status, transaction_id, summary, detail) as (values ${batch.map(() => columns).join(', ')})
       insert into sandbox_requests (merchant_id, id, status, transaction_id, summary, detail)
       select made.merchant_id, made.id, made.status, made.transaction_id, made.summary, made.detail
       from made join merchants m on m.id = made.merchant_id where 1 = 1 on conflict (merchant_id, id) do nothing`,
      ...batch.flatMap((request): Value[] => (request ? toValues(request) : Array(types.length).fill(null))),
    );
  }
}

/** Deletes all but the newest of a merchant's requests. */
export async function pruneRequests(db: Database, merchantId: number): Promise<void> {
  await db.run(
    `delete from sandbox_requests where merchant_id = ? and id <=
       (select id from sandbox_requests where merchant_id = ? order by id desc limit 1 offset ${REQUESTS_KEPT})`,
    merchantId,
    merchantId,
  );
}

/** Up to `limit` summaries, as JSON by id, newest first, of the newest `among` requests of the merchant. */
export async function storedSummaries(
  db: Database,
  merchantId: number,
  { from = LAST_ID, transactionId, failed, operation, apiOnly }: RequestFilter,
  { among, limit }: { readonly among: number; readonly limit: number },
): Promise<[id: string, summary: string][]> {
  const rows = await db.all(
    `select id, summary from
       (select id, status, transaction_id, summary from sandbox_requests
        where merchant_id = ? order by id desc limit ?) as newest
     where id <= ? and status >= ? and (cast(? as text) is null or transaction_id = ?)
       and summary like ? escape '!' ${OWN_PATHS.map(() => 'and summary not like ?').join(' ')} order by id desc limit ?`,
    ...[merchantId, among, from, failed ? 400 : 0, transactionId ?? null, transactionId ?? null],
    ...[
      operation === undefined ? '%' : `%"operation":"${operation.replaceAll(/[%_!]/g, '!$&')}"%`,
      ...OWN_PATHS.map((start) => (apiOnly ? `%"path":"${start}%` : '')),
      limit,
    ],
  );
  return rows.map((row) => [String(row['id']), String(row['summary'])]);
}

/** A request of the merchant: its summary and its detail, as JSON. */
export async function storedRequest(db: Database, merchantId: number, id: string): Promise<Row | undefined> {
  return db.get('select summary, detail from sandbox_requests where merchant_id = ? and id = ?', merchantId, id);
}

function toValues({ merchantId, id, status, transactionId, summary, detail }: StoredRequest): Value[] {
  return [merchantId, id, status, transactionId ?? null, summary, detail];
}
