/** Validates requests against the contract and reports each violation with its location and the allowed values. */
import type { Violation } from '../../generated/types.ts';
import * as validators from '../../generated/validators.js';
import type { Operation } from './model.ts';
import { toPointer } from './pointer.ts';
import { NO_NUL, VIOLATIONS_MAX, violations } from './violations.ts';

type Validator = validators.Validator<unknown>;
type ByOperation = { readonly [operationId: string]: Validator | undefined };
type Parameters = Readonly<Record<string, string>>;

/** The validators of a document's requests, as `npm run build` makes them. */
export interface RequestTables {
  readonly parameters: ByOperation;
  readonly requestBodies: ByOperation;
}

/** A routed request. A repeated query parameter is an array. */
export interface RoutedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** The operation's parameters, and the violations, empty if the request conforms. */
export interface CheckedRequest {
  readonly parameters: Parameters;
  readonly violations: readonly Violation[];
}

export type RequestCheck = (request: RoutedRequest) => CheckedRequest;

/** Makes the check of an operation. Throws when a name is both a path and a query parameter, since it has one validator. */
export function requestCheck(
  { id, parameters, exactlyOneOf }: Operation,
  tables: RequestTables = validators,
): RequestCheck {
  const validateParameters = tables.parameters[id];
  const validateBody = tables.requestBodies[id];
  const namesIn = (part: string) => new Set(parameters.filter((one) => one.in === part).map(({ name }) => name));
  const inPath = namesIn('path');
  const inQuery = namesIn('query');
  const numeric = new Set(parameters.filter(({ schema }) => schema.type === 'integer').map(({ name }) => name));
  const shared = [...inPath].find((name) => inQuery.has(name));
  if (shared !== undefined) throw new Error(`${shared} of ${id} is a path and a query parameter; rename one`);
  const unknown = `is not a query parameter of this operation, which has ${[...inQuery].join(' and ') || 'none'}`;

  return ({ params, query, body }) => {
    const wrong: Violation[] = [];
    const path = params as Parameters;
    const known = readQuery(query as Readonly<Record<string, string | string[]>>, inQuery, unknown, wrong);
    if (exactlyOneOf.length > 0 && wrong.length === 0 && exactlyOneOf.filter((name) => name in known).length !== 1) {
      wrong.push({ in: 'query', pointer: '', message: `must have exactly one of ${exactlyOneOf.join(' and ')}` });
    }
    const given = inQuery.size === 0 ? path : { ...path, ...known };
    if (validateParameters && !validateParameters(withNumbers(given, numeric))) {
      for (const violation of violations(validateParameters.errors ?? [], 'query')) {
        const isPath = inPath.has(violation.pointer.slice(1));
        wrong.push(isPath ? { ...violation, in: 'path' } : violation);
      }
    }
    for (const name in given) {
      const pointer = toPointer(name);
      const isReported = wrong.some((one) => one.pointer === pointer && one.message === NO_NUL);
      if (!given[name]?.includes('\0') || isReported) continue;
      wrong.push({ in: inPath.has(name) ? 'path' : 'query', pointer, message: NO_NUL });
    }
    if (validateBody && !validateBody(body ?? undefined)) wrong.push(...violations(validateBody.errors ?? [], 'body'));
    return { parameters: given, violations: wrong.slice(0, VIOLATIONS_MAX) };
  };
}

/** Converts numeric parameters. Invalid numbers stay strings, which the schema rejects. */
function withNumbers(given: Parameters, numeric: ReadonlySet<string>): Parameters | Record<string, string | number> {
  if (numeric.size === 0) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      numeric.has(name) && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
    ]),
  );
}

/** Returns known parameters that occur once, and adds a violation for every other one. */
function readQuery(
  query: Readonly<Record<string, string | string[]>>,
  names: ReadonlySet<string>,
  unknown: string,
  wrong: Violation[],
): Parameters {
  const known: Record<string, string> = {};
  for (const name in query) {
    const value = query[name];
    const pointer = toPointer(name);
    if (!names.has(name)) wrong.push({ in: 'query', pointer, message: unknown });
    else if (typeof value === 'string') known[name] = value;
    else wrong.push({ in: 'query', pointer, message: 'must be given once' });
  }
  return known;
}
