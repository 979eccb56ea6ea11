/**
 * A minimal service for the workflows: each status request advances a transaction by one state. It responds with the
 * contract's examples. A state that waits for an action requires it.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { type Json, type JsonObject, readBundle } from '../../../contract/src/model.ts';
import { type Loopback, listenOnLoopback } from '../../tools/loopback.ts';

export const API_KEY = 'sk_test_workflows_4f9c2b7a1e';

export interface Behavior {
  /** The states of a transaction, beginning with its creation. */
  states: string[];
  /** A call, such as `POST /payments/ID/confirm`, that fails. */
  broken?: string;
  /** Whether creations return `redirect_url`. */
  redirect?: boolean;
}

export interface Service extends Loopback {
  /** The calls in order, with ID for the transaction's id, without repetitions. */
  calls: string[];
  bodies: JsonObject[];
}

const WAITS: Record<string, string> = { EXTRA_DATA_NEEDED: 'clarify', PAY_CONFIRMATION_NEEDED: 'confirm' };
const ID = 'txn_workflows_1';

/** Starts the service on a free loopback port. Each creation takes the next behavior. */
export async function startService(behaviors: readonly Behavior[]): Promise<Service> {
  const service = { calls: [] as string[], bodies: [] as JsonObject[] };
  const answer = responder([...behaviors], service);
  const server = createServer(async (request, response) => {
    const { status, body } = answer(request, await readJson(request));
    response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' });
    response.end(JSON.stringify(body));
  });
  return { ...service, ...(await listenOnLoopback(server)) };
}

function responder(waiting: Behavior[], service: Pick<Service, 'calls' | 'bodies'>) {
  let [behavior] = waiting;
  let states: string[] = [];
  let created: JsonObject = {};
  const done = new Set<string>();
  const awaited = () => {
    const action = WAITS[states[0] ?? ''];
    return action && !done.has(action) ? action : undefined;
  };
  const shown = (kind: string) => ({ ...example(kind, states[0] ?? ''), ...created });
  return (request: IncomingMessage, sent: JsonObject | undefined): { status: number; body: Json } => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const call = `${request.method} ${url.pathname.replace(ID, 'ID')}`;
    const [, kind = '', , action] = url.pathname.split('/');
    if (call !== service.calls.at(-1)) service.calls.push(call);
    if (sent) service.bodies.push(sent);
    if (request.headers.authorization !== `Bearer ${API_KEY}`) return problem('problem-unknown-key');
    if (call === behavior?.broken) return problem('problem-internal-error');
    if (call === 'GET /merchant/balance') return { status: 200, body: named('balance-four-currencies') };
    if (sent && !action) {
      behavior = waiting.shift() ?? { states: [] };
      states = [...behavior.states];
      done.clear();
      created = { transaction_id: ID, merchant_order_id: sent['merchant_order_id'] ?? '' };
      return creation(kind, behavior, created);
    }
    if (action && action !== awaited()) return problem('problem-wrong-state');
    if (action) done.add(action);
    if (!awaited() && states.length > 1) states.shift();
    if (action === 'confirm') return { status: 200, body: { ...named('payment-confirmation-tid'), ...created } };
    return { status: 200, body: shown(kind) };
  };
}

function creation(kind: string, { redirect }: Behavior, created: JsonObject): { status: number; body: JsonObject } {
  if (kind === 'payouts') return { status: 201, body: { ...named('payout-processing'), ...created } };
  return { status: 200, body: { ...named(`payment-session-${redirect ? 'redirect' : 'h2h'}-upi`), ...created } };
}

/** The contract's first example of this kind of transaction in this state. */
function example(kind: string, status: string): JsonObject {
  const prefix = kind === 'payouts' ? 'payout-' : 'payment-';
  const found = Object.entries(EXAMPLES).find(
    ([name, { value }]) =>
      name.startsWith(prefix) && !/session|at-once|confirmation-tid/.test(name) && value['status'] === status,
  );
  if (!found) throw new Error(`the contract has no example of a ${prefix} in ${status}`);
  return found[1].value;
}

const EXAMPLES = readBundle().components.examples as Record<string, { value: JsonObject }>;

function named(name: string): JsonObject {
  const found = EXAMPLES[name];
  if (!found) throw new Error(`the contract has no example ${name}`);
  return found.value;
}

function problem(name: string): { status: number; body: JsonObject } {
  const body = named(name);
  return { status: Number(body['status']), body };
}

async function readJson(request: IncomingMessage): Promise<JsonObject | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
}
