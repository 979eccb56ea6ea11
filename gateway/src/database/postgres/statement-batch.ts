/**
 * Batches statements issued by units of work in one turn of the event loop on one connection: inserts into the same
 * table are merged, and identical reads run once.
 */
import { writeRow } from '../row-statement.ts';
import type { Database, Row, RowStatement, Value } from '../store.ts';

/** Statements of PostgreSQL, whose parameters may be arrays. */
interface StatementRunner extends Pick<Database, 'get' | 'run'> {
  all(sql: string, ...values: (Value | readonly Value[])[]): Promise<Row[]>;
}

/** A row that waits to be written, with the callbacks that settle its write. */
interface WaitingRow {
  readonly values: readonly Value[];
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class StatementBatch {
  readonly #db: StatementRunner;
  #writes = new Map<RowStatement, WaitingRow[]>();
  #reads = new Map<string, Promise<Row[]>>();

  constructor(db: StatementRunner) {
    this.#db = db;
  }

  /** Writes the row in a batch. Returns the statement's result for it, or undefined if it wasn't written. */
  write(statement: RowStatement, values: readonly Value[]): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#writes.size === 0) nextTick(() => this.#flush());
      const rows = this.#writes.get(statement) ?? [];
      this.#writes.set(statement, rows);
      rows.push({ values, resolve, reject });
    });
  }

  /** Reads once what several units read. */
  read(sql: string, values: readonly Value[]): Promise<Row[]> {
    const key = `${sql} ${JSON.stringify(values)}`;
    if (this.#reads.size === 0) nextTick(() => (this.#reads = new Map()));
    const read = this.#reads.get(key) ?? this.#db.all(sql, ...values);
    this.#reads.set(key, read);
    return read;
  }

  #flush(): void {
    const writes = [...this.#writes];
    this.#writes = new Map();
    for (const last of [false, true])
      for (const [statement, rows] of writes)
        if ((statement.isLast ?? false) === last) writeRows(this.#db, statement, rows);
  }
}

/** The given rows as an array for each column. */
export function transposeRows(count: number, rows: readonly (readonly Value[])[]): Value[][] {
  return Array.from({ length: count }, (_, index) => rows.map((values) => values[index] ?? null));
}

function writeRows(db: StatementRunner, statement: RowStatement, rows: readonly WaitingRow[]): void {
  for (const group of statement.adds ? [rows] : withoutRepeats(statement, rows)) {
    const [first] = group;
    if (first && group.length === 1) writeRow(db, statement, first.values).then(first.resolve, first.reject);
    else void writeGroup(db, statement, group);
  }
}

/** Writes rows with one statement, and settles each. */
async function writeGroup(db: StatementRunner, statement: RowStatement, group: readonly WaitingRow[]): Promise<void> {
  const rows = group.map(({ values }) => values);
  try {
    const written = await db.all(statement.many, ...transposeRows(statement.columns.length, rows));
    const byKey = new Map(written.map((row) => [toRowKey(statement.key.map((name) => row[name] ?? null)), row]));
    for (const { values, resolve } of group) resolve(byKey.get(givenKey(statement, values)));
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

/** The rows in groups in which no key occurs twice. */
function withoutRepeats(statement: RowStatement, rows: readonly WaitingRow[]): WaitingRow[][] {
  const groups: Map<string, WaitingRow>[] = [];
  for (const row of rows) {
    const key = givenKey(statement, row.values);
    const group = groups.find((candidate) => !candidate.has(key));
    if (group) group.set(key, row);
    else groups.push(new Map([[key, row]]));
  }
  return groups.map((group) => [...group.values()]);
}

function givenKey({ columns, key }: RowStatement, values: readonly Value[]): string {
  return toRowKey(key.map((name) => values[columns.findIndex(([column]) => column === name)] ?? null));
}

function toRowKey(values: readonly Value[]): string {
  return values.join(' ');
}

/** Node's own, taken when the gateway is imported, so that a test which fakes timers doesn't stop a gateway in its process. */
export const nextTick: typeof process.nextTick = process.nextTick.bind(process);
