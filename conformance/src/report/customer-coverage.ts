/** Classes of customers' data that a run exercised: currencies, boundaries of amounts, kinds of text in each field, and races. */
import { type Bundle, type Json, type JsonObject, openEnum } from '../../../contract/src/model.ts';
import { boundaries } from '../checks/customers/amounts.ts';
import { currenciesOf } from '../checks/customers/round-trip.ts';
import { TEXT_NAMES, textsIn } from '../checks/customers/samples.ts';
import { freeTexts } from '../checks/customers/texts.ts';
import { historiesOf } from '../core/history.ts';
import { actions, createdBy, isSuccess, KINDS, OPERATION_NAMES } from '../core/tracked.ts';
import type { Contract } from '../document/contract.ts';
import { type Exchange, memberOf, textOf } from '../service/exchange.ts';
import type { Journal } from '../service/journal.ts';

export type CustomerKind = 'currencies' | 'boundaries' | 'texts' | 'races';
type Note = (kind: CustomerKind, name: string, check: string) => void;

const ORDER = 'merchant_order_id';
const ID = 'id';
const ITEMS = 'clarifyPayment clarify_data';
const ONE_BALANCE = 'createPayout of several orders';
const DURING = 'findPayment during createPayment';
const UNKNOWN_METHOD = 'payment_method_type unknown';
const PAID_OTHERWISE = 'amount_paid other than amount';

/** The names of everything that a run can exercise. */
export function customerParts(contract: Contract): Record<CustomerKind, string[]> {
  const creations = KINDS.map((kind) => OPERATION_NAMES[kind].create);
  const currencies = currenciesOf(contract);
  return {
    currencies: currencies.flatMap((currency) => KINDS.map((kind) => `${kind} ${currency}`)),
    boundaries: [
      ...creations.flatMap((id) => boundaries(contract).map((amount) => `${id} ${amount}`)),
      ...currencies.map((currency) => `${currency} ${PAID_OTHERWISE}`),
    ],
    texts: [
      ...KINDS.flatMap((kind) =>
        [ORDER, ID, ...freeTexts(contract, kind)].map((field) => `${OPERATION_NAMES[kind].create} ${field}`),
      ),
      ITEMS,
    ]
      .flatMap((place) => TEXT_NAMES.map((name) => `${place} ${name}`))
      .concat(creations.map((id) => `${id} ${UNKNOWN_METHOD}`)),
    races: [...creations, ...actions().map(([, { operation }]) => operation), ONE_BALANCE, DURING],
  };
}

export function observeCustomers({ bundle }: Contract, journal: Journal, note: Note): void {
  const methods = knownMethods(bundle);
  for (const { kind, creation, request, responses } of historiesOf(journal)) {
    const { check, call } = creation;
    const amount = memberOf(request, 'amount');
    note('boundaries', `${call.operation.id} ${amount}`, check);
    const method = textOf(request, 'payment_method_type');
    if (method !== undefined && !methods.has(method)) note('texts', `${call.operation.id} ${UNKNOWN_METHOD}`, check);
    const texts = { ...objectOf(memberOf(request, 'customer')), [ORDER]: memberOf(request, ORDER) ?? null };
    noteTexts(texts, (field, text) => note('texts', `${call.operation.id} ${field} ${text}`, check));
    const paid = responses.find(({ status }) => status === 'SUCCESS');
    if (!paid) continue;
    const currency = textOf(request, 'currency');
    note('currencies', `${kind} ${currency}`, check);
    const amountPaid = memberOf(paid.body, 'amount_paid');
    if (amountPaid !== undefined && amountPaid !== amount) note('boundaries', `${currency} ${PAID_OTHERWISE}`, check);
  }
  for (const exchange of journal.exchanges.filter(isTaken)) {
    const items = objectOf(memberOf(exchange.call.body, 'clarify_data'));
    noteTexts(items, (_field, text) => note('texts', `${ITEMS} ${text}`, exchange.check));
  }
  for (const { name, exchange } of meetings(journal)) note('races', name, exchange.check);
}

function knownMethods({ components: { schemas } }: Bundle): ReadonlySet<Json> {
  const open = [schemas['PaymentMethodType'], schemas['PayoutMethodType']].map((schema) => schema && openEnum(schema));
  return new Set(open.flatMap((one) => one?.known ?? []));
}

function noteTexts(fields: JsonObject, found: (field: string, text: string) => void): void {
  for (const [field, value] of Object.entries(fields)) {
    for (const text of typeof value === 'string' ? textsIn(value) : []) found(field, text);
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
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
    ...(isPayout ? [`money ${memberOf(body, 'currency')} ${memberOf(body, 'amount')}`] : []),
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
