/** Every response of the run has its documented shape. */
import { findResponse, type Operation, readMember } from '../../../contract/src/model.ts';
import type { Check, Context } from '../core/check.ts';
import { FINDINGS_MAX, type Finding, formatValue, NotReached } from '../core/finding.ts';
import { foundStatus, isIso8601, isUtc, judgeHeaders, judgeWhole, successClause } from '../core/judge.ts';
import { type Clause, type Contract, findSuccess, specified } from '../document/contract.ts';
import { type Exchange, readString } from '../service/exchange.ts';
import { listLevels, operationKind, reachEachState } from './levels.ts';

const REQUEST_ID = 'x-request-id';
const TIMES = ['created_at', 'finalized_at', 'last_updated_at'];

export function responseChecks(contract: Contract): Check[] {
  return contract.operations.flatMap((operation): Check[] => [
    {
      ...check(operation, 'successes', contract.clause(findSuccess(operation).pointer)),
      title: `Every successful response of ${operation.id} has the documented fields`,
      run: async (context) => judgeAll(context, operation, isNoError, judgeSuccess),
    },
    {
      ...check(operation, 'errors', contract.assumption('errors')),
      title: `Every error of ${operation.id} is a documented problem`,
      run: async (context) => [
        ...(await judgeAll(context, operation, isError, judgeError)),
        ...judgeTitles(context, operation),
      ],
    },
    {
      ...check(operation, 'headers', contract.assumption('request-id')),
      title: `Every response of ${operation.id} has the documented headers`,
      run: async (context) => [
        ...(await judgeAll(context, operation, () => true, judgeHeaders)),
        ...judgeRequestIds(context, operation),
      ],
    },
    {
      ...check(operation, 'timestamps', specified('2.2', '/components/schemas/CreatedAt')),
      title: `Every timestamp of ${operation.id} is ISO 8601, in UTC`,
      run: async (context) => judgeAll(context, operation, isSuccess, judgeTimes),
    },
  ]);
}

function check(operation: Operation, name: string, clause: Clause): Omit<Check, 'run' | 'title'> {
  return {
    id: `response/${operation.id}/${name}`,
    ...{ clause, phase: 'end', operation: operation.id, levels: [], partOf: listLevels(operation) },
  };
}

function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** A redirect is neither an error nor a success. */
function isNoError({ status }: Exchange): boolean {
  return status < 400;
}

/** A proxy can respond with errors that no service knows, so only the documented ones are judged. */
function isError({ status, call }: Exchange): boolean {
  return status >= 400 && findResponse(call.operation, status) !== undefined;
}

async function judgeAll(
  context: Context,
  operation: Operation,
  fits: (exchange: Exchange) => boolean,
  judge: (contract: Contract, exchange: Exchange) => Finding[],
): Promise<Finding[]> {
  const { contract, journal } = context;
  await reachEachState(context, operationKind(operation));
  const invalid = createdInvalid(journal);
  const exchanges = journal.exchanges.filter(
    (exchange) =>
      exchange.call.operation.id === operation.id &&
      fits(exchange) &&
      !(isSuccess(exchange) && (exchange.call.invalid || invalid.has(readString(exchange.body, 'transaction_id')))),
  );
  if (exchanges.length === 0) {
    throw new NotReached(`${operation.id} has given no such response`, `correct what replay/${operation.id} reports`);
  }
  const kept = new Map<string, Finding>();
  for (const exchange of exchanges) {
    for (const finding of judge(contract, exchange)) {
      const key = `${readMember(exchange.body, 'status')} ${finding.at} ${finding.expected}`;
      if (!kept.has(key)) kept.set(key, { ...finding, exchange });
    }
  }
  return [...kept.values()].slice(0, FINDINGS_MAX);
}

/** A problem with 400 lists its violations. */
function judgeError(contract: Contract, exchange: Exchange): Finding[] {
  const findings = judgeWhole(contract, exchange);
  const violations = readMember(exchange.body, 'violations');
  const isListed = violations !== undefined && !(Array.isArray(violations) && violations.length === 0);
  if (findings.length > 0 || exchange.status !== 400 || isListed) return findings;
  const clause = contract.assumption('errors');
  return [
    { at: 'body /violations', expected: 'what is wrong with the request', found: formatValue(violations), clause },
  ];
}

/** Each kind of problem has one title, whichever operation shows it. */
function judgeTitles({ contract, journal }: Context, operation: Operation): Finding[] {
  const problems = journal.exchanges.filter((exchange) => isError(exchange) && findKind(exchange) !== undefined);
  return [...Map.groupBy(problems, findKind).values()].flatMap((alike): Finding[] => {
    const expected = formatTitle(alike[0]);
    const other = alike.find((one) => one.call.operation.id === operation.id && formatTitle(one) !== expected);
    if (!other) return [];
    const clause = contract.assumption('errors');
    return [
      { at: 'body /title', expected: `${expected}, as before`, found: formatTitle(other), clause, exchange: other },
    ];
  });
}

/** An ID that all responses share identifies none of them. */
function judgeRequestIds({ contract, journal }: Context, operation: Operation): Finding[] {
  const responses = journal.exchanges.filter(({ call }) => call.operation.id === operation.id);
  const ids = new Set(responses.map(({ headers }) => headers.get(REQUEST_ID)));
  const [id] = ids;
  const [first, ...others] = responses;
  if (!first || others.length === 0 || ids.size > 1 || typeof id !== 'string') return [];
  const clause = contract.assumption('request-id');
  const found = `${id} in all ${responses.length} responses`;
  const expected = 'another one for each request';
  return [{ at: `header ${REQUEST_ID}`, expected, found, clause, exchange: first }];
}

/** The status code identifies a problem of type `about:blank`. Undefined without a type or a title. */
function findKind({ status, body }: Exchange): string | undefined {
  const [type, title] = [readString(body, 'type'), readString(body, 'title')];
  return type === undefined || title === undefined ? undefined : `${status} ${type}`;
}

function formatTitle(exchange: Exchange | undefined): string {
  return formatValue(readMember(exchange?.body, 'title'));
}

/** Transactions that requests have created that the contract doesn't allow. */
function createdInvalid({ exchanges }: Context['journal']): Set<string | undefined> {
  const created = exchanges.filter((exchange) => exchange.call.invalid && isSuccess(exchange));
  return new Set(created.flatMap(({ body }) => readString(body, 'transaction_id') ?? []));
}

/** Only the documented 2xx is a success in the contract. */
function judgeSuccess(contract: Contract, exchange: Exchange): Finding[] {
  const success = findSuccess(exchange.call.operation);
  if (String(exchange.status) === success.status) return judgeWhole(contract, exchange);
  const clause = successClause(contract, exchange);
  return [{ at: 'status', expected: success.status, found: foundStatus(exchange), clause }];
}

function judgeTimes(contract: Contract, { body }: Exchange): Finding[] {
  return TIMES.flatMap((name): Finding[] => {
    const value = readMember(body, name);
    if (typeof value !== 'string') return [];
    const clause = specified('2.2', '/components/schemas/CreatedAt');
    const at = `body /${name}`;
    if (!isIso8601(value) || !isUtc(value))
      return [{ at, expected: 'an ISO 8601 timestamp in UTC', found: formatValue(value), clause }];
    // RFC 3339 has the colon, and some of its parsers fail without it. The schema's format doesn't notice.
    if (!/[+-]\d{4}$/.test(value)) return [];
    const assumed = contract.assumption('timestamps');
    return [{ at, expected: 'an offset with a colon, or Z', found: formatValue(value), clause: assumed }];
  });
}
