/** How plain calls bring a service to the error that a response example shows. */
import { type Json, requestExamples } from '../../contract/src/model.ts';
import { type Check, conforms, judged, notReached, type Outcome, show } from './check.ts';
import { type Contract, type Documented, member } from './contract.ts';
import { type Call, send } from './http.ts';
import { type MakeCall, stoppedByState } from './refusals.ts';
import { asObject } from './requests.ts';
import type { Settings } from './settings.ts';
import { isAction, movesOf, type Stories, statusOf } from './stories.ts';

const UNKNOWN_ID = 'unknown-to-the-service';
const LENGTH_OF_NO_ID = 1000;

/** By name of the example: what to change in a valid call. An example that is not here needs more than a call. */
export const PROVOCATIONS: Record<string, (call: Call) => Call> = {
  'missing-key': (call) => ({ ...call, key: null }),
  'unknown-key': (call) => ({ ...call, key: 'sk_test_unknown_to_the_service_0123456789' }),
  'several-violations': (call) => ({ ...call, body: {} }),
  'unknown-field': (call) => ({ ...call, body: { ...asObject(call.body), field_unknown_to_the_contract: 'x' } }),
  'malformed-json': (call) => ({ ...call, text: '{"' }),
  'unsupported-media-type': (call) => ({ ...call, text: 'text', mediaType: 'text/plain' }),
  'no-parameter': (call) => ({ ...call, query: {} }),
  'id-too-long': (call) => withIds(call, 'x'.repeat(LENGTH_OF_NO_ID)),
  'payout-id-too-long': (call) => withIds(call, 'x'.repeat(LENGTH_OF_NO_ID)),
  'payment-not-found': (call) => withIds(call, UNKNOWN_ID),
  'payout-not-found': (call) => withIds(call, UNKNOWN_ID),
  'order-id-reused': (call) => ({ ...call, body: { ...asObject(call.body), amount: otherAmount(call.body) } }),
  'wrong-state': (call) => call,
};

/** A check that provokes an error and compares it with its response and the kind of its example. */
export function provocation(
  contract: Contract,
  settings: Settings,
  stories: Stories,
  makeCall: MakeCall,
  documented: Documented,
  info: Omit<Check, 'run'>,
): Check {
  const change = PROVOCATIONS[info.example];
  const needsState = info.example === 'wrong-state';
  const run = async (): Promise<Outcome> => {
    if (!change) return notReached('plain calls do not bring a service to it');
    const made = needsState ? await callInWrongState(contract, stories, info.operation) : await makeCall();
    if ('missing' in made) return notReached(made.missing);
    return provoke(contract, settings, change(made.call), documented);
  };
  return { ...info, run };
}

async function provoke(
  contract: Contract,
  settings: Settings,
  call: Call,
  { response, example }: Documented,
): Promise<Outcome> {
  const exchange = await send(settings, call);
  if (stoppedByState(call.operation, response, exchange)) {
    return notReached(`refused with ${exchange.status} before the request was looked at`);
  }
  const problems = conforms(contract, call.operation, response, exchange);
  const kind = member(example.value, 'type');
  const found = member(exchange.body, 'type');
  const other = kind !== found && problems.length === 0;
  const wrongKind = { at: 'body /type', expected: `${show(kind)} as in the example`, found: show(found) };
  return judged(other ? [wrongKind] : problems, [example.pointer]);
}

/**
 * An action on a transaction that does not wait for it, and never will again: what has yet to come to the state could
 * do so while the call is under way.
 */
async function callInWrongState(contract: Contract, stories: Stories, operationId: string): ReturnType<MakeCall> {
  const operation = contract.operations.find(({ id }) => id === operationId);
  const [request] = operation ? requestExamples(operation) : [];
  if (!operation || !request || !isAction(operation)) return { missing: 'the operation does not act on a state' };
  const from = movesOf(contract, operation).map((move) => move.from);
  for (const id of stories.all()) {
    const story = await stories.of(id);
    const actual = member(story?.creation.body, 'transaction_id');
    if (!story || typeof actual !== 'string' || !operation.path.startsWith(`${story.operation.path}/`)) continue;
    if (canReach(contract, statusOf(story), from)) continue;
    const call = stories.call(operation, request);
    return { call: withIds(call, actual) };
  }
  return { missing: `every transaction is ${from.join(' or ')}, or can still become it` };
}

/** Whether a transaction in a status is, or can come to be, in one of the wanted ones. */
function canReach(contract: Contract, status: string, wanted: readonly (string | null)[]): boolean {
  const moves = Object.values(contract.bundle['x-state-machines']).flatMap(({ transitions }) => transitions);
  const reached = new Set([status]);
  for (const state of reached) for (const move of moves) if (move.from === state) reached.add(move.to);
  return wanted.some((state) => state !== null && reached.has(state));
}

function withIds(call: Call, id: string): Call {
  const rename = (values: Record<string, string> = {}) =>
    Object.fromEntries(Object.keys(values).map((name) => [name, id]));
  return { ...call, path: rename(call.path), query: rename(call.query) };
}

function otherAmount(body: Json | undefined): number {
  return Number(member(body, 'amount')) + 1;
}
