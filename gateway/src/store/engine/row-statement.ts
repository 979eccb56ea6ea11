/** Statements that write a row: for one row, or for many rows of many units of work. Both forms are made of one text. */
import { batches } from './batches.ts';
import type { Database, Row, RowStatement, Value } from './store.ts';

type Columns = RowStatement['columns'];
/** The expression of a column. */
type Expression = (column: string) => string;

/** The parts of a statement's text that depend on how many rows it writes. */
interface Form {
  readonly of: Expression;
  /** The table with the rows; empty if there is one row, whose values are parameters. */
  readonly given: string;
  /** An expression for the row that conflicts with an `excluded` one. */
  readonly ofExcluded: (expression: string) => string;
}

interface RowStatementOptions extends Pick<RowStatement, 'columns' | 'key' | 'exactly'> {
  readonly table: string;
  readonly sql: (form: Form) => string;
  /** Expressions that are read of a row that was written. */
  readonly returning?: string;
  /** Columns that are added up over rows of the same key, of which it writes one then. Of the others it takes the highest. */
  readonly sums?: readonly string[];
}

/** Makes both forms of a statement. */
export function rowStatement({ table, sql, returning, sums, ...rest }: RowStatementOptions): RowStatement {
  const { columns, key, exactly } = rest;
  const given = sums ? 'summed' : 'given';
  const own = key.map((name) => `${given}.${name} = excluded.${name}`).join(' and ');
  const keys = key.map((name) => `${table}.${name}`).join(', ');
  const one = sql({ of: boundParameters(columns), given: '', ofExcluded: (expression) => expression });
  const all = sql({
    of: (column) => `${given}.${column}`,
    given,
    ofExcluded: (expression) => `(select ${expression} from ${given} where ${own})`,
  });
  const written = `${all} returning ${[keys, ...(returning ? [returning] : [])].join(', ')}`;
  const names = key.join(', ');
  const counted = `, written as (${written}) select ${names}, count(*) as changed from written group by ${names}`;
  return {
    ...rest,
    one: returning ? `${one} returning ${returning}` : one,
    returns: returning !== undefined,
    many: `${sums ? `, summed as (${addedUp(columns, key, sums)})` : ''} ${exactly === undefined ? written : counted}`,
    adds: sums !== undefined,
  };
}

/** The text of a statement that inserts rows, while a condition holds. */
export function insertion(table: string, columns: Columns, { of, given }: Form, condition = '1 = 1'): string {
  const names = columns.map(([name]) => name);
  const from = given && `from ${given}`;
  return `insert into ${table} (${names.join(', ')}) select ${names.map(of).join(', ')} ${from} where ${condition}`;
}

/** Two transactions of the database change the rows in the same order. */
function addedUp(columns: Columns, key: readonly string[], sums: readonly string[]): string {
  const parts = columns.map(([name]) => {
    if (key.includes(name)) return name;
    return sums.includes(name) ? `cast(sum(${name}) as bigint) as ${name}` : `max(${name}) as ${name}`;
  });
  return `select ${parts.join(', ')} from given group by ${key.join(', ')} order by ${key.join(', ')}`;
}

/** The parameter of each column, for a statement that writes one row. */
export function boundParameters(columns: Columns): Expression {
  return (column) => {
    const index = columns.findIndex(([name]) => name === column);
    return `cast(?${index + 1} as ${columns[index]?.[1]})`;
  };
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
  // A batch is filled up with rows of nulls.
  const sql = `with batch (${names}) as (values ${batch.map(() => marks).join(', ')}),
    given as (select * from batch where ${statement.key[0]} is not null) ${many}`;
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
