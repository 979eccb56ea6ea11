/** Access control: requests need a key, and merchants don't see each other. */

import {
  findResponse,
  type Json,
  type JsonObject,
  type Operation,
  requestExamples,
} from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, NotReached } from '../core/finding.ts';
import { foundStatus, judgeResponse } from '../core/judge.ts';
import {
  actionBody,
  exampleCall,
  isSuccess,
  KINDS,
  lastSeen,
  OPERATION_NAMES,
  readOrderId,
  type TrackedTransaction,
} from '../core/transactions.ts';
import { type Contract, specified } from '../document/contract.ts';
import { type Exchange, readString, type ServiceCall, UNKNOWN_KEY } from '../service/exchange.ts';
import { findByOrder } from './customers/round-trip.ts';
import { DECLINED_PAYOUT, listLevels, operationKind, unpaidGoal, waitingGoal } from './levels.ts';

const INVALID_CREDENTIALS: readonly {
  name: string;
  title: string;
  change: (call: ServiceCall, key: string) => ServiceCall;
}[] = [
  { name: 'no-key', title: 'without an API key', change: (call) => ({ ...call, key: null }) },
  {
    name: 'longer-key',
    title: 'with an API key that only begins with a known one',
    change: (call, key) => ({ ...call, key: `${key}x` }),
  },
  {
    name: 'unknown-key',
    title: 'with an unknown API key',
    change: (call) => ({ ...call, key: UNKNOWN_KEY }),
  },
  {
    name: 'other-scheme',
    title: 'with another scheme than Bearer',
    change: (call) => ({ ...call, authorization: 'Basic dXNlcjpwYXNzd29yZA==' }),
  },
  {
    name: 'token-scheme',
    title: 'with the right API key and the scheme Token',
    change: (call, key) => ({ ...call, authorization: `Token ${key}` }),
  },
  {
    name: 'user-name',
    title: 'with the right API key as the user name of the scheme Basic',
    change: (call, key) => ({ ...call, authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
  },
  {
    name: 'no-scheme',
    title: 'with the right API key and no scheme',
    change: (call, key) => ({ ...call, authorization: key }),
  },
  {
    name: 'shorter-key',
    title: 'with an API key that lacks the last character of a known one',
    change: (call, key) => ({ ...call, key: key.slice(0, -1) }),
  },
  {
    name: 'other-case-key',
    title: 'with an API key in another case than a known one',
    change: (call, key) => ({ ...call, key: inOtherCase(key) }),
  },
];

/** The key with its last letter in the other case. Throws NotReached without a letter. */
function inOtherCase(key: string): string {
  const end = /[a-z][^a-z]*$/i.exec(key);
  if (!end) throw new NotReached('the API key has no letter', 'use a key with letters');
  const [letter = ''] = end[0];
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return `${key.slice(0, end.index)}${other}${key.slice(end.index + 1)}`;
}

export function accessChecks(contract: Contract): Check[] {
  return [
    ...contract.operations.flatMap((operation) =>
      INVALID_CREDENTIALS.map((stranger): Check => {
        const { name, title } = stranger;
        return {
          id: `access/${operation.id}/${name}`,
          title: `${operation.id} refuses a request ${title}`,
          clause: contract.assumption('auth'),
          ...{ phase: 'parallel', operation: operation.id, levels: [], partOf: listLevels(operation) },
          run: (context) => judgeRefusal(context, operation, stranger),
        };
      }),
    ),
    ...contract.operations
      .filter((operation) => findResponse(operation, 404))
      .flatMap((operation) => [unknownCheck(contract, operation), isolationCheck(contract, operation)]),
    ...KINDS.map((kind) => orderIsolationCheck(contract, kind)),
  ];
}

async function judgeRefusal(context: Context, operation: Operation, { change }: (typeof INVALID_CREDENTIALS)[number]) {
  const { contract, send, settings } = context;
  const call = exampleCall(operation, context);
  const exchange = await send(change(call, settings.key));
  const clause = contract.assumption('auth');
  const findings = judgeResponse(contract, exchange, 401, clause);
  if (operation.id !== OPERATION_NAMES.payment.create || exchange.status < 400) return findings;
  const found = await findByOrder(context, readOrderId({ call }));
  if (found.status >= 400) return findings;
  return [
    ...findings,
    { at: 'findPayment', expected: 'no payment', found: foundStatus(found), clause, exchange: found },
  ];
}

function unknownCheck(contract: Contract, operation: Operation): Check {
  return {
    id: `lookup/${operation.id}/unknown`,
    title: `${operation.id} returns 404 for an unknown ID`,
    clause: contract.assumption('errors'),
    ...{ phase: 'parallel', operation: operation.id, levels: [], partOf: listLevels(operation) },
    async run(context) {
      const { id } = await createTransaction(context, operation);
      const exchange = await context.send(createCall(operation, unknownLike(id)));
      return judgeResponse(contract, exchange, 404);
    },
  };
}

/** An ID of the same form, since a service can reject other forms before it looks. */
function unknownLike(id: string): string {
  if (id.length < SHORT) return `${id}${id}7777777`;
  const end = id.slice(-ALTERED);
  return id.slice(0, -ALTERED) + end.replaceAll(/[0-9a-z]/gi, (character) => (character === '7' ? '3' : '7'));
}

const ALTERED = 6;
/** A service that counts can know every ID of that length. */
const SHORT = 12;

/** A call of an operation on a transaction, with the body of its example. */
function createCall(operation: Operation, id: string, body?: Json): ServiceCall {
  const example = requestExamples(operation)[0];
  const given = body ?? example?.body;
  const path = Object.fromEntries(Object.keys(example?.path ?? {}).map((name) => [name, id]));
  return {
    ...{ operation, path, query: operation.path.includes('{') ? {} : { transaction_id: id } },
    ...(given !== undefined && { body: given }),
  };
}

function isolationCheck(contract: Contract, operation: Operation): Check {
  // The wallet and its transactions are the merchant's own (source 1).
  const clause = specified('1', operation.pointer);
  return {
    id: `isolation/${operation.id}`,
    title: `${operation.id} returns 404 for a transaction of another merchant`,
    covers: [['identities', `${operation.id} with an ID of another merchant`]],
    ...{ clause, phase: 'parallel', operation: operation.id, levels: [], partOf: listLevels(operation) },
    async run(context) {
      const key = secondKey(context);
      const tracked = await createTransaction(context, operation);
      const body = operation.request && actionBody(context.driver, tracked);
      const exchange = await context.send({ ...createCall(operation, tracked.id, body), key });
      const before = readString(lastSeen(tracked), 'status');
      const read = await context.fixtures.read(tracked);
      const after = readString(read.body, 'status');
      const moved: Finding[] =
        operation.request && after !== before
          ? [{ at: 'body /status', expected: `still ${before}`, found: String(after), clause, exchange: read }]
          : [];
      return [...judgeForeign(contract, exchange, clause), ...moved];
    },
  };
}

/** A service that refuses with another status than 404 reveals that the transaction exists, and no more. */
export function judgeForeign(contract: Contract, exchange: Exchange, clause: Finding['clause']): Finding[] {
  if (exchange.status < 400) {
    return [{ at: 'status', expected: '404', found: foundStatus(exchange), clause, exchange }];
  }
  return judgeResponse(contract, exchange, 404);
}

export function secondKey({ settings }: Context): string {
  if (settings.secondKey === undefined) {
    throw new NotReached('it needs the API key of a second merchant', 'set --second-key');
  }
  return settings.secondKey;
}

async function createTransaction({ fixtures, settings }: Context, operation: Operation): Promise<TrackedTransaction> {
  if (operationKind(operation) === 'payout') return fixtures.reach(DECLINED_PAYOUT);
  const until = operation.id === 'clarifyPayment' ? 'EXTRA_DATA_NEEDED' : 'PAY_CONFIRMATION_NEEDED';
  return fixtures.reachNew(operation.request ? { flow: 'h2h', until } : waitingGoal(settings));
}

/** Order IDs are the merchant's own, so two merchants can use the same one. */
function orderIsolationCheck(contract: Contract, kind: TransactionKind): Check {
  const operation = contract.operation(OPERATION_NAMES[kind].create);
  const clause = contract.assumption('order-id');
  return {
    id: `isolation/merchant_order_id/${kind}`,
    title: `Two merchants can use the same order ID, and each gets its own ${kind}`,
    covers: [['identities', `an order ID of two merchants, for a ${kind}`]],
    ...{ clause, phase: 'parallel', operation: operation.id, levels: [], partOf: listLevels(operation) },
    async run(context) {
      const key = secondKey(context);
      const tracked = await context.fixtures.reachNew(unpaidGoal(kind, context.settings));
      const body = { ...(tracked.call.body as JsonObject), callback_url: context.receiver.sink() };
      const exchange = await context.send({ operation, body, key });
      if (!isSuccess(operation, exchange)) {
        return [{ at: 'status', expected: `a separate ${kind}`, found: foundStatus(exchange), clause, exchange }];
      }
      if (readString(exchange.body, 'transaction_id') !== tracked.id) return [];
      const leak = specified('1', operation.pointer);
      return [{ at: 'body /transaction_id', expected: 'another one', found: tracked.id, clause: leak, exchange }];
    },
  };
}
