/**
 * What happened to each transaction of the document's examples when it was really created. The examples tell one
 * story by their ids; a story here creates the transaction under a new order id, takes the actions that its state
 * allows, and reads it after each step. Documented ids are then replaced by those that the service gave.
 */
import {
  type Json,
  type Operation,
  type RequestExample,
  requestExamples,
  successes,
  type Transition,
} from '../../contract/src/model.ts';
import { answerOf, type Contract, member } from './contract.ts';
import { type Call, type Exchange, send } from './http.ts';
import { asObject } from './requests.ts';
import type { Settings } from './settings.ts';

const ORDER_ID = 'merchant_order_id';
const TRANSACTION_ID = 'transaction_id';

/** An action's exchange, or why it could not be taken. */
export type Action = { exchange: Exchange } | { missing: string };

export interface Story {
  /** Operation and example that create the transaction. */
  operation: Operation;
  request: RequestExample;
  creation: Exchange;
  /** The same creation once more. */
  repeat: Exchange;
  /** By operationId and example. */
  actions: Map<string, Action>;
  /** What the service said of the transaction after each step. */
  reads: Exchange[];
}

export interface Stories {
  /** The story of a documented transaction_id, lived on the first call; undefined when no example creates it. */
  of(transactionId: string): Promise<Story | undefined>;
  /** The documented transaction_ids that an operation's examples create, in their order. */
  createdBy(operation: Operation): string[];
  all(): string[];
  /** A request example with the ids of this run. */
  call(operation: Operation, request: RequestExample): Call;
}

/** The documented transaction that a request example is about. */
export function transactionOf(operation: Operation, name: string): string | undefined {
  const id = member(answerOf(operation, name).example.value, TRANSACTION_ID);
  return typeof id === 'string' ? id : undefined;
}

/** True for an operation that creates transactions. */
export function isCreation(operation: Operation): boolean {
  return operation.request !== undefined && !operation.path.includes('{');
}

/** True for an operation that acts on a transaction that exists. */
export function isAction(operation: Operation): boolean {
  return operation.request !== undefined && operation.path.includes('{');
}

/** The last that a story tells of its transaction's status. */
export function statusOf(story: Story): string {
  return String(member((story.reads.at(-1) ?? story.creation).body, 'status'));
}

/** The moves that an operation makes, by the state machines of the contract. */
export function movesOf(contract: Contract, operation: Operation): Transition[] {
  return Object.values(contract.bundle['x-state-machines'])
    .flatMap((machine) => machine.transitions)
    .filter((transition) => transition.by === operation.id);
}

/** No transaction is created before its story is asked for. */
export function openStories(contract: Contract, settings: Settings): Stories {
  const names = new Map<string, string>();
  const creators = new Map<string, { operation: Operation; request: RequestExample }>();
  for (const operation of contract.operations.filter(isCreation)) {
    for (const request of requestExamples(operation)) {
      const id = transactionOf(operation, request.name);
      const orderId = String(member(request.body, ORDER_ID));
      names.set(orderId, `${orderId}-${settings.runId}`);
      if (id) creators.set(id, { operation, request });
    }
  }

  const lived = new Map<string, Promise<Story>>();
  const call = (operation: Operation, request: RequestExample): Call => liveCall(names, operation, request);
  const of = async (id: string) => {
    const creator = creators.get(id);
    if (!creator) return undefined;
    const story = lived.get(id) ?? live(id, creator.operation, creator.request);
    lived.set(id, story);
    return story;
  };
  const live = async (id: string, operation: Operation, request: RequestExample): Promise<Story> => {
    const made = call(operation, request);
    const creation = await send(settings, made);
    const actual = member(creation.body, TRANSACTION_ID);
    if (typeof actual === 'string') names.set(id, actual);
    const repeat = await send(settings, made);
    const story: Story = { operation, request, creation, repeat, actions: new Map(), reads: [] };
    if (typeof actual !== 'string') return story;
    await read(contract, settings, story, actual);
    for (const { action, example } of actionsOn(contract, operation, id)) {
      const taken = await act(contract, settings, story, call(action, example));
      story.actions.set(`${action.id} ${example.name}`, taken);
      if ('exchange' in taken) await read(contract, settings, story, actual);
    }
    return story;
  };
  const all = () => [...creators.keys()];
  const createdBy = (operation: Operation) => all().filter((id) => creators.get(id)?.operation === operation);
  return { of, createdBy, all, call };
}

function liveCall(names: Map<string, string>, operation: Operation, { path, query, body }: RequestExample): Call {
  const rename = <T extends Json>(values: Record<string, T>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? (names.get(value) ?? value) : value,
      ]),
    ) as Record<string, T>;
  return {
    operation,
    path: rename(path),
    query: rename(query),
    ...(body !== undefined && { body: rename(asObject(body)) }),
  };
}

function actionsOn(contract: Contract, creation: Operation, id: string) {
  return contract.operations
    .filter((operation) => isAction(operation) && operation.path.startsWith(`${creation.path}/`))
    .flatMap((action) =>
      requestExamples(action)
        .filter((example) => transactionOf(action, example.name) === id)
        .map((example) => ({ action, example })),
    );
}

/** Takes an action if the transaction waits for it, and the example has every item that is asked for. */
async function act(contract: Contract, settings: Settings, story: Story, call: Call): Promise<Action> {
  const status = statusOf(story);
  const from = movesOf(contract, call.operation).map((move) => String(move.from));
  if (!from.includes(status)) return { missing: `the transaction is ${status}; it has to be ${from.join(' or ')}` };
  const absent = missingItems(call.body, (story.reads.at(-1) ?? story.creation).body);
  if (absent.length > 0)
    return { missing: `the service asks for ${absent.join(', ')}, which the example does not have` };
  return { exchange: await send(settings, call) };
}

/** The field `x` of a transaction lists what the field `x_data` of the action's body must hold. */
function missingItems(body: Json | undefined, transaction: Json | undefined): string[] {
  return Object.entries(asObject(body)).flatMap(([field, given]) => {
    const wanted = member(transaction, field.replace(/_data$/, ''));
    return Array.isArray(wanted) ? wanted.map(String).filter((name) => member(given, name) === undefined) : [];
  });
}

async function read(contract: Contract, settings: Settings, story: Story, id: string): Promise<void> {
  const reader = contract.operations.find(
    ({ method, path }) => method === 'get' && path.replace(/\{[^}]+\}$/, '') === `${story.operation.path}/`,
  );
  const [parameter] = reader?.parameters.filter((one) => one.in === 'path') ?? [];
  if (!reader || !parameter) return;
  const exchange = await send(settings, { operation: reader, path: { [parameter.name]: id } });
  if (successes(reader).some((response) => response.status === String(exchange.status))) story.reads.push(exchange);
}
