/** A small service that keeps transactions in memory and ignores `Prefer`; it keeps the contract, unless told to err. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../contract/src/model.ts';
import { type Answer, contract, documentedAnswer, type Request, type Service, serve } from './http.ts';

export interface StatefulDefect {
  /** Changes what a sound service would answer. */
  alter?: (answer: Answer, request: Request) => Answer;
  /** Creates another transaction for an order id that it knows. */
  forgetsOrders?: boolean;
  /** Does not look whether a known order id comes with another body. */
  acceptsReusedOrders?: boolean;
  /** Takes an action in any state. */
  actsInAnyState?: boolean;
}

interface Transaction {
  /** As the status operation shows it. */
  shown: JsonObject;
  /** What the creation was answered with. */
  creation: JsonObject;
  body: JsonObject;
}

const KEY = /^Bearer sk_test_(?!unknown)/;

export function startStateful(defect: StatefulDefect = {}): Promise<Service> {
  const transactions: Transaction[] = [];
  return serve((request) => {
    const answer = refuse(request) ?? HANDLERS[request.operation.id]?.(request, transactions, defect);
    if (!answer) throw new Error(`${request.operation.id} is not served`);
    return defect.alter?.(answer, request) ?? answer;
  });
}

type Handler = (request: Request, transactions: Transaction[], defect: StatefulDefect) => Answer;

const HANDLERS: Record<string, Handler> = {
  createPayment: (request, transactions, defect) => create(request, transactions, defect, newPayment),
  createPayout: (request, transactions, defect) => create(request, transactions, defect, newPayout),
  getPayment: (request, transactions) => show(request, transactions, 'payment-not-found'),
  getPayout: (request, transactions) => show(request, transactions, 'payout-not-found'),
  findPayment: (request, transactions) => {
    const wanted = [...request.query];
    if (wanted.length !== 1) return documentedAnswer(request.operation, '400');
    const found = transactions.find(({ shown }) => wanted.every(([name, value]) => shown[name] === value));
    return found ? succeed(request, found.shown) : documentedAnswer(request.operation, '404');
  },
  clarifyPayment: (request, transactions, defect) =>
    act(request, transactions, defect, 'EXTRA_DATA_NEEDED', ({ clarify: _, ...shown }) => {
      return { ...shown, ...awaitingTransfer(Number(shown['amount'])) };
    }),
  confirmPayment: (request, transactions, defect) =>
    act(
      request,
      transactions,
      defect,
      'PAY_CONFIRMATION_NEEDED',
      ({ pay_data: _, confirm: __, payment_method_type: ___, ...shown }) => ({ ...shown, status: 'VERIFYING' }),
      ({ transaction_id = '', merchant_order_id = '' }) => {
        return { transaction_id, merchant_order_id, status: 'VERIFYING', message: 'The settlement is awaited.' };
      },
    ),
  getBalance: (request) => documentedAnswer(request.operation, '200', 'four-currencies'),
};

function refuse({ operation, headers, path, text }: Request): Answer | undefined {
  const key = headers['authorization'];
  if (!key) return documentedAnswer(operation, '401', 'missing-key');
  if (!KEY.test(String(key))) return documentedAnswer(operation, '401', 'unknown-key');
  if (Object.values(path).some((id) => id.length > 255)) return documentedAnswer(operation, '400');
  if (!operation.request) return undefined;
  if (headers['content-type'] !== 'application/json') return documentedAnswer(operation, '415');
  try {
    const mistakes = contract.validator(operation.request.schema)(JSON.parse(text));
    return mistakes.length > 0 ? documentedAnswer(operation, '400', 'several-violations') : undefined;
  } catch {
    return documentedAnswer(operation, '400', 'malformed-json');
  }
}

function create(
  request: Request,
  transactions: Transaction[],
  defect: StatefulDefect,
  make: (body: JsonObject) => Omit<Transaction, 'body'>,
): Answer {
  const body = JSON.parse(request.text) as JsonObject;
  const known = transactions.find((one) => one.body['merchant_order_id'] === body['merchant_order_id']);
  const reused = known && !isDeepStrictEqual(known.body, body);
  if (reused && !defect.acceptsReusedOrders) return documentedAnswer(request.operation, '409');
  if (known && !defect.forgetsOrders) return succeed(request, known.creation);
  const transaction = { ...make(body), body };
  transactions.push(transaction);
  return succeed(request, transaction.creation);
}

function newPayment(body: JsonObject): Omit<Transaction, 'body'> {
  const { amount = 0, currency = '', payment_method_type: method = '', customer, return_url } = body;
  const base: JsonObject = { ...identity('pay', body), amount, currency };
  const both = { payment_method_type: method, payment_method: method };
  const knowsPhone = typeof customer === 'object' && customer !== null && 'phone' in customer;
  if (!knowsPhone) {
    const shown = { ...base, ...both, status: 'EXTRA_DATA_NEEDED', clarify: ['account_number', 'email'] };
    return { shown, creation: shown };
  }
  if (Number(amount) === 100_000) {
    const shown = { ...base, ...both, ...awaitingTransfer(100_000) };
    return { shown, creation: shown };
  }
  const page = return_url === undefined ? {} : { redirect_url: 'https://pay.example.com/checkout' };
  return {
    shown: { ...base, status: 'CREATED', payment_method: method },
    creation: { ...base, status: 'CREATED', payment_method_type: method, ...page },
  };
}

function newPayout(body: JsonObject): Omit<Transaction, 'body'> {
  const { amount = 0, currency = '' } = body;
  const shown = { ...identity('out', body), status: 'PROCESSING', amount, currency };
  return { shown, creation: shown };
}

function identity(prefix: string, body: JsonObject): JsonObject {
  const { merchant_order_id = '' } = body;
  return { transaction_id: `${prefix}_${randomUUID()}`, merchant_order_id, created_at: '2026-03-02T09:00:00Z' };
}

function awaitingTransfer(amount: number): JsonObject {
  const pay_data = { receiver_account: 'collect.shop@upi', available_amounts: [amount] };
  return { status: 'PAY_CONFIRMATION_NEEDED', pay_data, confirm: ['tid'] };
}

function act(
  request: Request,
  transactions: Transaction[],
  defect: StatefulDefect,
  from: string,
  next: (shown: JsonObject) => JsonObject,
  answer: (shown: JsonObject) => JsonObject = (shown) => shown,
): Answer {
  const found = byPath(request, transactions);
  if (!found) return documentedAnswer(request.operation, '404');
  if (found.shown['status'] !== from && !defect.actsInAnyState) return documentedAnswer(request.operation, '409');
  found.shown = next(found.shown);
  return succeed(request, answer(found.shown));
}

function show(request: Request, transactions: Transaction[], missing: string): Answer {
  const found = byPath(request, transactions);
  return found ? succeed(request, found.shown) : documentedAnswer(request.operation, '404', missing);
}

function byPath({ path }: Request, transactions: Transaction[]): Transaction | undefined {
  return transactions.find(({ shown }) => Object.values(path).includes(String(shown['transaction_id'])));
}

function succeed({ operation }: Request, body: JsonObject): Answer {
  const status = operation.responses.find((response) => response.status.startsWith('2'))?.status ?? '';
  return { ...documentedAnswer(operation, status), body };
}
