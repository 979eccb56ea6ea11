/**
 * Throughput of one Node process on the database without HTTP. A bare client sends the statements of the gateway's
 * store. Each connection runs one unit of work after the other, and sends `begin` together with the first statement, as
 * the store does. Prints the number of units per second.
 *
 * Usage: node postgres-client.ts DATABASE_URL CONNECTIONS SECONDS post|get
 */

import pg from 'pg';
import { writeRow } from '../../gateway/src/database/row-statement.ts';
import type { Database, Row, RowStatement, Value } from '../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../gateway/src/domain/methods.ts';
import { openPayment } from '../../gateway/src/domain/payment.ts';
import { listMerchants } from '../../gateway/src/merchants/merchants.ts';
import { randomIds } from '../../gateway/src/platform/ids.ts';
import { paymentOrder } from '../../gateway/src/transactions/orders.ts';
import { shownById } from '../../gateway/src/transactions/rows.ts';
import { writeStep } from '../../gateway/src/transactions/write-step.ts';
import { payments } from './bodies.ts';

/** Share of the measurement's time. */
const WARM_UP_PART = 1 / 8;

const [url = '', connections = '', seconds = '', kind = ''] = process.argv.slice(2);

/** A connection for the store's functions. Prepares statements as the store does. */
class Connection implements Database {
  readonly client: pg.Client;
  readonly #statements = new Map<string, { name: string; text: string }>();
  constructor(connectionString: string) {
    this.client = new pg.Client({ connectionString, pipeline: true });
  }
  async all(sql: string, ...values: Value[]): Promise<Row[]> {
    return (await this.client.query<Row>({ ...this.#prepared(sql), values })).rows;
  }
  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    return (await this.all(sql, ...values))[0];
  }
  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.client.query({ ...this.#prepared(sql), values })).rowCount ?? 0;
  }
  write(statement: RowStatement, ...values: Value[]): Promise<Row | undefined> {
    return writeRow(this, statement, values);
  }
  #prepared(sql: string): { name: string; text: string } {
    let statement = this.#statements.get(sql);
    if (!statement) {
      let index = 0;
      const text = sql.replace(/\?(\d*)/g, (_mark, number: string) => `$${number || ++index}`);
      statement = { name: `statement_${this.#statements.size}`, text };
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

const pool = await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    const connection = new Connection(url);
    await connection.client.connect();
    return connection;
  }),
);
const [first] = pool;
const [merchant] = first ? await listMerchants(first, 0, 1) : [];
if (!first || !merchant) throw new Error('there is no merchant to create payments for');
const merchantId = merchant.id;
const next = payments(`bare-${process.pid}`);
const known = await post(first);

/** Writes the rows of a creation. Returns the payment's id. */
async function post(db: Connection): Promise<string> {
  const now = Date.now();
  const opening = {
    methods: sandboxMethods,
    id: randomIds.newId('pay', now),
    merchantId,
    order: paymentOrder(next()),
    now,
    checkoutToken: '',
  };
  const begun = db.client.query('begin');
  await writeStep(db, openPayment(opening), { ids: randomIds, webhook: undefined });
  await begun;
  await db.client.query('commit');
  return opening.id;
}

const WORK: Readonly<Record<string, (db: Connection) => Promise<unknown>>> = {
  post,
  get: (db) => shownById(db, merchantId, 'payment', known),
};

/** Runs the work on all connections for this time. Returns the number of runs per second. */
async function rate(work: (db: Connection) => Promise<unknown>, ms: number): Promise<number> {
  const began = performance.now();
  let done = 0;
  await Promise.all(
    pool.map(async (db) => {
      for (; performance.now() - began < ms; done++) await work(db);
    }),
  );
  return (done * 1_000) / (performance.now() - began);
}

const work = WORK[kind];
if (!work) throw new Error(`the work is '${kind}'; it must be one of ${Object.keys(WORK).join(', ')}`);
const ms = Number(seconds) * 1_000;
await rate(work, ms * WARM_UP_PART);
console.log(await rate(work, ms));
await Promise.all(pool.map(({ client }) => client.end()));
