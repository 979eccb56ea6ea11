/**
 * Lookups: IDs of the other kind, an order ID shared by a payment and a payout, and lookups before and after a
 * creation.
 */
import { findResponse, type Operation } from '../../../../contract/src/model.ts';
import type { Check, Context } from '../../core/check.ts';
import { andThen, type Finding } from '../../core/finding.ts';
import { foundStatus, judgeResponse, settled } from '../../core/judge.ts';
import { OPERATION_NAMES, readOrderId, readStatus } from '../../core/transactions.ts';
import { type Clause, type Contract, specified } from '../../document/contract.ts';
import { type Exchange, readString, type ServiceCall } from '../../service/exchange.ts';
import { judgeForeign, secondKey } from '../access.ts';
import { judgeRejection } from '../bad-input.ts';
import { DECLINED_PAYOUT, KIND_LEVELS, operationKind, unpaidGoal, waitingGoal } from '../levels.ts';
import { createOrFinding, findByOrder, judgeFound, READ_SECTIONS, unfinishedBody } from './round-trip.ts';

const FIND = 'findPayment';

export function lookupChecks(contract: Contract): Check[] {
  const find = contract.operation(FIND);
  const base = { phase: 'parallel', operation: FIND, levels: [], partOf: KIND_LEVELS.payment } as const;
  const errors = contract.assumption('errors');
  const both = { partOf: KIND_LEVELS.payment, needs: KIND_LEVELS.payout };
  return [
    ...contract.operations
      .filter((operation) => operation.path.includes('{') && findResponse(operation, 404))
      .map(
        (operation): Check => ({
          ...{ ...base, id: `lookup/${operation.id}/other-kind`, clause: errors, operation: operation.id, ...both },
          title: `${operation.id} returns 404 for the ID of ${operationKind(operation) === 'payout' ? 'a payment' : 'a payout'}`,
          covers: [['identities', `${operation.id} with an ID of the other kind`]],
          run: (context) => judgeOtherKind(context, operation),
        }),
      ),
    {
      ...{ ...base, ...both, id: `lookup/${FIND}/other-kind`, clause: errors },
      title: 'findPayment returns 404 for the ID and for the order ID of a payout',
      covers: [['identities', `${FIND} with an ID of the other kind`]],
      run: judgePayoutFound,
    },
    {
      ...{ ...base, ...both, id: 'lookup/one-order-id', clause: contract.assumption('order-id') },
      title: 'A payment and a payout can share an order ID, and each operation finds its own kind',
      covers: [['identities', 'an order ID of a payment and of a payout']],
      run: judgeSharedOrder,
    },
    {
      ...{ ...base, id: `lookup/${FIND}/before-and-after`, clause: specified('4.4', find.pointer) },
      title: 'A lookup by order ID returns 404 before the payment exists, then the payment, and then its new status',
      covers: [
        ['lookups', `${FIND} before the payment exists`],
        ['lookups', `${FIND} after its creation`],
        ['lookups', `${FIND} after its status has changed`],
      ],
      run: judgeOverTime,
    },
    ...contract.operations
      .filter(({ id, method, path }) => method === 'get' && (path.includes('{') || id === FIND))
      .map(
        (operation): Check => ({
          ...{ ...base, id: `lookup/${operation.id}/exact`, operation: operation.id },
          title: `${operation.id} returns 404 for an ID that only resembles a known one`,
          covers: [['identities', `${operation.id} with a similar ID`]],
          clause: specified(READ_SECTIONS[operationKind(operation)], operation.pointer),
          partOf: KIND_LEVELS[operationKind(operation)],
          run: (context) => judgeExact(context, operation),
        }),
      ),
    ...['transaction_id', 'merchant_order_id'].map(
      (name): Check => ({
        ...{ ...base, id: `bad-request/${FIND}/${name}-twice`, clause: contract.assumption('unknown-fields') },
        title: `findPayment rejects a request with two ${name} parameters`,
        covers: [['lookups', `${FIND} with ${name} twice`]],
        run: (context) => judgeTwice(context, name),
      }),
    ),
    {
      ...{ ...base, id: `isolation/${FIND}/by-order-id`, clause: specified('1', find.pointer) },
      title: "findPayment returns 404 for another merchant's order ID",
      covers: [['identities', `${FIND} with an order ID of another merchant`]],
      run: judgeForeignOrder,
    },
  ];
}

/** Larger than every integer of a database. */
const LARGE = '9'.repeat(30);
/** UUIDs are equal in any case (RFC 9562). */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Other IDs, which only a program that compares loosely takes for the given one. */
function otherIds(id: string): string[] {
  const start = id.slice(0, -1);
  return [start, `${id}x`, `${start}%`, `${start}*`, id.slice(1), LARGE];
}

/** Other forms of the same ID. The source doesn't say whether a service accepts them. */
function otherForms(id: string): string[] {
  const cases = UUID.test(id) ? [] : [id.toUpperCase(), id.toLowerCase()];
  return [`${id} `, `${id}.json`, ...cases].filter((one) => one !== id);
}

async function judgeExact(context: Context, operation: Operation): Promise<Finding[]> {
  const { contract, fixtures, send, settings } = context;
  const kind = operationKind(operation);
  const tracked = await fixtures.reach(unpaidGoal(kind, settings));
  const order = readOrderId(tracked);
  const { id: known } = tracked;
  const byId = (id: string): ServiceCall =>
    operation.path.includes('{')
      ? { operation, path: { [OPERATION_NAMES[kind].parameter]: id } }
      : { operation, query: { transaction_id: id } };
  const byOrder = (id: string): ServiceCall => ({ operation, query: { merchant_order_id: id } });
  const isLookup = operation.id === FIND;
  const others = [...otherIds(known).map(byId), ...(isLookup ? otherIds(order).map(byOrder) : [])];
  // The source doesn't say whether transaction_id accepts an order ID.
  const forms = [
    ...[...otherForms(known), order].map(byId),
    ...(isLookup ? [...otherForms(order), known].map(byOrder) : []),
  ];
  const stated = specified(READ_SECTIONS[kind], operation.pointer);
  const assumed = contract.assumption('errors');
  const exchanges = await Promise.all([...others, ...forms].map(send));
  return (
    exchanges
      // The source doesn't say which error an unknown ID gets.
      .map((exchange, index) => {
        const isOther = index < others.length && exchange.status < 300;
        return { exchange, clause: isOther ? stated : assumed };
      })
      .filter(({ exchange: { status } }) => status < 400 || status >= 500)
      // A service that counts can have another transaction with that ID.
      .filter(
        ({ exchange: { call, body } }) =>
          readString(body, 'transaction_id') !== (call.query?.['transaction_id'] ?? readPathId(call)),
      )
      .map(({ exchange, clause }) => {
        const one = exchange.call.query?.['merchant_order_id'] === undefined ? known : order;
        const expected = `404, since only ${one} is known`;
        return { at: 'status', expected, found: foundStatus(exchange), clause, exchange };
      })
      .slice(0, 1)
  );
}

function readPathId({ path = {} }: ServiceCall): string {
  return Object.values(path)[0] ?? '';
}

async function judgeOtherKind(context: Context, operation: Operation): Promise<Finding[]> {
  const { contract, fixtures, settings, send } = context;
  const kind = operationKind(operation);
  const other = await fixtures.reach(unpaidGoal(kind === 'payout' ? 'payment' : 'payout', settings));
  const name = OPERATION_NAMES[kind].parameter;
  const body = operation.request?.examples[0]?.value;
  const call: ServiceCall = { operation, path: { [name]: other.id }, ...(body !== undefined && { body }) };
  return judgeResponse(contract, await send(call), 404);
}

async function judgePayoutFound(context: Context): Promise<Finding[]> {
  const { contract, fixtures, send } = context;
  const payout = await fixtures.reach(DECLINED_PAYOUT);
  const operation = contract.operation(FIND);
  const byId = await send({ operation, query: { transaction_id: payout.id } });
  const byOrder = await findByOrder(context, readOrderId(payout));
  return [byId, byOrder].flatMap((exchange) => judgeResponse(contract, exchange, 404));
}

async function judgeSharedOrder(context: Context): Promise<Finding[]> {
  const order = context.orderId();
  const clause = context.contract.assumption('order-id');
  const payment = await createOrFinding(
    context,
    'payment',
    unfinishedBody(context, 'payment'),
    { order, unpaid: true },
    clause,
  );
  if (Array.isArray(payment)) return payment;
  const payout = await createOrFinding(context, 'payout', unfinishedBody(context, 'payout'), { order }, clause);
  if (Array.isArray(payout)) return payout;
  return (await Promise.all([payment, payout].map((tracked) => judgeFound(context, tracked)))).flat();
}

/** A service that caches lookups would return the old result. */
async function judgeOverTime(context: Context): Promise<Finding[]> {
  const { contract, fixtures, orderId, settings } = context;
  const clause = specified('4.4', contract.operation(FIND).pointer);
  const order = orderId();
  const goal = waitingGoal(settings);
  const early = await findByOrder(context, order);
  const before = judgeResponse(contract, early, 404);
  const ends = { flow: goal.flow, until: 'SUCCESS' };
  const tracked = await createOrFinding(context, 'payment', fixtures.bodyFor(ends), { order }, clause);
  if (Array.isArray(tracked)) return [...before, ...tracked];
  const found = async (): Promise<Finding[]> => {
    const read = readStatus(tracked);
    return settled(async () => judgeStatus(await findByOrder(context, order), read, clause));
  };
  return andThen(before, async () => {
    await fixtures.drive(tracked, { ...ends, until: goal.until });
    return andThen(await found(), async () => {
      await fixtures.drive(tracked, ends);
      return found();
    });
  });
}

function judgeStatus(exchange: Exchange, expected: string, clause: Clause): Finding[] {
  const found = readString(exchange.body, 'status') ?? foundStatus(exchange);
  if (exchange.status === 200 && found === expected) return [];
  return [{ at: 'body /status', expected: `${expected}, as getPayment returns it`, found, clause, exchange }];
}

async function judgeTwice(context: Context, name: string): Promise<Finding[]> {
  const { contract, fixtures, settings, send } = context;
  const clause = contract.assumption('unknown-fields');
  const one = await fixtures.reach(waitingGoal(settings));
  const value = name === 'transaction_id' ? one.id : readOrderId(one);
  const search = new URLSearchParams([
    [name, value],
    [name, value],
  ]).toString();
  const exchange = await send({ operation: contract.operation(FIND), search, invalid: true });
  return judgeRejection(context, exchange, { clause, pointer: '', title: `${name} is there twice` }, async () => []);
}

async function judgeForeignOrder(context: Context): Promise<Finding[]> {
  const { contract, fixtures, settings } = context;
  const key = secondKey(context);
  const order = readOrderId(await fixtures.reach(waitingGoal(settings)));
  const exchange = await findByOrder(context, order, key);
  return judgeForeign(contract, exchange, specified('1', contract.operation(FIND).pointer));
}
