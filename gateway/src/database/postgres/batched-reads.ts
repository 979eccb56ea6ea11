/**
 * Batches single reads on PostgreSQL. The reads of one turn of the event loop share a connection, pipelined: sending a
 * packet and waking the server cost more than reading a row.
 */

import type pg from 'pg';
import { setImmediate } from '../../platform/timers.ts';
import type { Row } from '../store.ts';
import { connect, isBroken } from './errors.ts';

/** The reads of one turn of the event loop. */
interface Batch {
  readonly client: Promise<pg.PoolClient>;
  /** Reads without a result yet, plus one while others may join. */
  pending: number;
  broken: boolean;
}

export class BatchedReads {
  readonly #pool: pg.Pool;
  #batch: Batch | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    this.#batch ??= this.#begin();
    const batch = this.#batch;
    batch.pending += 1;
    try {
      return await (await batch.client).query<Row>(query);
    } catch (error) {
      batch.broken ||= isBroken(error);
      throw error;
    } finally {
      end(batch);
    }
  }

  #begin(): Batch {
    const batch: Batch = { client: connect(this.#pool), pending: 1, broken: false };
    setImmediate(() => {
      this.#batch = undefined;
      end(batch);
    });
    return batch;
  }
}

/** Releases the connection after the last read. If none was available, the reads have already rejected. */
function end(batch: Batch): void {
  batch.pending -= 1;
  if (batch.pending > 0) return;
  batch.client.then(
    (client) => client.release(batch.broken),
    () => undefined,
  );
}
