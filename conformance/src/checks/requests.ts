/** Malformed requests: invalid JSON, wrong media types, large bodies, unknown paths and parameters. */
import {
  findResponse,
  type Json,
  type JsonObject,
  type Operation,
  requestExamples,
} from '../../../contract/src/model.ts';
import type { Check, Context } from '../core/check.ts';
import { NotReached } from '../core/finding.ts';
import { foundStatus, judgeResponse } from '../core/judge.ts';
import type { Level } from '../core/settings.ts';
import { actionBody, actions, creationBody, findCreatedKind, OPERATION_NAMES } from '../core/transactions.ts';
import { type Clause, type Contract, specified } from '../document/contract.ts';
import { UNKNOWN_FIELD } from '../document/mutations.ts';
import { mediaType, NoHttpResponse, type ServiceCall } from '../service/exchange.ts';
import { judgeReason, judgeRejection } from './bad-input.ts';
import { listLevels, operationKind, unpaidGoal, waitingGoal } from './levels.ts';

interface MalformedRequest {
  readonly name: string;
  /** The error in words. */
  readonly title: string;
  /** Defaults to 400. */
  readonly status?: number;
  /** The assumption that forbids it. By default, the source does: bodies are JSON (source 4). */
  readonly rests?: string;
  /** Whether the operation can be asked so. */
  readonly fits: (operation: Operation) => boolean;
  /** Changes the JSON text of the body, or the call. */
  readonly edit?: (text: string) => string;
  readonly change?: (call: ServiceCall) => ServiceCall;
  /** JSON pointers of the violations. Defaults to the whole body. */
  readonly pointers?: (call: ServiceCall) => readonly string[];
}

const LARGE_BYTES = 500_000;
const PROBLEM = 'application/problem+json';
const UNKNOWN_PATH = '/path-unknown-to-the-contract';
const UNKNOWN_PARAMETER = 'parameter_unknown_to_the_contract';
const LONG_ID = 'x'.repeat(1_000);
/** More than recursive parsers follow. */
const DEPTH = 5_000;
const takesBody = ({ request }: Operation) => request !== undefined;
/** Operations whose bodies have an order ID and an amount. */
const creates = ({ request, path }: Operation) => request !== undefined && !path.includes('{');
const hasId = ({ path }: Operation) => path.includes('{');
const isFind = ({ id }: Operation) => id === 'findPayment';
const textOfBody = ({ body }: ServiceCall) => JSON.stringify(body);
const toObject = (body: Json | undefined): JsonObject => (body ?? {}) as JsonObject;
const withId = (call: ServiceCall, id: string): ServiceCall => ({
  ...call,
  path: Object.fromEntries(Object.keys(call.path ?? {}).map((name) => [name, id])),
});
const firstMember = ({ body }: ServiceCall): string => Object.keys(toObject(body))[0] ?? '';

const MALFORMED_REQUESTS: readonly MalformedRequest[] = [
  { name: 'broken-json', title: 'the body is cut off', fits: takesBody, edit: (text) => text.slice(0, -1) },
  { name: 'trailing-text', title: 'text follows the JSON value', fits: takesBody, edit: (text) => `${text}x` },
  {
    ...{ name: 'trailing-comma', title: 'a comma follows the last member', fits: takesBody },
    edit: (text) => text.replace(/\}$/, ',}'),
  },
  {
    ...{ name: 'other-case', title: 'the name of a member begins with a capital', fits: takesBody },
    rests: 'unknown-fields',
    edit: (text) => text.replace(/"([a-z])/, (_, letter) => `"${letter.toUpperCase()}`),
  },
  {
    ...{ name: 'deep', title: `the body is a list in a list, ${DEPTH} times`, rests: 'errors', fits: takesBody },
    edit: () => `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
  },
  { name: 'no-body', title: 'the body is missing', fits: takesBody, edit: () => '' },
  {
    ...{ name: 'invalid-utf8', title: 'the body is not UTF-8', rests: 'string-limits', fits: creates },
    change: (call) => ({ ...call, text: notUtf8(call.body) }),
  },
  {
    ...{ name: 'lone-surrogate', title: 'a string has half a surrogate pair', rests: 'string-limits', fits: creates },
    edit: (text) => text.replace('"merchant_order_id":"', '"merchant_order_id":"\\ud800'),
  },
  {
    ...{ name: 'inexact-amount', title: 'the amount has decimals that a float loses', rests: 'amounts', fits: creates },
    edit: (text) => text.replace(/"amount":(\d+)/, '"amount":$1.00000000000000001'),
  },
  {
    ...{ name: 'media-type', title: 'the media type is text/plain', status: 415, rests: 'errors', fits: takesBody },
    change: (call) => ({ ...call, text: textOfBody(call), mediaType: 'text/plain' }),
  },
  {
    ...{ name: 'unknown-parameter', title: 'a query parameter is unknown', rests: 'unknown-fields', fits: () => true },
    change: (call) => ({ ...call, query: { ...call.query, [UNKNOWN_PARAMETER]: 'x' } }),
    pointers: () => [`/${UNKNOWN_PARAMETER}`],
  },
  {
    ...{ name: 'body-parameter', title: 'a member of the body is a query parameter too', fits: takesBody },
    rests: 'unknown-fields',
    change: (call) => ({ ...call, query: { [firstMember(call)]: 'x' } }),
    pointers: (call) => [`/${firstMember(call)}`],
  },
  {
    ...{ name: 'no-parameter', title: 'it has neither parameter', rests: 'several-matches', fits: isFind },
    change: (call) => ({ ...call, query: {} }),
  },
  {
    ...{ name: 'both-parameters', title: 'it has both parameters', rests: 'several-matches', fits: isFind },
    change: (call) => ({ ...call, query: { transaction_id: 'x', merchant_order_id: 'x', ...call.query } }),
  },
  {
    ...{ name: 'long-id', title: 'the ID has 1,000 characters', rests: 'string-limits', fits: hasId },
    change: (call) => withId(call, LONG_ID),
    pointers: ({ path }) => [`/${Object.keys(path ?? {})[0]}`],
  },
  ...[
    { name: 'long-query', title: 'the order ID has 1,000 characters', value: LONG_ID },
    { name: 'nul-query', title: 'the order ID has U+0000', value: 'order\0' },
    { name: 'empty-query', title: 'the order ID is empty', value: '' },
  ].map(
    ({ name, title, value }): MalformedRequest => ({
      ...{ name, title, rests: 'string-limits', fits: isFind },
      change: (call) => ({ ...call, query: { merchant_order_id: value } }),
      pointers: () => ['/merchant_order_id'],
    }),
  ),
  {
    ...{ name: 'nul', title: 'the ID has U+0000', rests: 'string-limits', fits: hasId },
    change: (call) => withId(call, '\0'),
  },
  {
    ...{ name: 'not-ascii', title: 'the ID is not ASCII', rests: 'errors', fits: hasId },
    change: (call) => withId(call, '€'),
  },
  {
    ...{ name: 'broken-escape', title: 'the ID is not UTF-8', rests: 'errors', fits: hasId },
    change: ({ operation, ...call }) => ({ ...call, operation, target: operation.path.replace(/\{[^}]+\}/, '%E2%82') }),
  },
  {
    ...{ name: 'two-mistakes', title: 'two of its fields are wrong', rests: 'errors', fits: takesBody },
    change: (call) => ({ ...call, body: { ...toObject(call.body), [firstMember(call)]: null, [UNKNOWN_FIELD]: 'x' } }),
    pointers: (call) => [`/${firstMember(call)}`, `/${UNKNOWN_FIELD}`],
  },
];

function requestClause(contract: Contract, { rests }: MalformedRequest): Clause {
  if (rests !== undefined) return contract.assumption(rests);
  return specified('4', contract.operation(OPERATION_NAMES.payment.create).pointer);
}

export function wrongRequestChecks(contract: Contract): Check[] {
  const wrong = contract.operations.flatMap((operation) =>
    MALFORMED_REQUESTS.filter(({ fits }) => fits(operation)).map((one): Check => {
      const { name, title } = one;
      return {
        id: `bad-request/${operation.id}/${name}`,
        title: `${operation.id} rejects a request if ${title}`,
        clause: requestClause(contract, one),
        ...{ phase: 'parallel', operation: operation.id, levels: [], partOf: listRequestLevels(operation) },
        run: (context) => rejects(context, operation, one),
      };
    }),
  );
  return [
    ...wrong,
    ...contract.operations.filter(takesBody).map((operation) => largeCheck(contract, operation)),
    unknownPathCheck(contract),
    similarPathCheck(contract),
  ];
}

/** Clients parse every error as a problem, even for a mistyped path. */
function unknownPathCheck(contract: Contract): Check {
  const clause = contract.assumption('errors');
  return {
    id: 'bad-request/unknown-path',
    title: 'An unknown path returns 404 with a problem',
    ...{ clause, phase: 'parallel', levels: [], partOf: [] },
    async run({ send }) {
      // Any operation will do: only its method is used.
      const operation = contract.operation('getBalance');
      const exchange = await send({ operation, target: UNKNOWN_PATH, invalid: true });
      if (exchange.status !== 404) {
        return [{ at: 'status', expected: '404', found: foundStatus(exchange), clause, exchange }];
      }
      const type = mediaType(exchange);
      if (type === PROBLEM && exchange.body !== undefined) return [];
      return [{ at: 'header content-type', expected: PROBLEM, found: type || 'nothing', clause, exchange }];
    },
  };
}

/** By default, frameworks take these for the documented operation. A redirect to it does no harm. */
function similarPathCheck(contract: Contract): Check {
  const clause = contract.assumption('errors');
  const operation = contract.operation('getBalance');
  const { path } = operation;
  const calls: ServiceCall[] = [
    ...[`${path}/`, path.toUpperCase(), `${path}.json`].map((target) => ({ operation, target })),
    { operation: { ...operation, method: 'put' } },
  ];
  return {
    id: 'bad-request/similar-path',
    title: `A path that only resembles a documented one returns 404, and another method 405, too`,
    ...{ clause, phase: 'parallel', levels: [], partOf: [] },
    async run({ send }) {
      const exchanges = await Promise.all(calls.map((call) => send({ ...call, invalid: true })));
      const expected = `404 or 405, since only GET ${path} is known`;
      return exchanges
        .filter(({ status }) => status < 300)
        .map((exchange) => ({ at: 'status', expected, found: foundStatus(exchange), clause, exchange }));
    },
  };
}

/** Operations with a body for a payment belong to H2H. */
function listRequestLevels(operation: Operation): readonly Level[] {
  return operation.request && operationKind(operation) === 'payment' ? ['payments-h2h'] : listLevels(operation);
}

async function rejects(context: Context, operation: Operation, wrong: MalformedRequest) {
  const call = await validCall(context, operation);
  const {
    title,
    status = 400,
    edit = (text) => text,
    change = () => ({ ...call, text: edit(textOfBody(call)) }),
  } = wrong;
  const exchange = await context.send({ ...change(call), invalid: true });
  const clause = requestClause(context.contract, wrong);
  if (wrong.name === 'lone-surrogate' || exchange.status !== 404 || findResponse(operation, 404) === undefined) {
    const [pointer = '', ...others] = wrong.pointers?.(call) ?? [];
    const unlisted = async () => others.flatMap((other) => judgeReason(context.contract, exchange, other));
    return judgeRejection(context, exchange, { clause, pointer, title }, unlisted, status);
  }
  // A service may look for the transaction before it looks at the rest, and has none with such an ID.
  return judgeResponse(context.contract, exchange, 404).filter(({ at }) => at !== 'status');
}

/** The service chooses its body limit: it rejects the body with 413, or accepts the request. */
function largeCheck(contract: Contract, operation: Operation): Check {
  return {
    id: `bad-request/${operation.id}/large-body`,
    title: `${operation.id} rejects a body of ${LARGE_BYTES / 1_000} kB with 413, or accepts it`,
    clause: contract.assumption('errors'),
    ...{ phase: 'parallel', operation: operation.id, levels: [], partOf: listRequestLevels(operation) },
    async run(context) {
      const call = await validCall(context, operation);
      const text = textOfBody(call) + ' '.repeat(LARGE_BYTES);
      const exchange = await context.send({ ...call, text }).catch(cutOff);
      return exchange.status < 300 ? [] : judgeResponse(contract, exchange, 413);
    },
  };
}

/** A service that responds and closes while the body is still being sent can cut off its own response. */
function cutOff(error: unknown): never {
  if (!(error instanceof NoHttpResponse)) throw error;
  throw new NotReached(`the service closed the connection: ${error.message}`, 'let it read the body before it closes');
}

/** A valid call, so that only the later change is wrong. */
async function validCall(context: Context, operation: Operation): Promise<ServiceCall> {
  const { driver, fixtures, receiver, orderId } = context;
  const kind = findCreatedKind(operation);
  if (kind) {
    const body = fixtures.bodyFor(kind === 'payment' ? waitingGoal(context.settings) : { until: 'PROCESSING' });
    return { operation, body: creationBody(body, orderId(), receiver.endpoint().url) };
  }
  if (operation.parameters.length === 0) return { operation };
  const example = requestExamples(operation)[0];
  if (!example) throw new Error(`${operation.id} has no request example`);
  const action = actions().find(([, one]) => one.operation === operation.id);
  if (action) {
    // A dedicated payment, since the service may accept the call.
    const waiting = await fixtures.reachNew({ flow: 'h2h', until: action[0] });
    return { operation, path: { transaction_id: waiting.id }, body: actionBody(driver, waiting) ?? {} };
  }
  const tracked = await fixtures.reach(unpaidGoal(operationKind(operation), context.settings));
  const isFind = operation.id === 'findPayment';
  return {
    ...withId({ operation, path: example.path }, tracked.id),
    ...(isFind && { query: { transaction_id: tracked.id } }),
  };
}

/** The body with a byte in a string that no UTF-8 has. */
function notUtf8(body: Json | undefined): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  const at = bytes.indexOf('"merchant_order_id":"') + '"merchant_order_id":"'.length;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at)]);
}
