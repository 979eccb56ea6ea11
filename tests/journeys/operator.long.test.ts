/** docs/operations.md and docs/operations/accounting.md: an operator installs, drains and exports, with each command as printed. */
import { mkdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { requestExamples } from '../../generated/examples.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { afterTheFile } from '../gateway/harness/afterwards.ts';
import { startReceiver, status } from '../gateway/webhooks/receiver.ts';
import { type Answer, send, sendTaken } from '../load/client.ts';
import { installTarball, packWorkspace } from '../packages/install.ts';
import { type InstalledPostgres, startInstalledPostgres } from '../tools/installed-postgres.ts';
import { freePort } from '../tools/loopback.ts';
import { Document } from './tools/document.ts';
import { Reader, type Running } from './tools/reader.ts';

const INSTALL_MS = 240_000;
const STEP_MS = 120_000;
const LIVE_CONFIG = join(ROOT, 'tests/gateway/harness/live.config.ts');

const operations = new Document('docs/operations.md');
const accounting = new Document('docs/operations/accounting.md');
/**
 * The integrator's journey packs. tests/packages/image.test.ts checks the image, whose base comes from a registry.
 * tests/gateway/store/pooler.test.ts runs gateways behind PgBouncer.
 */
for (const part of ['npm run package', 'docker run', 'DATABASE_POOLER=transaction']) operations.take(part, 'sh');

let folder: string;
let postgres: InstalledPostgres;

beforeAll(async () => {
  folder = await installTarball('gateway', await packWorkspace('gateway'));
  const installed = await startInstalledPostgres();
  if (!installed) throw new Error('This journey needs PostgreSQL with its tools, such as: apt-get install postgresql');
  postgres = installed;
  afterTheFile(() => postgres.close());
  await mkdir(join(folder, 'var'));
}, INSTALL_MS);

/** An operator's shell, with the document's hosts and folders replaced by local ones. */
class Operator {
  readonly #reader: Reader;
  readonly url: string;

  private constructor(reader: Reader, url: string) {
    this.#reader = reader;
    this.url = url;
  }

  static async begin(env: Record<string, string> = {}): Promise<Operator> {
    const port = await freePort();
    const path = [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
    const server = new URL(postgres.url('postgres'));
    const tools = { PGHOST: server.hostname, PGPORT: server.port, PGUSER: server.username };
    const reader = new Reader(folder, { env: { PATH: path, PORT: String(port), ...tools, ...env } });
    return new Operator(reader, `http://127.0.0.1:${port}`);
  }

  async run(block: string): Promise<string> {
    return (await this.#reader.run(placed(block))).out;
  }

  /** Starts a gateway, and waits until it is ready. */
  async start(command = 'payments-gateway start'): Promise<Running> {
    const running = this.#reader.start(placed(command).trim());
    await running.until(/"listening"/);
    expect((await fetch(`${this.url}/health/ready`)).status).toBe(200);
    return running;
  }

  /** Sends a request with the key. */
  call(key: string, path: string, body?: unknown): Promise<Answer> {
    return send({ url: this.url, key }, body === undefined ? 'GET' : 'POST', path, body);
  }

  /** Creates a payment, and returns its id. */
  async pay(key: string, orderId: string, changes: object = {}): Promise<string> {
    const body = { ...requestExamples.createPayment['h2h-upi'].body, merchant_order_id: orderId, ...changes };
    const created = await sendTaken<{ transaction_id: string }>({ url: this.url, key }, 'POST', '/payments', body);
    return created.transaction_id;
  }
}

function placed(block: string): string {
  return block
    .replaceAll(/postgres:\/\/gateway@db\.internal\/(\w+)/g, (_, name: string) => postgres.url(name))
    .replaceAll('/var/lib/payments', join(folder, 'var'));
}

const printed = (text: string, pattern: RegExp): string => pattern.exec(text)?.[0] ?? `nothing matches ${pattern}`;

describe('on PostgreSQL, an operator', { timeout: STEP_MS }, () => {
  let operator: Operator;
  let gateway: Running;
  let key: string;

  it('installs, and starts the gateway', async () => {
    await postgres.shell('createdb payments');
    operator = await Operator.begin({ CALLBACK_ALLOW: '127.0.0.0/8' });
    key = printed(await operator.run(operations.take('payments-gateway fund')), /sk_test_\S+/);
    gateway = await operator.start();
    const { body } = await operator.call(key, '/merchant/balance');
    const funded = expect.objectContaining({ currency: 'INR', available: 250_000 });
    expect(body).toMatchObject({ balances: expect.arrayContaining([funded]) });
  });

  it('rotates keys and secrets, and locks a merchant out', async () => {
    const [create = '', list = '', revoke = ''] = operations.take('gateway key revoke').split('\n');
    const newer = printed(await operator.run(create), /sk_test_\S+/);
    await operator.run(revoke.replace('key_01J…', printed(await operator.run(list), /key_\w+/)));
    await expect.poll(async () => (await operator.call(key, '/merchant/balance')).status).toBe(401);
    key = newer;
    expect(await operator.run(operations.take('secret rotate 10001'))).toContain('whsec_');
    const [listSecrets = '', revokeSecret = ''] = operations.take('secret list').split('\n');
    const older = printed(await operator.run(listSecrets), /sec_\w+/);
    expect(await operator.run(revokeSecret.replace('sec_01J…', older))).toContain(`revoked ${older}`);
    const [disable = '', enable = ''] = operations.take('merchant disable').split('\n');
    await operator.run(disable);
    await expect.poll(async () => (await operator.call(key, '/merchant/balance')).status).toBe(401);
    await operator.run(enable);
    await expect.poll(async () => (await operator.call(key, '/merchant/balance')).status).toBe(200);
  });

  it('resumes webhooks to a stopped endpoint', async () => {
    const address = `${(await startReceiver(status(410))).address}/webhooks`;
    await operator.pay(key, 'stopped', { callback_url: address, customer: { id: 'decline-BANK_REJECTED' } });
    const block = operations.take('webhook stopped');
    await expect.poll(() => operator.run('payments-gateway webhook stopped'), { timeout: 30_000 }).toContain(address);
    await operator.run(block.replace('https://shop.example.com/webhooks', address));
    expect(await operator.run('payments-gateway webhook stopped')).not.toContain(address);
    expect(await operator.run(operations.take('webhook replay'))).toContain('webhooks sent again: 0');
  });

  it('lets a channel report', async () => {
    expect(await gateway.end()).toBe(0);
    const [settings = '', notification = ''] = operations.take('CHANNEL_SECRETS=').split('\n\n');
    await operator.run(settings);
    gateway = await operator.start();
    const id = await operator.pay(key, 'reported');
    const call = notification.replace('https://pay.example.com', operator.url).replace(/pay_01[A-Z0-9]+/, id);
    // A refusal would be printed.
    expect(await operator.run(call)).toBe('');
  });

  it('opens a sandbox to others who have its key', async () => {
    expect(await gateway.end()).toBe(0);
    const [settings = '', command = ''] = operations.take('SANDBOX_KEY=').split('\n');
    await operator.run(settings);
    const running = await operator.start(command);
    const sandboxKey = (await operator.run('echo "$SANDBOX_KEY"')).trim();
    const statusOf = async (secret: string) => (await operator.call(secret, '/sandbox/merchants', {})).status;
    expect([await statusOf(sandboxKey), await statusOf('')]).toEqual([201, 401]);
    expect(await running.end()).toBe(0);
  });
});

/** Creates an operator, lists and replays abandoned webhooks, replaces the key, and revokes the operator. */
async function useOperatorsApi(operator: Operator): Promise<void> {
  const [create = '', list = '', revoke = ''] = operations.take('operator create').split('\n');
  const key = printed(await operator.run(create), /op_\S+/);
  await operator.run(`export KEY=${key}`);
  const block = operations.take('/management/events/replay').replaceAll('http://127.0.0.1:4000', operator.url);
  const [events, replayed, changes] = (await operator.run(block)).split(/(?<=})(?={)/).map((line) => JSON.parse(line));
  expect([events, replayed]).toEqual([{ data: [] }, { events: 0, waiting: 0 }]);
  expect(changes.data[0]).toMatchObject({ operator: 'Dana', action: 'replayEvents' });
  const id = printed(await operator.run(list), /opr_\w+/);
  const [another = '', keys = '', revokeKey = ''] = operations.take('operator-key create').split('\n');
  const secondKey = printed(await operator.run(another.replace('opr_01J…', id)), /op_\S+/);
  const keyId = printed(await operator.run(keys.replace('opr_01J…', id)), /opk_\w+/);
  const statusOf = async (secret: string) => (await operator.call(secret, '/management/merchants')).status;
  await operator.run(revokeKey.replace('opk_01J…', keyId));
  await expect.poll(() => statusOf(key)).toBe(401);
  expect(await statusOf(secondKey)).toBe(200);
  await operator.run(revoke.replace('opr_01J…', id));
  await expect.poll(() => statusOf(secondKey)).toBe(401);
}

describe('on a live gateway, an operator', { timeout: STEP_MS }, () => {
  it('makes the database live, encrypts secrets, and drains the gateway', async () => {
    await postgres.shell('createdb live');
    const operator = await Operator.begin({ DATABASE_URL: postgres.url('live') });
    expect(await operator.run('payments-gateway migrate --mode live')).toContain('the database is live');
    await operator.run(operations.take('secret reencrypt'));
    await operator.run("export LIVE=true; payments-gateway merchant create 'Chai House' INR");
    const key = printed(await operator.run(operations.take('key create 10001 --live')), /sk_live_\S+/);
    const gateway = await operator.start(`payments-gateway start --config ${LIVE_CONFIG}`);
    await operator.pay(key, 'live');
    await useOperatorsApi(operator);
    expect((await operator.call(key, '/sandbox/clock')).status).toBe(404);
    const ended = gateway.end();
    await expect.poll(async () => (await fetch(`${operator.url}/health/ready`)).status).toBe(503);
    expect((await operator.call(key, '/merchant/balance')).status).toBe(200);
    expect(await ended).toBe(0);
  });
});

it('on SQLite, an operator exports and settles for accounting', { timeout: STEP_MS }, async () => {
  const operator = await Operator.begin({ DATABASE_FILE: join(folder, 'var/payments.db') });
  expect(await operator.run('payments-gateway migrate --mode test')).toContain('applied 001-baseline');
  const key = printed(await operator.run('payments-gateway merchant create Shop INR'), /sk_test_\S+/);
  const gateway = await operator.start();
  await operator.pay(key, 'order-1');
  const statements = await operator.run(accounting.take('payments-gateway settlement'));
  expect(statements).toMatch(/^closing( +\d+){3}$/m);
  for (const name of ['ledger-2026-03.csv', 'transactions.jsonl', 'balances.csv', 'settlements-2026-03.csv'])
    expect(await readFile(join(folder, name), 'utf8'), name).not.toBe('');
  expect(await gateway.end()).toBe(0);
});

it('leaves no block untested', () => {
  expect([...operations.leftOut(), ...accounting.leftOut()]).toEqual([]);
});
