/**
 * A service built from the source alone. Wherever the source is silent, it chooses differently from this contract: errors
 * are plain text, repeated creations are new transactions, unknown fields are accepted, clarify responds with only the
 * status, webhooks have other signatures and no retries. No check may call that a violation.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Result } from '../../conformance/src/core/check.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { type Loopback, listenOnLoopback } from '../tools/loopback.ts';

type Fields = Record<string, unknown>;

interface Transaction {
  readonly kind: 'payment' | 'payout';
  readonly shown: Fields;
  readonly request: Fields;
}

const SECRET = 'a-secret-of-its-own';
const CURRENCIES = ['INR', 'EGP', 'MAD', 'DZD'];
const REQUIRED = {
  payment: ['amount', 'currency', 'merchant_order_id', 'customer', 'payment_method_type', 'callback_url'],
  payout: ['amount', 'currency', 'merchant_order_id', 'customer', 'payment_method_type', 'callback_url'],
};

class Refused extends Error {}

/** The results of the kit for the service. */
export async function verifySourceOnly(skip: readonly string[] = []): Promise<readonly Result[]> {
  const service = await startSourceOnly();
  try {
    const options = { baseUrl: service.url, secret: 'whsec_c2VjcmV0', timeoutMs: 5_000, walks: 2, skip };
    return (await verifyService(options)).results;
  } finally {
    await service.close();
  }
}

/** Starts the service on a free port. It takes any key. */
function startSourceOnly(): Promise<Loopback> {
  const service = new Service();
  return listenOnLoopback(createServer((request, response) => void service.respond(request, response)));
}

class Service {
  readonly #transactions: Transaction[] = [];
  readonly #wallet = new Map(CURRENCIES.map((currency) => [currency, 10_000_000]));

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    try {
      if (!request.headers.authorization) {
        response.writeHead(401).end('who are you?');
        return;
      }
      const url = new URL(request.url ?? '', 'http://service');
      const [status, shown] = this.#route(request.method ?? '', url, body);
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(shown));
    } catch (error) {
      if (error instanceof Refused) response.writeHead(422, { 'content-type': 'text/plain' }).end(error.message);
      else response.writeHead(422).end('unreadable');
    }
  }

  #route(method: string, { pathname, searchParams }: URL, text: string): [number, Fields] {
    const [, resource, id, action] = pathname.split('/');
    const kind = resource === 'payouts' ? 'payout' : 'payment';
    const query = searchParams.get('transaction_id') ?? searchParams.get('merchant_order_id');
    if (method === 'POST' && resource === 'payments' && !id) return [200, this.#createPayment(readObject(text))];
    if (method === 'POST' && action === 'clarify') return [200, this.#clarify(this.#find(kind, id), readObject(text))];
    if (method === 'POST' && action === 'confirm') return [200, this.#confirm(this.#find(kind, id), readObject(text))];
    if (method === 'POST' && resource === 'payouts') return [201, this.#createPayout(readObject(text))];
    if (resource === 'merchant') return [200, this.#balance()];
    return [200, this.#find(kind, id ?? query ?? '').shown];
  }

  #find(kind: Transaction['kind'], id: string | undefined): Transaction {
    const found = this.#transactions.findLast(
      (one) =>
        one.kind === kind && Object.values(pick(one.shown, ['transaction_id', 'merchant_order_id'])).includes(id),
    );
    if (!found) throw new Refused('no such thing');
    return found;
  }

  #createPayment(request: Fields): Fields {
    requireFields(request, 'payment');
    const customer = request['customer'] as Fields;
    const id = String(customer['id']);
    const redirect = request['return_url'] !== undefined;
    const shown: Fields = { ...identity(request), status: 'CREATED' };
    const transaction: Transaction = { kind: 'payment', shown, request };
    this.#transactions.push(transaction);
    const created = {
      ...{ ...shown, payment_method_type: request['payment_method_type'] },
      ...(redirect && { redirect_url: 'upi://pay?pa=shop@bank' }),
    };
    shown['payment_method'] = request['payment_method_type'];
    setTimeout(() => {
      if (id.startsWith('decline-') && !id.startsWith('decline-late-'))
        this.#fail(transaction, id.slice('decline-'.length));
      else if (redirect || id === 'stop-CREATED') return;
      else if (customer['name'] === undefined) this.#move(transaction, 'EXTRA_DATA_NEEDED', { clarify: ['name'] });
      else this.#ask(transaction);
    }, 20);
    return created;
  }

  #ask(transaction: Transaction): void {
    const { shown } = transaction;
    delete shown['clarify'];
    const pay_data = { receiver_account: 'shop@bank', hint: 'quote the reference' };
    this.#move(transaction, 'PAY_CONFIRMATION_NEEDED', { pay_data, confirm: ['tid'] });
  }

  #clarify(transaction: Transaction, { clarify_data: data }: Fields): Fields {
    if (!isTextual(data)) throw new Refused('clarify_data must be an object of strings');
    if (transaction.shown['status'] !== 'EXTRA_DATA_NEEDED') throw new Refused('not now');
    this.#ask(transaction);
    return transaction.shown;
  }

  #confirm(transaction: Transaction, { confirm_data: data }: Fields): Fields {
    if (!isTextual(data) || data['tid'] === undefined) throw new Refused('confirm_data must have a tid');
    const { shown, request } = transaction;
    if (shown['status'] !== 'PAY_CONFIRMATION_NEEDED') throw new Refused('not now');
    shown['status'] = 'VERIFYING';
    delete shown['confirm'];
    delete shown['pay_data'];
    const id = String((request['customer'] as Fields)['id']);
    setTimeout(() => {
      if (id === 'stop-VERIFYING') return;
      if (id.startsWith('decline-late-')) this.#fail(transaction, id.slice('decline-late-'.length));
      else {
        this.#pay(shown['currency'], Number(shown['amount']));
        this.#move(transaction, 'SUCCESS', { amount_paid: shown['amount'], finalized_at: now() });
      }
    }, 20);
    return { ...pick(shown, ['transaction_id', 'merchant_order_id', 'status']), message: 'Thanks.' };
  }

  #createPayout(request: Fields): Fields {
    requireFields(request, 'payout');
    const shown: Fields = { ...identity(request), status: 'PROCESSING' };
    const transaction: Transaction = { kind: 'payout', shown, request };
    this.#transactions.push(transaction);
    const id = String((request['customer'] as Fields)['id']);
    const amount = Number(shown['amount']);
    const covered = (this.#wallet.get(String(shown['currency'])) ?? 0) >= amount;
    if (covered) this.#pay(shown['currency'], -amount);
    setTimeout(() => {
      if (!covered) return this.#fail(transaction, 'INSUFFICIENT_BALANCE');
      if (id === 'stop-PROCESSING') return;
      if (!id.startsWith('decline-')) return this.#move(transaction, 'SUCCESS', { finalized_at: now() });
      this.#pay(shown['currency'], amount);
      this.#fail(transaction, id.slice('decline-'.length));
    }, 20);
    return { ...shown };
  }

  #pay(currency: unknown, amount: number): void {
    this.#wallet.set(String(currency), (this.#wallet.get(String(currency)) ?? 0) + amount);
  }

  #fail(transaction: Transaction, reason: string): void {
    this.#move(transaction, 'FAILED', { decline_reason: reason, finalized_at: now() });
  }

  /** Moves on and notifies, once. */
  #move({ shown, request }: Transaction, status: string, more: Fields): void {
    Object.assign(shown, { status }, more);
    const body = JSON.stringify(shown);
    const signature = createHmac('sha1', SECRET).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-acme-signature': signature };
    fetch(String(request['callback_url']), { method: 'POST', headers, body }).catch(() => undefined);
  }

  #balance(): Fields {
    const balances = [...this.#wallet].map(([currency, available]) => ({ available, pending: 0, currency }));
    return { merchant_id: 7, balances, last_updated_at: now() };
  }
}

function identity(request: Fields): Fields {
  const { merchant_order_id, amount, currency } = request;
  return { transaction_id: randomUUID(), merchant_order_id, amount, currency, created_at: now() };
}

function now(): string {
  return new Date().toISOString().replace('Z', '+00:00');
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function readObject(text: string): Fields {
  const value = JSON.parse(text) as unknown;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refused('not an object');
  return value as Fields;
}

function isTextual(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one === 'string')
  );
}

/** Checks the fields that the source requires (4.1, 4.6), with the types that it gives (2.1). */
function requireFields(request: Fields, kind: keyof typeof REQUIRED): void {
  for (const name of REQUIRED[kind]) if (request[name] === undefined) throw new Refused(`${name} is required`);
  if (!Number.isSafeInteger(request['amount'])) throw new Refused('amount must be an integer');
  if (!CURRENCIES.includes(String(request['currency']))) throw new Refused('currency is not supported');
  const { customer, amount: _amount, ...texts } = request;
  if (typeof customer !== 'object' || customer === null || Array.isArray(customer)) throw new Refused('customer');
  const { id = '', ...rest } = customer as Fields;
  for (const [name, value] of Object.entries({ id, ...rest, ...texts })) {
    if (typeof value !== 'string') throw new Refused(`${name} must be a string`);
  }
  const email = (customer as Fields)['email'];
  if (email !== undefined && !String(email).includes('@')) throw new Refused('email must be an address');
  for (const name of ['callback_url', 'return_url']) {
    if (request[name] !== undefined && !URL.canParse(String(request[name]))) throw new Refused(`${name} must be a URL`);
  }
}
