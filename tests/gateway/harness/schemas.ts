/**
 * Schemas with tables on the tests' PostgreSQL server. They are emptied after a test and reused, since creating the
 * tables takes a hundred times as long.
 */
import { afterwards } from './afterwards.ts';

/** Runs a statement on the server. */
type Administer = (statement: string) => Promise<Readonly<Record<string, unknown>>[]>;

/** A schema that no test uses. */
interface Pristine {
  readonly name: string;
  readonly tables: readonly unknown[];
  readonly signature: string;
}

/** Dead rows make a schema slow to read. */
const BYTES_MAX = 4 * 2 ** 20;
/** A given server is left unchanged. */
const REUSES = process.env['DATABASE_URL'] === undefined;

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
    afterwards(async () => {
      if (REUSES && (await this.#empty(schema))) this.#free.push(schema);
      else await this.#administer(`drop schema ${schema} cascade`);
    });
    return schema;
  }

  /** Restores the rows. Returns false if the test has changed the tables. */
  async #empty(schema: string): Promise<boolean> {
    this.#pristine ??= this.#make().then((name) => this.#describe(name));
    const { name, tables, signature } = await this.#pristine;
    if ((await this.#readSignature(schema)) !== signature) return false;
    const statements = [
      // Without foreign-key checks, so in any order.
      ...['begin', 'set local session_replication_role = replica'],
      ...tables.flatMap((table) => [
        `delete from ${schema}.${table}`,
        `insert into ${schema}.${table} select * from ${name}.${table}`,
      ]),
      'commit',
    ];
    await this.#administer(statements.join(';\n'));
    return true;
  }

  async #describe(name: string): Promise<Pristine> {
    const tables = await this.#administer(`select tablename from pg_tables where schemaname = '${name}'`);
    return { name, tables: tables.map(({ tablename }) => tablename), signature: await this.#readSignature(name) };
  }

  /** A hash of the names of tables, columns, constraints, triggers and functions, and whether the tables have grown. */
  async #readSignature(schema: string): Promise<string> {
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
