/** Classes of customers' data that a run exercised: currencies, boundaries of amounts, kinds of text, and races. */
import { boundaries } from '../checks/customers/amounts.ts';
import { currenciesOf } from '../checks/customers/round-trip.ts';
import { TEXT_NAMES, textsIn } from '../checks/customers/samples.ts';
import { historiesOf } from '../core/history.ts';
import { actions, createdBy, isSuccess, KINDS, OPERATIONS } from '../core/tracked.ts';
import type { Contract } from '../document/contract.ts';
import { type Exchange, member, textOf } from '../service/exchange.ts';
import type { Journal } from '../service/journal.ts';

export type CustomerKind = 'currencies' | 'boundaries' | 'texts' | 'races';
type Note = (kind: CustomerKind, name: string, check: string) => void;

const ONE_BALANCE = 'createPayout of several orders';
const DURING = 'findPayment during createPayment';
const PAID_OTHERWISE = 'amount_paid other than amount';

/** The names of everything that a run can exercise. */
export function customerParts(contract: Contract): Record<CustomerKind, string[]> {
  const creations = KINDS.map((kind) => OPERATIONS[kind].create);
  const currencies = currenciesOf(contract);
  return {
    currencies: currencies.flatMap((currency) => KINDS.map((kind) => `${kind} ${currency}`)),
    boundaries: [
      ...creations.flatMap((id) => boundaries(contract).map((amount) => `${id} ${amount}`)),
      ...currencies.map((currency) => `${currency} ${PAID_OTHERWISE}`),
    ],
    texts: creations.flatMap((id) => TEXT_NAMES.map((name) => `${id} ${name}`)),
    races: [...creations, ...actions().map(([, { operation }]) => operation), ONE_BALANCE, DURING],
  };
}

export function observeCustomers(journal: Journal, note: Note): void {
  for (const { kind, creation, request, responses } of historiesOf(journal)) {
    const { check, call } = creation;
    const amount = member(request, 'amount');
    note('boundaries', `${call.operation.id} ${amount}`, check);
    for (const name of textsIn(textOf(request, 'merchant_order_id') ?? '')) {
      note('texts', `${call.operation.id} ${name}`, check);
    }
    const paid = responses.find(({ status }) => status === 'SUCCESS');
    if (!paid) continue;
    const currency = textOf(request, 'currency');
    note('currencies', `${kind} ${currency}`, check);
    const amountPaid = member(paid.body, 'amount_paid');
    if (amountPaid !== undefined && amountPaid !== amount) note('boundaries', `${currency} ${PAID_OTHERWISE}`, check);
  }
  for (const { name, exchange } of meetings(journal)) note('races', name, exchange.check);
}

/** Requests that were sent before the response to another one about the same thing had come. */
function meetings({ exchanges }: Journal): { name: string; exchange: Exchange }[] {
  const groups = Map.groupBy(
    exchanges.flatMap((exchange) => subjectsOf(exchange).map((subject) => ({ exchange, subject }))),
    ({ exchange, subject }) => `${exchange.check} ${subject}`,
  );
  return [...groups.values()].flatMap((group) =>
    group.flatMap(({ exchange }, index) => {
      const met = group.slice(0, index).find((one) => meets(one.exchange, exchange));
      const name = met && nameOf(met.exchange, exchange);
      return name === undefined ? [] : [{ name, exchange }];
    }),
  );
}

function meets(one: Exchange, other: Exchange): boolean {
  return one.startedAt < other.endedAt && other.startedAt < one.endedAt;
}

/** The things that a request is about: its transaction, its order, and the money of a payout. */
function subjectsOf({ call }: Exchange): string[] {
  const { operation, path = {}, query = {}, body } = call;
  const order = textOf(body, 'merchant_order_id') ?? query['merchant_order_id'];
  const isPayout = createdBy(operation) === 'payout';
  return [
    ...(order === undefined ? [] : [`order ${order}`]),
    ...(path['transaction_id'] === undefined ? [] : [`transaction ${path['transaction_id']}`]),
    ...(isPayout ? [`money ${member(body, 'currency')} ${member(body, 'amount')}`] : []),
  ];
}

function nameOf(one: Exchange, other: Exchange): string | undefined {
  const ids = [one, other].map(({ call }) => call.operation.id);
  const [id = ''] = ids;
  if (ids.includes('findPayment') && ids.includes('createPayment')) return DURING;
  if (ids[0] !== ids[1] || !(isTaken(one) || isTaken(other))) return undefined;
  const [order, otherOrder] = [one, other].map(({ call }) => textOf(call.body, 'merchant_order_id'));
  return id === 'createPayout' && order !== otherOrder ? ONE_BALANCE : id;
}

function isTaken(exchange: Exchange): boolean {
  return isSuccess(exchange.call.operation, exchange);
}
