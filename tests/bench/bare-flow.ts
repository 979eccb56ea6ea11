/**
 * The minimum of a payment's flow: the same requests, rows and signed webhooks as in a gateway. It leaves out
 * validation, limits and customer usage, idempotency, the channel, intermediate statuses, leases, webhook retries,
 * address checks, multiple processes, and all errors. It is as durable as the gateway: it responds after its commit is
 * synced. Prints its address, and stops with its parent.
 *
 * Usage: node bare-flow.ts sqlite FILE KEY, or postgres URL KEY, or echo, which responds with a constant.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { responseExamples } from '../../generated/examples.ts';
import { webhookHeaders } from '../../generated/webhook-headers.ts';

type Order = Readonly<{ merchant_order_id: string; amount: number; currency: string }>;
type Payment = Order & Readonly<{ id: string; callback_url: string; body: string }>;
type Event = Readonly<{ id: string; payment_id: string; body: string }>;

/** Rows to write in one commit, and the id of a delivered event. */
type Change = Readonly<{ created?: Payment; succeeded?: Payment; event?: Event; delivered?: string }>;

interface Tables {
  commit(changes: readonly Change[]): void | Promise<void>;
  /** The body of a payment's creation, by its id. */
  read(id: string): string | Promise<string>;
}

const TABLES = [
  'create table payments (id text primary key, order_id text not null unique, status text not null, amount bigint not null, body text not null)',
  'create table events (id text primary key, payment_id text not null, body text not null, delivered_at bigint)',
  'create table entries (payment_id text primary key, amount bigint not null, created_at bigint not null)',
  'create table wallets (currency text primary key, available bigint not null)',
];

const [kind = 'echo', database = '', key = ''] = process.argv.slice(2);
const SECRET = randomUUID();
const KEY_HASH = hashText(key);
/** Payments that wait for their confirmation. */
const payments = new Map<string, Payment>();
const agent = new Agent({ keepAlive: true });
const tables = kind === 'echo' ? undefined : await (kind === 'sqlite' ? openSqlite : openPostgres)(database);
const save = tables && groupCommits(tables);
const CONSTANT = JSON.stringify(responseExamples.getPayment[200].created);

const server = createServer(async (incoming, response) => {
  const send = (text: string, status = 200) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
  if (!tables || !save) return send(CONSTANT);
  const token = (incoming.headers.authorization ?? '').slice('Bearer '.length);
  if (!timingSafeEqual(hashText(token), KEY_HASH)) return send('{}', 401);
  const [, , id = '', action] = (incoming.url ?? '').split('/');
  if (incoming.method === 'GET') return send(await tables.read(id));
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  if (action === 'confirm') {
    const payment = payments.get(id) as Payment;
    payments.delete(id);
    const event = createEvent(payment, 'SUCCESS');
    await save({ succeeded: payment, event });
    send(JSON.stringify({ transaction_id: id, status: 'VERIFYING', confirm: JSON.parse(text) }));
    return deliver(payment, event);
  }
  const { merchant_order_id, amount, currency, callback_url } = JSON.parse(text) as Payment;
  const order = { merchant_order_id, amount, currency };
  const payment = { ...order, id: `pay_${randomUUID().replaceAll('-', '')}`, callback_url, body: text };
  payments.set(payment.id, payment);
  const event = createEvent(payment, 'PAY_CONFIRMATION_NEEDED');
  await save({ created: payment, event });
  send(JSON.stringify({ transaction_id: payment.id, ...order, status: 'CREATED' }));
  return deliver(payment, event);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.stdin.on('end', () => process.exit(0)).resume();

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function createEvent({ id, merchant_order_id, amount, currency }: Payment, status: string): Event {
  const shown = { transaction_id: id, merchant_order_id, amount, currency, status, created_at: new Date() };
  return { id: `evt_${randomUUID()}`, payment_id: id, body: JSON.stringify(shown) };
}

/** Signs and sends a webhook, and records its arrival. */
function deliver({ callback_url: url }: Payment, { id, body }: Event): void {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: timestamp,
    ...Object.fromEntries(webhookHeaders.signatures.map((name) => [name, `v1,${signature}`])),
  };
  const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
    response.resume().on('end', () => save?.({ delivered: id }));
  });
  // Nothing listens at the URL of some payments.
  outgoing.on('error', () => undefined).end(body);
}

/** Changes made in one tick, or during a commit, share the next commit. */
function groupCommits({ commit }: Tables): (change: Change) => Promise<void> {
  let waiting: { change: Change; resolve: () => void }[] = [];
  let isCommitting = false;
  const flush = async () => {
    isCommitting = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await commit(group.map(({ change }) => change));
      for (const { resolve } of group) resolve();
    }
    isCommitting = false;
  };
  return (change) =>
    new Promise((resolve) => {
      if (waiting.push({ change, resolve }) === 1 && !isCommitting) setImmediate(flush);
    });
}

function openSqlite(file: string): Tables {
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; pragma synchronous = full');
  for (const table of TABLES) db.exec(table);
  const create = db.prepare(`insert into payments values (?, ?, 'CREATED', ?, ?)`);
  const succeed = db.prepare(`update payments set status = 'SUCCESS' where id = ?`);
  const enter = db.prepare('insert into entries values (?, ?, ?)');
  const credit = db.prepare(
    'insert into wallets values (?, ?) on conflict do update set available = available + excluded.available',
  );
  const record = db.prepare('insert into events values (?, ?, ?, null)');
  const arrive = db.prepare('update events set delivered_at = ? where id = ?');
  const read = db.prepare('select body from payments where id = ?');
  const commit = (changes: readonly Change[]) => {
    const now = Date.now();
    db.exec('begin immediate');
    for (const { created, succeeded, event, delivered } of changes) {
      if (created) create.run(created.id, created.merchant_order_id, created.amount, created.body);
      if (succeeded) {
        succeed.run(succeeded.id);
        enter.run(succeeded.id, succeeded.amount, now);
        credit.run(succeeded.currency, succeeded.amount);
      }
      if (event) record.run(event.id, event.payment_id, event.body);
      if (delivered) arrive.run(now, delivered);
    }
    db.exec('commit');
  };
  return { commit, read: (id) => String(read.get(id)?.['body']) };
}

/** One statement and one round trip per group. */
async function openPostgres(connectionString: string): Promise<Tables> {
  const client = new pg.Client({ connectionString, pipeline: true });
  await client.connect();
  for (const table of TABLES) await client.query(table);
  const rows = (place: string, type: string) => `json_to_recordset(${place}::json) as input(${type})`;
  const text = `with
    created as (insert into payments select id, merchant_order_id, 'CREATED', amount, body
      from ${rows('$1', 'id text, merchant_order_id text, amount bigint, body text')}),
    succeeded as (update payments set status = 'SUCCESS' from ${rows('$2', 'id text')} where payments.id = input.id),
    entered as (insert into entries select id, amount, $5::bigint from ${rows('$2', 'id text, amount bigint')}),
    credited as (insert into wallets select currency, sum(amount)::bigint
      from ${rows('$2', 'currency text, amount bigint')} group by currency
      on conflict (currency) do update set available = wallets.available + excluded.available),
    recorded as (insert into events select id, payment_id, body from ${rows('$3', 'id text, payment_id text, body text')})
    update events set delivered_at = $5::bigint where id = any($4)`;
  const commit = async (changes: readonly Change[]) => {
    const of = (name: keyof Change) => changes.flatMap((change) => change[name] ?? []);
    const values = [of('created'), of('succeeded'), of('event')].map((list) => JSON.stringify(list));
    await client.query({ name: 'commit', text, values: [...values, of('delivered'), Date.now()] });
  };
  const select = { name: 'read', text: 'select body from payments where id = $1' };
  return { commit, read: async (id) => String((await client.query({ ...select, values: [id] })).rows[0]?.body) };
}
