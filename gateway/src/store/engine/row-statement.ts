/** Runs statements that write a row: for one row, or for many rows of many units of work. */
import { batches } from './batches.ts';
import type { Database, Row, RowStatement, Value } from './store.ts';

/** The parameter of each column, for a statement that writes one row. */
export function boundParameters(columns: RowStatement['columns']): (column: string) => string {
  return (column) => {
    const index = columns.findIndex(([name]) => name === column);
    return `cast(?${index + 1} as ${columns[index]?.[1]})`;
  };
}

/** The expression of each column, for a statement that writes many rows. */
export function ofGiven(column: string): string {
  return `given.${column}`;
}

/** Writes a row. Returns what the statement returns of it; undefined when nothing was written. */
export async function writeRow(
  db: Pick<Database, 'get' | 'run'>,
  { one, returns }: RowStatement,
  values: readonly Value[],
): Promise<Row | undefined> {
  if (returns) return db.get(one, ...values);
  const changed = await db.run(one, ...values);
  return changed > 0 ? { changed } : undefined;
}

/** Rows that wait to be written, each with whom to tell. */
export interface WaitingRow {
  readonly values: readonly Value[];
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes rows together, and settles each. */
export function writeRows(
  db: Pick<Database, 'all' | 'get' | 'run'>,
  statement: RowStatement,
  rows: readonly WaitingRow[],
): void {
  for (const group of statement.adds ? [rows] : withoutRepeats(statement, rows)) {
    const [first] = group;
    if (first && group.length === 1) {
      writeRow(db, statement, first.values).then(first.resolve, first.reject);
      continue;
    }
    for (const batch of batches(group)) writeBatch(db, statement, batch);
  }
}

async function writeBatch(
  db: Pick<Database, 'all'>,
  statement: RowStatement,
  batch: readonly (WaitingRow | null)[],
): Promise<void> {
  const { columns, many } = statement;
  const names = columns.map(([name]) => name).join(', ');
  const marks = `(${columns.map(([, type]) => `cast(? as ${type})`).join(', ')})`;
  const sql = `with given (${names}) as (values ${batch.map(() => marks).join(', ')}) ${many}`;
  try {
    const written = await db.all(sql, ...batch.flatMap((row) => row?.values ?? columns.map(() => null)));
    const byKey = new Map(written.map((row) => [keyOf(statement.key.map((name) => row[name] ?? null)), row]));
    for (const row of batch) row?.resolve(byKey.get(givenKey(statement, row)));
  } catch (error) {
    for (const row of batch) row?.reject(error);
  }
}

/** The rows in groups in which no key occurs twice. */
function withoutRepeats(statement: RowStatement, rows: readonly WaitingRow[]): WaitingRow[][] {
  const groups: Map<string, WaitingRow>[] = [];
  for (const row of rows) {
    const key = givenKey(statement, row);
    const group = groups.find((candidate) => !candidate.has(key));
    if (group) group.set(key, row);
    else groups.push(new Map([[key, row]]));
  }
  return groups.map((group) => [...group.values()]);
}

function givenKey({ columns, key }: RowStatement, { values }: WaitingRow): string {
  return keyOf(key.map((name) => values[columns.findIndex(([column]) => column === name)] ?? null));
}

function keyOf(values: readonly Value[]): string {
  return values.join(' ');
}
