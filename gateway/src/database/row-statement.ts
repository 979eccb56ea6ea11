/** Statements that write one row, or many rows of several units of work. Both forms are made of one text. */
import type { Database, Row, RowStatement, Value } from './store.ts';

type Columns = RowStatement['columns'];
type Expression = (column: string) => string;

/** The parts of a statement's text that depend on how many rows it writes. */
interface Form {
  readonly of: Expression;
  /** The table with the rows; empty if there is one row, whose values are parameters. */
  readonly given: string;
  /** An expression for the row that conflicts with an `excluded` one. */
  readonly ofExcluded: (expression: string) => string;
}

interface RowStatementOptions extends Pick<RowStatement, 'columns' | 'key' | 'exactly' | 'isLast'> {
  readonly table: string;
  readonly sql: (form: Form) => string;
  /** Expressions returned for a written row. */
  readonly returning?: string;
  /** Columns summed over rows with the same key, which are written as one row. Other columns use the maximum. */
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
  const summed = sums ? `, summed as (${addedUp(columns, key, sums)})` : '';
  return {
    ...rest,
    one: returning ? `${one} returning ${returning}` : one,
    returns: returning !== undefined,
    many: `with given (${columns.map(([name]) => name).join(', ')}) as (${givenRows(columns)})${summed}
      ${exactly === undefined ? written : counted}`,
    adds: sums !== undefined,
  };
}

/** A query over rows passed as one array per column, so that one statement handles any number of rows. */
export function givenRows(columns: Columns): string {
  return `select * from unnest(${columns.map(([, type]) => `cast(? as ${type}[])`).join(', ')})`;
}

/** The text of a statement that inserts rows. SQLite needs the condition to tell a following `on conflict` from a join. */
export function insertion(table: string, columns: Columns, { of, given }: Form): string {
  const names = columns.map(([name]) => name);
  const from = given && `from ${given}`;
  return `insert into ${table} (${names.join(', ')}) select ${names.map(of).join(', ')} ${from} where 1 = 1`;
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

/** Writes a row. Returns the statement's result for it, or undefined if it wasn't written. */
export async function writeRow(
  db: Pick<Database, 'get' | 'run'>,
  { one, returns }: RowStatement,
  values: readonly Value[],
): Promise<Row | undefined> {
  if (returns) return db.get(one, ...values);
  const changed = await db.run(one, ...values);
  return changed > 0 ? { changed } : undefined;
}
