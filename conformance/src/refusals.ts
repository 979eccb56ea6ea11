/** Checks that a service refuses what the contract does not allow: calls without a key, and invalid bodies. */
import { type Json, type Operation, type Response, requestExamples } from '../../contract/src/model.ts';
import { type Check, conforms, judged, notReached, type Outcome } from './check.ts';
import { type Contract, responseOf } from './contract.ts';
import { type Call, type Exchange, send } from './http.ts';
import { invalidBodies } from './mutations.ts';
import type { Settings } from './settings.ts';

/** Makes a valid call on which a refusal is built, or says why there is none. */
export type MakeCall = () => Promise<{ call: Call } | { missing: string }>;

const UNAUTHORIZED = 401;
const BAD_REQUEST = 400;
/** A service may look at the transaction in the path before it looks at the body. */
const STATE_FIRST = [404, 409];

/** Refusals of an operation; each starts from the valid call that `makeCall` gives. */
export function refusalChecks(
  contract: Contract,
  settings: Settings,
  operation: Operation,
  makeCall: MakeCall,
): Check[] {
  const unauthorized = responseOf(operation, UNAUTHORIZED);
  const invalid = responseOf(operation, BAD_REQUEST);
  const template = requestExamples(operation)[0];
  const check = (response: Response, title: string, change: (call: Call) => Call): Check => ({
    operation: operation.id,
    kind: 'refusal',
    example: template?.name ?? '',
    title: `${operation.id} ${title}`,
    pointer: response.pointer,
    run: () => runRefusal(contract, settings, operation, response, makeCall, change),
  });
  const bodies = template?.body === undefined ? [] : invalidTitles(contract, operation, template.body);
  return [
    ...(unauthorized ? [check(unauthorized, 'without a key', (call) => ({ ...call, key: null }))] : []),
    ...(invalid ? bodies.map((title) => check(invalid, title, (call) => withBody(contract, call, title))) : []),
  ];
}

/** True when the service objected to the state of the transaction, so that nothing is known about the rest. */
export function stoppedByState(operation: Operation, response: Response, exchange: Exchange): boolean {
  const hasTransaction = operation.parameters.some((parameter) => parameter.in === 'path');
  const byState = STATE_FIRST.includes(exchange.status) && responseOf(operation, exchange.status) !== undefined;
  return hasTransaction && byState && !STATE_FIRST.includes(Number(response.status));
}

async function runRefusal(
  contract: Contract,
  settings: Settings,
  operation: Operation,
  response: Response,
  makeCall: MakeCall,
  change: (call: Call) => Call,
): Promise<Outcome> {
  const made = await makeCall();
  if ('missing' in made) return notReached(made.missing);
  const exchange = await send(settings, change(made.call));
  if (stoppedByState(operation, response, exchange)) {
    return notReached(`refused with ${exchange.status} before the request was looked at`);
  }
  return judged(conforms(contract, operation, response, exchange), []);
}

function invalidTitles(contract: Contract, operation: Operation, body: Json): string[] {
  return operation.request ? invalidBodies(contract, operation.request.schema, body).map(({ title }) => title) : [];
}

function withBody(contract: Contract, call: Call, title: string): Call {
  const { request } = call.operation;
  const bodies = request && call.body !== undefined ? invalidBodies(contract, request.schema, call.body) : [];
  const found = bodies.find((mutation) => mutation.title === title);
  if (!found) throw new Error(`${call.operation.id} has no invalid body '${title}'`);
  return { ...call, body: found.body };
}
