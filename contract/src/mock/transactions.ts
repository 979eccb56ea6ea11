/** Maps IDs and test customers to transactions in the mock's examples. */
import { type Bundle, findResponse, type JsonObject, type Operation, successes } from '../model.ts';
import { nearest } from '../nearest.ts';
import { isHostToHost, listCustomers, parseExampleName, RESERVED_PREFIXES } from './customers.ts';
import { invalidRequest, MockProblem } from './problems.ts';
import { ID, isCreation } from './status-examples.ts';

/** A request that fits the contract. */
export interface CheckedCall {
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * An ID of letters only selects a response, so an unknown one is a typo. Other IDs may come from the caller's program.
 */
const SELECTING_ID = /^[a-z]+_[A-Za-z_-]+$/;
const WRONG_STATE = 409;

/** The ID in the path or the query, if the request has one. */
export function requestedId({ operation, parameters }: CheckedCall): string | undefined {
  const named = operation.parameters.find(({ in: place, name }) => place === 'path' || name === ID);
  return named && parameters[named.name];
}

/** The transaction with the request's ID as the examples of its reading operation have it. */
export function knownTransaction(known: readonly Operation[], call: CheckedCall): JsonObject | undefined {
  const id = requestedId(call);
  return id === undefined ? undefined : transactions(known, call.operation).find((value) => value[ID] === id);
}

/** Throws a 404 for a misspelled ID, and a 409 if the transaction's status doesn't allow the operation. */
export function refuseId(bundle: Bundle, known: readonly Operation[], call: CheckedCall): void {
  const id = requestedId(call) ?? '';
  if (!SELECTING_ID.test(id)) return;
  const ids = transactions(known, call.operation).map((value) => String(value[ID]));
  const selecting = ids.filter((one) => SELECTING_ID.test(one));
  if (!selecting.includes(id)) {
    throw new MockProblem(404, {
      detail: `${id} selects no response of the mock. Use one of ${selecting.join(', ')}.`,
    });
  }
  refuseStatus(bundle, call.operation, String(knownTransaction(known, call)?.['status']));
}

function refuseStatus(bundle: Bundle, operation: Operation, status: string): void {
  const machines = Object.values(bundle['x-state-machines']);
  const taken = machines.flatMap(({ transitions }) => transitions.filter(({ by }) => by === operation.id));
  if (taken.length === 0 || taken.some(({ from }) => from === status)) return;
  const problem = findResponse(operation, WRONG_STATE);
  const { detail } = (problem?.body?.examples[0]?.value ?? {}) as JsonObject;
  const statuses = machines.flatMap(({ states }) => Object.keys(states)).join('|');
  throw new MockProblem(WRONG_STATE, { detail: String(detail).replace(new RegExp(`\\b(${statuses})\\b`), status) });
}

/** The name of the example that the customer of a creation selects. Throws a 400 for a test customer that the sandbox refuses. */
export function exampleOfCustomer(
  bundle: Bundle,
  { operation, body }: CheckedCall,
  names: readonly string[],
): string | undefined {
  const { customer, return_url: isRedirect } = (body ?? {}) as { customer?: { id?: unknown }; return_url?: string };
  const id = String(customer?.id);
  if (!isCreation(bundle, operation) || !RESERVED_PREFIXES.some((prefix) => id.toLowerCase().startsWith(prefix)))
    return undefined;
  const all = listCustomers(bundle, operation, names);
  if (!all.includes(id)) {
    const message = `is not a test customer of ${operation.id}; did you mean ${nearest(id, all)?.name}?`;
    throw invalidRequest([{ in: 'body', pointer: '/customer/id', message }]);
  }
  if (isRedirect !== undefined && isHostToHost(id)) {
    const message = `is ${id}, which takes effect in the host-to-host flow only; omit return_url`;
    throw invalidRequest([{ in: 'body', pointer: '/customer/id', message }]);
  }
  const name = parseExampleName(id);
  return name !== undefined && names.includes(name) ? name : undefined;
}

function transactions(known: readonly Operation[], operation: Operation): JsonObject[] {
  const reads = ({ method, path }: Operation) =>
    method === 'get' && path.includes('{') && operation.path.startsWith(path);
  const bodies = successes(known.find(reads) ?? operation).flatMap(({ body }) => body?.examples ?? []);
  return bodies.map(({ value }) => value as JsonObject);
}
