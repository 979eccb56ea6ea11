/**
 * Schemas with tables on the tests' PostgreSQL server. They are emptied after a test and reused, since creating the
 * tables takes a hundred times as long.
 */
import { afterwards } from './afterwards.ts';

/** Runs a statement on the server. */
type Administer = (statement: string) => Promise<Readonly<Record<string, unknown>>[]>;

/** A schema in its state before a test. */
interface Pristine {
  /** Names of its tables, columns, constraints, triggers and functions, as a hash. */
  readonly signature: string;
  /** Statements that empty a schema, with `SCHEMA` for its name. */
  readonly reset: string;
}

/** Dead rows make a schema slow to read. */
const BYTES_MAX = 4 * 2 ** 20;
/** A given server is left unchanged. */
const REUSES = process.env['DATABASE_URL'] === undefined;
const SCHEMA = 'SCHEMA';

export class SchemaPool {
  readonly #administer: Administer;
  readonly #make: () => Promise<string>;
  readonly #free: string[] = [];
  #pristine: Promise<Pristine> | undefined;

  /** `make` creates a schema with tables, and returns its name. */
  constructor(administer: Administer, make: () => Promise<string>) {
    this.#administer = administer;
    this.#make = make;
  }

  /** Returns the name of a schema reserved until the end of the test. */
  async take(): Promise<string> {
    const schema = this.#free.pop() ?? (await this.#make());
    this.#pristine ??= this.#describe(schema);
    const pristine = await this.#pristine;
    afterwards(() => this.#release(schema, pristine));
    return schema;
  }

  async #release(schema: string, { signature, reset }: Pristine): Promise<void> {
    if (REUSES && (await this.#signatureOf(schema)) === signature) {
      await this.#administer(reset.replaceAll(SCHEMA, schema));
      this.#free.push(schema);
    } else await this.#administer(`drop schema ${schema} cascade`);
  }

  async #describe(schema: string): Promise<Pristine> {
    const tables = await this.#administer(
      `select relname as name from pg_class
       where relnamespace = '${schema}'::regnamespace and relkind = 'r'`,
    );
    const sequences = await this.#administer(
      `select sequencename as name, start_value as start from pg_sequences where schemaname = '${schema}'`,
    );
    const filled: string[] = [];
    for (const { name } of tables) {
      const [row] = await this.#administer(`select json_agg(t)::text as rows from ${schema}.${name} t`);
      if (typeof row?.['rows'] !== 'string') continue;
      const rows = `json_populate_recordset(null::${SCHEMA}.${name}, '${row['rows'].replaceAll("'", "''")}')`;
      filled.push(`insert into ${SCHEMA}.${name} overriding system value select * from ${rows}`);
    }
    const reset = [
      // Without foreign-key checks, so in any order.
      ...['begin', 'set local session_replication_role = replica'],
      ...tables.map(({ name }) => `delete from ${SCHEMA}.${name}`),
      ...filled,
      ...sequences.map(({ name, start }) => `select setval('${SCHEMA}.${name}', ${start}, false)`),
      'commit',
    ];
    return { signature: await this.#signatureOf(schema), reset: reset.join(';\n') };
  }

  /** The signature, which differs if the tables have grown. */
  async #signatureOf(schema: string): Promise<string> {
    const [row] = await this.#administer(
      `with tables as (select oid, relname from pg_class where relnamespace = '${schema}'::regnamespace),
        names as (
          select relname || '.' || attname as name from tables join pg_attribute on attrelid = tables.oid
          union all select relname || ':' || conname from tables join pg_constraint on conrelid = tables.oid
          union all select relname || '!' || tgname from tables join pg_trigger on tgrelid = tables.oid
            where not tgisinternal
          union all select proname from pg_proc where pronamespace = '${schema}'::regnamespace)
       select md5(string_agg(name, ',' order by name)) as hash,
         (select sum(pg_relation_size(oid)) > ${BYTES_MAX} from tables) as large from names`,
    );
    return `${row?.['hash']} ${row?.['large']}`;
  }
}
