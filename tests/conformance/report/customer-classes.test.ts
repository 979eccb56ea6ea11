/** Classes of customers' data in the coverage, by what was sent and received. */
import { expect, it } from 'vitest';
import { createdBy, OPERATION_NAMES } from '../../../conformance/src/core/tracked.ts';
import { measureCoverage } from '../../../conformance/src/report/coverage.ts';
import type { CoverageKind } from '../../../conformance/src/report/report.ts';
import type { Exchange, ServiceCall } from '../../../conformance/src/service/exchange.ts';
import type { DeliveryReply, ReceivedDelivery } from '../../../conformance/src/service/journal.ts';
import type { JsonObject } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import { contract, exchangeWith, result, verification } from './synthetic.ts';

const CHECK = 'replay/createPayment/h2h-upi';
const TOKEN = '00c0ffee';
const CALLBACK = `http://kit.test/${TOKEN}`;
let now = 0;

/** A request of the run that took a second, and its response. */
function sent(id: string, call: Omit<ServiceCall, 'operation'>, body: JsonObject, status?: number): Exchange {
  now += 1_000;
  const operation = contract.operation(id);
  const success = createdBy(operation) === 'payout' ? 201 : 200;
  return {
    ...exchangeWith(body, status ?? success, CHECK),
    ...{ call: { operation, ...call }, startedAt: now, endedAt: now + 1_000, method: operation.method.toUpperCase() },
  };
}

function create(kind: TransactionKind, id: string, order: string, changes: JsonObject = {}, key?: string): Exchange {
  const body = {
    ...{ merchant_order_id: order, amount: 100, currency: 'INR', callback_url: CALLBACK, customer: { id: 'c' } },
    ...changes,
  };
  return sent(OPERATION_NAMES[kind].create, { body, ...(key && { key }) }, { transaction_id: id, status: 'CREATED' });
}

function read(kind: TransactionKind, id: string, status: string, key?: string): Exchange {
  const { read: operation, parameter } = OPERATION_NAMES[kind];
  return sent(operation, { path: { [parameter]: id }, ...(key && { key }) }, { transaction_id: id, status });
}

const find = (order: string, status: string | undefined) =>
  sent('findPayment', { query: { merchant_order_id: order } }, status ? { status } : {}, status ? 200 : 404);

const balance = (available: number, pending = 0) =>
  sent('getBalance', {}, { balances: [{ currency: 'INR', available, pending }] });

function delivered(body: JsonObject, changes: Partial<ReceivedDelivery> = {}): ReceivedDelivery {
  now += 1_000;
  const all = { number: now, token: TOKEN, method: 'POST', query: '', headers: { 'webhook-id': 'evt_1' }, text: '' };
  return { ...all, body, receivedAt: now, reply: 204 as DeliveryReply, ...changes };
}

function covered(
  kind: CoverageKind,
  exchanges: readonly Exchange[],
  deliveries: readonly ReceivedDelivery[] = [],
): string[] {
  const journal = { exchanges: [...exchanges], deliveries: [...deliveries] };
  const { coverage } = measureCoverage(verification([result(CHECK)], { journal }));
  return coverage[kind].filter(({ count }) => count > 0).map(({ name }) => name);
}

it('one value in two places: of the other kind, of another merchant, and order IDs that are almost the same', () => {
  const exchanges = [
    create('payment', 'pay_1', 'order-a'),
    create('payment', 'pay_2', 'order-A'),
    create('payout', 'out_1', 'order-a'),
    create('payment', 'pay_3', 'order-a', {}, 'sk_other'),
    read('payment', 'out_1', ''),
    read('payment', 'pay_1', '', 'sk_other'),
    sent('getBalance', { key: 'sk_other' }, {}),
  ];
  expect(covered('identities', exchanges)).toEqual([
    'getPayment with a value of the other kind',
    'getPayment with a value of another merchant',
    'createPayment with order IDs that differ in case',
    'getBalance of another merchant',
    'an order ID of a payment and of a payout',
    'an order ID of two merchants',
  ]);
  expect(covered('identities', exchanges.slice(0, 1))).toEqual([]);
});

it('lookups before a payment exists, after that, and once its status has changed', () => {
  const before = find('order-1', undefined);
  const creation = create('payment', 'pay_1', 'order-1');
  const after = [find('order-1', 'CREATED'), find('order-1', 'CREATED'), find('order-1', 'SUCCESS')];
  const [BEFORE, AFTER, CHANGED] = [
    'findPayment before the payment exists',
    'findPayment after its creation',
    'findPayment after its status has changed',
  ];
  expect(covered('lookups', [before, creation])).toEqual([BEFORE]);
  expect(covered('lookups', [creation, ...after.slice(0, 2)])).toEqual([AFTER]);
  expect(covered('lookups', [before, creation, ...after])).toEqual([BEFORE, AFTER, CHANGED]);
});

it('a query parameter that is there twice', () => {
  const search = 'transaction_id=pay_1&transaction_id=pay_1';
  expect(covered('lookups', [sent('findPayment', { search, invalid: true }, {}, 400)])).toEqual([
    'findPayment with transaction_id twice',
  ]);
});

it('repeats with the same body: at once after, after FAILED, and after seconds', () => {
  const creation = create('payment', 'pay_1', 'order-1');
  const again = create('payment', 'pay_1', 'order-1');
  const failed = [read('payment', 'pay_1', 'FAILED'), create('payment', 'pay_1', 'order-1')];
  now += 5_000;
  const later = create('payment', 'pay_1', 'order-1');
  expect(covered('repeats', [creation])).toEqual([]);
  expect(covered('repeats', [creation, again])).toEqual(['createPayment again']);
  expect(covered('repeats', [creation, ...failed])).toEqual([
    'createPayment again',
    'createPayment again after FAILED',
  ]);
  expect(covered('repeats', [creation, later])).toEqual(['createPayment again', 'createPayment again after seconds']);
});

it('repeats with another body', () => {
  const creation = create('payout', 'out_1', 'order-1');
  const other = create('payout', 'out_1', 'order-1', { callback_url: `${CALLBACK}?again` });
  expect(covered('repeats', [creation, other])).toEqual(['createPayout with another callback URL']);
});

it('a wallet while a payment is VERIFYING, and after a late decline', () => {
  const creation = create('payment', 'pay_1', 'order-1');
  const [verifying, during] = [read('payment', 'pay_1', 'VERIFYING'), balance(100)];
  const [declined, after] = [read('payment', 'pay_1', 'FAILED'), balance(100)];
  expect(covered('wallets', [creation, verifying, during, declined])).toEqual(['INR while a payment is VERIFYING']);
  expect(covered('wallets', [creation, verifying, declined, after])).toEqual(['INR after a payment was declined late']);
  expect(covered('wallets', [creation, declined, after])).toEqual([]);
});

it('a wallet after a settlement that a check saw, if the first was seen by the preparations of the run', () => {
  const early = [balance(0, 100), balance(100)].map((exchange) => ({ ...exchange, check: 'funding' }));
  expect(covered('wallets', early)).toEqual([]);
  expect(covered('wallets', [...early, balance(100, 50), balance(150)])).toEqual(['INR after settlement']);
});

it('a wallet after settlement, and payouts of one unit less than is available, of all, and of one unit more', () => {
  const settling = [balance(0, 100), balance(100)];
  const payouts = [99, 100, 101].map((amount) => create('payout', `out_${amount}`, `order-${amount}`, { amount }));
  expect(covered('wallets', [...settling, ...payouts])).toEqual([
    'INR after settlement',
    'INR payout of one unit less',
    'INR payout of all that is available',
    'INR payout of one unit more',
  ]);
});

it('webhooks that come again after a failure, go to an address with a query, or have text outside ASCII', () => {
  const creation = create('payment', 'pay_1', 'order-1');
  const body = { transaction_id: 'pay_1', status: 'FAILED', payment_method: 'UPI_IN', merchant_order_id: 'é' };
  const failed = delivered(body, { reply: 'close', query: '?shop=7' });
  const again = delivered(body);
  const arrival = { ...read('payment', 'pay_1', 'FAILED'), startedAt: again.receivedAt };
  const rest = ['with text outside ASCII', 'at an address with a query'];
  expect(covered('deliveries', [creation], [failed])).toEqual(rest);
  expect(covered('deliveries', [creation, arrival], [failed, again])).toEqual([
    'paymentFailed read on arrival',
    'again after a closed connection',
    ...rest,
  ]);
});

it('methods that the contract does not name', () => {
  const creation = create('payment', 'pay_1', 'order-1', { payment_method_type: 'NEW_METHOD' });
  expect(covered('texts', [creation])).toEqual(['createPayment payment_method_type unknown']);
});
