/** Requests on which services go wrong: one value in two places, lookups over time, and repeated creations. */
import type { Json, Operation } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import { PAIRS } from '../checks/customers/samples.ts';
import { type History, historiesOf } from '../core/history.ts';
import { createdBy, isSuccess, KINDS, OPERATION_NAMES } from '../core/tracked.ts';
import { type Contract, responseOf } from '../document/contract.ts';
import { type Exchange, memberOf, textOf } from '../service/exchange.ts';
import type { Journal } from '../service/journal.ts';
import { parseJson } from '../service/json.ts';

export type OccasionKind = 'identities' | 'lookups' | 'repeats';
type Note = (kind: OccasionKind, name: string, check: string) => void;

const NOT_FOUND = 404;
const FIND = 'findPayment';
const ORDER = 'merchant_order_id';
const BALANCE = 'getBalance of another merchant';
const TWO_KINDS = 'an order ID of a payment and of a payout';
const TWO_MERCHANTS = 'an order ID of two merchants';
const OTHER_KIND = 'with a value of the other kind';
const OTHER_MERCHANT = 'with a value of another merchant';
const BEFORE = `${FIND} before the payment exists`;
const AFTER = `${FIND} after its creation`;
const CHANGED = `${FIND} after its status has changed`;
/** A cache that is meant for quick retries has forgotten the first request by then. */
const LATER_MS = 5_000;
const LATER = 'again after seconds';
const FAILED = 'again after FAILED';

/** Members of a creation that another one under the same order ID can differ in, and the name of that. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  amount: 'with another amount',
  callback_url: 'with another callback URL',
  customer: 'for another customer',
};

/** The names of all of them. */
export function occasionParts(contract: Contract): Record<OccasionKind, string[]> {
  const lookups = contract.operations.filter(takesTransaction);
  const creations = KINDS.map((kind) => OPERATION_NAMES[kind].create);
  const repeated = ['again', LATER, FAILED, ...Object.values(DIFFERENCES)];
  return {
    identities: [
      ...lookups.flatMap(({ id }) => [`${id} ${OTHER_KIND}`, `${id} ${OTHER_MERCHANT}`]),
      ...creations.flatMap((id) => PAIRS.map(({ title }) => `${id} with order IDs that differ ${title}`)),
      ...[BALANCE, TWO_KINDS, TWO_MERCHANTS],
    ],
    lookups: [BEFORE, AFTER, CHANGED, ...['transaction_id', ORDER].map((name) => `${FIND} with ${name} twice`)],
    repeats: creations.flatMap((id) => repeated.map((how) => `${id} ${how}`)),
  };
}

/** Operations on a transaction that can be another one, or nobody's. */
function takesTransaction(operation: Operation): boolean {
  return operation.id === FIND || (operation.path.includes('{') && responseOf(operation, NOT_FOUND) !== undefined);
}

export function observeOccasions(journal: Journal, note: Note): void {
  const histories = historiesOf(journal);
  noteOrders(histories, note);
  noteLookups(journal, histories, note);
  for (const repeat of repeatsIn(journal, histories)) note('repeats', repeat.name, repeat.exchange.check);
}

const orderOf = ({ request }: History): string => textOf(request, ORDER) ?? '';
const keyOf = ({ call }: Exchange): string => call.key ?? '';

function noteOrders(histories: readonly History[], note: Note): void {
  const byOrder = Map.groupBy(histories, orderOf);
  for (const [order, [one, ...others]] of byOrder) {
    if (!one || order === '') continue;
    for (const other of others) {
      const isOneMerchant = keyOf(one.creation) === keyOf(other.creation);
      if (one.kind !== other.kind && isOneMerchant) note('identities', TWO_KINDS, other.creation.check);
      if (one.kind === other.kind && !isOneMerchant) note('identities', TWO_MERCHANTS, other.creation.check);
    }
  }
  for (const kind of KINDS) {
    const orders = new Set(histories.filter((one) => one.kind === kind).map(orderOf));
    for (const history of histories.filter((one) => one.kind === kind)) notePairs(history, orders, note);
  }
}

function notePairs(history: History, orders: ReadonlySet<string>, note: Note): void {
  const order = orderOf(history);
  for (const { title, ends } of PAIRS) {
    const [one, other] = ends;
    if (!order.endsWith(other) || !orders.has(`${order.slice(0, order.length - other.length)}${one}`)) continue;
    const { create } = OPERATION_NAMES[history.kind];
    note('identities', `${create} with order IDs that differ ${title}`, history.creation.check);
  }
}

function noteLookups(journal: Journal, histories: readonly History[], note: Note): void {
  const owners = ownersOf(histories);
  const shown = new Map<string, Set<string>>();
  for (const exchange of journal.exchanges) {
    const { call, check, status } = exchange;
    const { id } = call.operation;
    if (id === 'getBalance' && typeof call.key === 'string' && status < 300) note('identities', BALANCE, check);
    if (!takesTransaction(call.operation)) continue;
    const value = Object.values({ ...call.path, ...call.query })[0] ?? '';
    for (const how of strangenessOf(exchange, owners.get(value) ?? [])) note('identities', `${id} ${how}`, check);
    if (id === FIND) noteFound(exchange, histories, shown, note);
  }
}

interface Owner {
  readonly kind: TransactionKind;
  readonly key: string;
}

/** Kind and merchant of each ID and order ID. */
function ownersOf(histories: readonly History[]): ReadonlyMap<string, readonly Owner[]> {
  const all = histories.flatMap((history) =>
    [history.id, orderOf(history)].map((value) => ({ value, kind: history.kind, key: keyOf(history.creation) })),
  );
  return Map.groupBy(all, ({ value }) => value);
}

function strangenessOf({ call, status }: Exchange, owners: readonly Owner[]): string[] {
  const wanted: TransactionKind = call.operation.path.startsWith('/payouts') ? 'payout' : 'payment';
  const own = owners.filter(({ key }) => key === (call.key ?? ''));
  if (owners.length === 0 || status === 401) return [];
  if (own.length === 0) return [OTHER_MERCHANT];
  return own.every(({ kind }) => kind !== wanted) ? [OTHER_KIND] : [];
}

function noteFound(
  { call, check, startedAt, endedAt, body, status }: Exchange,
  histories: readonly History[],
  shown: Map<string, Set<string>>,
  note: Note,
): void {
  const names = [...new URLSearchParams(call.search ?? '').keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) note('lookups', `${FIND} with ${twice} twice`, check);
  const order = call.query?.[ORDER];
  if (order === undefined || call.key !== undefined) return;
  const payment = histories.find((one) => one.kind === 'payment' && orderOf(one) === order);
  if (!payment) return;
  if (endedAt <= payment.creation.startedAt) note('lookups', BEFORE, check);
  if (startedAt < payment.creation.endedAt || status >= 300) return;
  note('lookups', AFTER, check);
  const statuses = shown.get(order) ?? new Set();
  shown.set(order, statuses.add(textOf(body, 'status') ?? ''));
  if (statuses.size > 1) note('lookups', CHANGED, check);
}

/** Creations under an order ID that a transaction of the same kind and merchant already has. */
function repeatsIn({ exchanges }: Journal, histories: readonly History[]): { name: string; exchange: Exchange }[] {
  const first = new Map(
    histories.map((history) => [`${history.kind} ${keyOf(history.creation)} ${orderOf(history)}`, history]),
  );
  return exchanges.flatMap((exchange) => {
    const { call, startedAt } = exchange;
    const kind = createdBy(call.operation);
    const body = bodyOf(exchange);
    const history = kind && first.get(`${kind} ${keyOf(exchange)} ${textOf(body, ORDER) ?? ''}`);
    if (!history || call.invalid || startedAt < history.creation.endedAt) return [];
    const differences = Object.keys(DIFFERENCES).filter((name) => differs(history.request, body, name));
    const ways = differences.map((name) => DIFFERENCES[name] ?? '');
    return (differences.length > 0 ? ways : repeatedHow(history, exchange)).map((how) => ({
      name: `${call.operation.id} ${how}`,
      exchange,
    }));
  });
}

function repeatedHow({ creation, responses }: History, exchange: Exchange): string[] {
  if (!isSuccess(exchange.call.operation, exchange)) return [];
  const hasFailed = responses.some(({ status, endedAt }) => status === 'FAILED' && endedAt <= exchange.startedAt);
  const isLater = exchange.startedAt - creation.endedAt >= LATER_MS - ROUNDED_MS;
  return ['again', ...(hasFailed ? [FAILED] : []), ...(isLater ? [LATER] : [])];
}

/** Timers can end a little early. */
const ROUNDED_MS = 50;

function bodyOf({ call: { body, text } }: Exchange): Json | undefined {
  return body === undefined && typeof text === 'string' ? parseJson(text) : body;
}

function differs(one: Json, other: Json | undefined, name: string): boolean {
  return JSON.stringify(memberOf(one, name)) !== JSON.stringify(memberOf(other, name));
}
