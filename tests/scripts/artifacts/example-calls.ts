/** Sends the contract's examples to a gateway, each on a new transaction in the right state. */
import { type JsonObject, type Operation, requestExamples as requestsOf } from '../../../contract/src/model.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { awaitedCalls } from '../../../generated/statuses.ts';
import type { ListeningGateway } from '../../packages/client/gateway.ts';
import { until } from '../../tools/wait.ts';

const PATIENCE_MS = 60_000;

/** The sandbox's customer whose payments ask for the name. */
const ASKED_FOR_NAME = { id: 'clarify-name' };

/** Replaces the id of a transaction or order in a call's text with that of a new transaction. */
export async function withTransaction(gateway: ListeningGateway, operation: Operation, text: string): Promise<string> {
  const [example] = requestsOf(operation);
  const given = { ...example?.path, ...example?.query };
  const member = Object.keys(given).find((name) => /^(transaction|payout|merchant_order)_id$/.test(name));
  if (member === undefined) return text;
  const { transaction_id: id, merchant_order_id: orderId } = await createTransaction(gateway, operation);
  return text.replaceAll(String(given[member]), String(member === 'merchant_order_id' ? orderId : id));
}

async function createTransaction(gateway: ListeningGateway, { id: operationId, path }: Operation): Promise<JsonObject> {
  const isPayout = path.startsWith('/payouts');
  const base = isPayout ? requestExamples.createPayout['imps-inr'].body : requestExamples.createPayment['h2h-upi'].body;
  const customer = operationId === 'clarifyPayment' ? ASKED_FOR_NAME : base.customer;
  const body = { ...base, customer: { ...base.customer, ...customer }, merchant_order_id: randomIds.text(16) };
  const created = await call(gateway, isPayout ? '/payouts' : '/payments', body);
  const id = String(created['transaction_id']);
  const waits = Object.entries(awaitedCalls).find(([, awaited]) => awaited === operationId);
  if (waits) {
    const [status] = waits;
    const isWaiting = async () => (await call(gateway, `/payments/${id}`))['status'] === status;
    if ((await until(isWaiting, PATIENCE_MS)) === undefined) throw new Error(`${id} does not become ${status}`);
  }
  return created;
}

async function call({ baseUrl, key }: ListeningGateway, path: string, body?: object): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(baseUrl + path, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as JsonObject;
}
