/**
 * Checks of a service that returns the example named in `Prefer`, as a mock does: each request example is sent, each
 * response example is requested and must be returned unchanged, and requests are validated.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type Example,
  isObject,
  type Json,
  type Operation,
  type RequestExample,
  type Response,
  requestExamples,
} from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';
import type { Check } from '../core/check.ts';
import { type Finding, formatValue } from '../core/finding.ts';
import { judgeResponse } from '../core/judge.ts';
import { type Contract, findSuccess } from '../document/contract.ts';
import { listMutations, type Mutation } from '../document/mutations.ts';
import type { Exchange, ServiceCall } from '../service/exchange.ts';
import { judgeReason, rejectionCheck } from './bad-input.ts';

export function exampleChecks(contract: Contract): Check[] {
  return contract.operations.flatMap((operation) => {
    const requests = requestExamples(operation);
    const [first] = requests;
    if (!first) throw new Error(`${operation.id} has no request example`);
    const responses = operation.responses.flatMap((response) =>
      (response.body?.examples ?? []).map((example) => ({ response, example })),
    );
    return [
      ...responses.map(({ response, example }) => {
        const own =
          response === findSuccess(operation) ? requests.find(({ name }) => name === example.name) : undefined;
        return exampleCheck(contract, operation, own ?? first, response, example);
      }),
      keyCheck(contract, operation, first),
      ...(operation.request ? listMutations(contract, operation.request.schema, first.body ?? {}) : []).map(
        (mutation) => brokenCheck(contract, operation, first, mutation),
      ),
    ];
  });
}

function toCall(operation: Operation, { path, query, body }: RequestExample): ServiceCall {
  return { operation, path, query, ...(body !== undefined && { body }) };
}

function base(operation: Operation): Pick<Check, 'phase' | 'operation' | 'levels' | 'partOf'> {
  return { phase: 'parallel', operation: operation.id, levels: [], partOf: [] };
}

function exampleCheck(
  contract: Contract,
  operation: Operation,
  request: RequestExample,
  { status, pointer }: Response,
  { name, value }: Example,
): Check {
  return {
    ...base(operation),
    id: `example/${operation.id}/${status}/${name}`,
    title: `${operation.id} returns the example ${name} of ${status}`,
    clause: contract.clause(pointer),
    async run({ send }) {
      const exchange = await send({ ...toCall(operation, request), prefer: `code=${status}, example=${name}` });
      const findings = judgeResponse(contract, exchange, status);
      if (findings[0]?.at === 'status') return findings;
      return [...findings, ...differences(contract, pointer, value, exchange)];
    },
  };
}

/** The differences between the body and the document's. Members that the document's body lacks don't count. */
function differences(contract: Contract, pointer: string, example: Json, exchange: Exchange): Finding[] {
  const clause = contract.clause(pointer);
  const compare = (expected: Json | undefined, found: Json | undefined, at: string): Finding[] => {
    if (isDeepStrictEqual(expected, found)) return [];
    if (isObject(expected) && isObject(found)) {
      return Object.keys(expected).flatMap((name) => compare(expected[name], found[name], at + toPointer(name)));
    }
    if (Array.isArray(expected) && Array.isArray(found)) {
      const longest = expected.length > found.length ? expected : found;
      return longest.flatMap((_, index) => compare(expected[index], found[index], at + toPointer(index)));
    }
    const wanted = `${formatValue(expected)}, as in the example`;
    return [{ at: `body ${at}`.trim(), expected: wanted, found: formatValue(found), clause, exchange }];
  };
  return compare(example, exchange.body, '');
}

function keyCheck(contract: Contract, operation: Operation, request: RequestExample): Check {
  const clause = contract.assumption('auth');
  return {
    ...base(operation),
    ...{ id: `access/${operation.id}/no-key`, title: `${operation.id} refuses a request without an API key`, clause },
    run: async ({ send }) => judgeResponse(contract, await send({ ...toCall(operation, request), key: null }), 401),
  };
}

function brokenCheck(contract: Contract, operation: Operation, request: RequestExample, mutation: Mutation): Check {
  const { clause, pointer, text } = mutation;
  return rejectionCheck(operation, mutation, [], async ({ send }) => {
    const exchange = await send({ operation, path: request.path, text });
    const findings = judgeResponse(contract, exchange, 400, clause);
    return findings[0]?.at === 'status' ? findings : [...findings, ...judgeReason(contract, exchange, pointer)];
  });
}
