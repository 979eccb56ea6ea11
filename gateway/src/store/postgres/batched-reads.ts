/**
 * Single reads on PostgreSQL. Those of one turn of the event loop share a connection, on which they follow each other
 * without waiting for answers: to send and to wake costs more than to read a row.
 */
import type pg from 'pg';
import type { Row } from '../store.ts';

/** The reads of one turn. */
interface Batch {
  readonly client: Promise<pg.PoolClient>;
  /** Reads without an answer, and one more as long as others may join. */
  pending: number;
  broken: boolean;
}

export class Reads {
  readonly #pool: pg.Pool;
  /** Whether the connection is of no use after an error. */
  readonly #breaks: (error: unknown) => boolean;
  #batch: Batch | undefined;

  constructor(pool: pg.Pool, breaks: (error: unknown) => boolean) {
    this.#pool = pool;
    this.#breaks = breaks;
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    this.#batch ??= this.#begin();
    const batch = this.#batch;
    batch.pending += 1;
    try {
      return await (await batch.client).query<Row>(query);
    } catch (error) {
      batch.broken ||= this.#breaks(error);
      throw error;
    } finally {
      end(batch);
    }
  }

  #begin(): Batch {
    const batch: Batch = { client: this.#pool.connect(), pending: 1, broken: false };
    setImmediate(() => {
      this.#batch = undefined;
      end(batch);
    });
    return batch;
  }
}

/** Gives the connection back after the last. Who waited for one that could not be had has been told. */
function end(batch: Batch): void {
  batch.pending -= 1;
  if (batch.pending > 0) return;
  batch.client.then(
    (client) => client.release(batch.broken),
    () => undefined,
  );
}
