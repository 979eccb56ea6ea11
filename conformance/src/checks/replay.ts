/** Every named request of the document, sent under new order IDs. Values that the request determines must come back. */

import {
  type Json,
  type JsonObject,
  type Operation,
  type RequestExample,
  readMember,
  requestExamples,
} from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, formatValue, NotReached } from '../core/finding.ts';
import { isOpenResponse, judgeResponse, settled } from '../core/judge.ts';
import type { Level } from '../core/settings.ts';
import {
  actions,
  askedItems,
  creationBody,
  declineReasons,
  findAction,
  findCreatedKind,
  firstStatuses,
  judgeEcho,
  lastSeen,
  OPERATION_NAMES,
  readOrderId,
  readStatus,
  type TrackedTransaction,
} from '../core/transactions.ts';
import { type Contract, findSuccess } from '../document/contract.ts';
import type { PaymentGoal } from '../drivers/driver.ts';
import { type Exchange, readString, type ServiceCall } from '../service/exchange.ts';
import { operationKind } from './levels.ts';
import { judgePage } from './payment-page.ts';

export function replayChecks(contract: Contract): Check[] {
  return contract.operations.flatMap((operation) =>
    requestExamples(operation).map((example): Check => {
      const level = findLevel(contract, operation, example);
      return {
        id: `replay/${operation.id}/${example.name}`,
        title: `${operation.id} responds to the example ${example.name} with ${findSuccess(operation).status}`,
        clause: contract.clause(operation.pointer),
        phase: 'parallel',
        operation: operation.id,
        levels: [],
        partOf: level ? [level] : [],
        run: (context) => replay(context, operation, example),
      };
    }),
  );
}

function findLevel(contract: Contract, operation: Operation, example: RequestExample): Level | undefined {
  const { path, request } = operation;
  if (operationKind(operation) === 'payout') return 'payouts';
  if (!path.startsWith('/payments')) return undefined;
  const redirect = request
    ? readMember(example.body, 'return_url') !== undefined
    : paymentLike(contract, operation, example).flow === 'redirect';
  return redirect ? 'payments-redirect' : 'payments-h2h';
}

async function replay(context: Context, operation: Operation, example: RequestExample): Promise<Finding[]> {
  const kind = findCreatedKind(operation);
  if (kind) return replayCreation(context, kind, operation, example);
  const action = actions().find(([, one]) => one.operation === operation.id);
  if (action) return replayAction(context, operation, action[0], example);
  return replayRead(context, operation, example);
}

async function replayCreation(
  context: Context,
  kind: TransactionKind,
  operation: Operation,
  { body }: RequestExample,
): Promise<Finding[]> {
  const { contract, receiver, orderId, send } = context;
  const { callback_url: _url, ...rest } = body as JsonObject;
  const call: ServiceCall = { operation, body: creationBody(rest, orderId(), receiver.endpoint().url) };
  const exchange = await send(call);
  const findings = judgeResponse(contract, exchange, findSuccess(operation).status);
  if (findings[0]?.at === 'status') return findings;
  return [
    ...findings,
    ...judgeEcho(contract, kind, call.body, exchange),
    ...judgeFirst(contract, kind, call, exchange),
    ...(await judgePage(context, exchange)),
  ];
}

/** The first status is a start of the state machine, and a redirect has its address. */
export function judgeFirst(
  contract: Contract,
  kind: TransactionKind,
  call: ServiceCall,
  exchange: Exchange,
): Finding[] {
  const status = readString(exchange.body, 'status') ?? '';
  const allowed = firstStatuses(contract, kind);
  const machine = contract.clause(toPointer('x-state-machines', kind, 'transitions', 0));
  const findings: Finding[] = [];
  if (!allowed.includes(status)) {
    const expected = `one of ${allowed.join(', ')}`;
    findings.push({ at: 'body /status', expected, found: formatValue(status), clause: machine, exchange });
  }
  // Without a return_url it can't be a redirect (source 1, 4.1).
  const redirect = isRedirect(contract, call);
  const page = readMember(exchange.body, 'redirect_url');
  const isSurplus = kind === 'payment' && !redirect && page !== undefined;
  if (isSurplus || (redirect && status === 'CREATED' && page === undefined)) {
    const clause = contract.clause('/components/schemas/RedirectUrl');
    const expected = isSurplus
      ? 'absent, since the payment is not a redirect'
      : 'present, since the payment is a redirect';
    findings.push({ at: 'body /redirect_url', expected, found: formatValue(page), clause, exchange });
  }
  return findings;
}

/** Examples of the redirect flow have a return_url. */
function isRedirect(contract: Contract, { operation, body }: ServiceCall): boolean {
  return (
    operation.id === contract.operation(OPERATION_NAMES.payment.create).id &&
    readMember(body, 'return_url') !== undefined
  );
}

async function replayAction(
  context: Context,
  operation: Operation,
  status: string,
  example: RequestExample,
): Promise<Finding[]> {
  const { contract, driver, fixtures, send } = context;
  const tracked = await fixtures.reachNew({ flow: 'h2h', until: status });
  const { field = '', list } = findAction(status) ?? {};
  const given = readMember(example.body, field) as JsonObject;
  const asked = askedItems(tracked);
  const surplus = Object.keys(given).filter((name) => !asked.includes(name));
  const items = { ...given, ...lacking(driver.items(asked, lastSeen(tracked) ?? null), example, field) };
  const call: ServiceCall = { operation, path: { transaction_id: tracked.id }, body: { [field]: items } };
  const exchange = await send(call);
  // The document doesn't define the effect of items that the payment doesn't ask for.
  if (exchange.status === 400 && surplus.length > 0) {
    const reason = `${list} of the payment names ${asked.join(', ')}, and the service refuses other items`;
    throw new NotReached(reason, `let the driver create a payment that asks for ${Object.keys(given).join(', ')}`);
  }
  const findings = judgeResponse(contract, exchange, findSuccess(operation).status);
  if (findings[0]?.at === 'status') return findings;
  const left = status === 'PAY_CONFIRMATION_NEEDED' ? await settled(() => judgeLeft(context, tracked, status)) : [];
  return [...findings, ...judgeIdentity(contract, tracked, exchange), ...left];
}

/** A confirmed payment has left the status in which it waited (source 3). */
async function judgeLeft(
  { contract, fixtures }: Context,
  tracked: TrackedTransaction,
  status: string,
): Promise<Finding[]> {
  const exchange = await fixtures.read(tracked);
  if (readString(exchange.body, 'status') !== status) return [];
  const { transitions } = contract.machines.payment;
  const index = transitions.findIndex(({ from, to }) => from === status && to === 'VERIFYING');
  const clause = contract.clause(toPointer('x-state-machines', 'payment', 'transitions', index));
  return [
    { at: 'body /status', expected: 'VERIFYING, as confirmPayment returned it', found: status, clause, exchange },
  ];
}

/** The requested items missing from the example, and the amount, which has to be one of this payment's offers. */
function lacking(items: Record<string, string>, { body }: RequestExample, field: string): Record<string, string> {
  const given = readMember(body, field);
  return Object.fromEntries(
    Object.entries(items).filter(([name]) => name === 'amount' || readMember(given, name) === undefined),
  );
}

/** The response is about the requested transaction. */
export function judgeIdentity(contract: Contract, tracked: TrackedTransaction, exchange: Exchange): Finding[] {
  const id = readString(exchange.body, 'transaction_id');
  const clause = contract.clause('/components/schemas/TransactionId');
  const isOpen = id === undefined && isOpenResponse(contract, exchange.call.operation);
  const wrong: Finding[] =
    id === tracked.id || isOpen
      ? []
      : [{ at: 'body /transaction_id', expected: tracked.id, found: formatValue(id), clause, exchange }];
  return [...wrong, ...judgeEcho(contract, tracked.kind, tracked.call.body, exchange)];
}

async function replayRead(context: Context, operation: Operation, example: RequestExample): Promise<Finding[]> {
  const { contract, fixtures, send } = context;
  if (Object.keys({ ...example.path, ...example.query }).length === 0) {
    return judgeResponse(contract, await send({ operation }), findSuccess(operation).status);
  }
  const tracked = await fixtures.reach(
    operationKind(operation) === 'payout'
      ? readEnd(contract, 'payout', shown(operation, example))
      : paymentLike(contract, operation, example),
  );
  const orderId = readOrderId(tracked);
  const actual = (name: string) => (name === 'merchant_order_id' ? orderId : tracked.id);
  const renamed = (values: Record<string, string>) =>
    Object.fromEntries(Object.keys(values).map((name) => [name, actual(name)]));
  return settled(async () => {
    const exchange = await send({ operation, path: renamed(example.path), query: renamed(example.query) });
    const findings = judgeResponse(contract, exchange, findSuccess(operation).status);
    if (findings[0]?.at === 'status') return findings;
    const found = readString(exchange.body, 'status');
    if (found !== readStatus(tracked)) {
      const expected = `${readStatus(tracked)}, as it was read before`;
      const clause = contract.clause(operation.pointer);
      findings.push({ at: 'body /status', expected, found: formatValue(found), clause, exchange });
    }
    return [...findings, ...judgeIdentity(contract, tracked, exchange)];
  });
}

/** The value that the example of a read shows. The transaction of this run is taken to the same state. */
function shown(operation: Operation, { name }: RequestExample): Json {
  const value = findSuccess(operation).body?.examples.find((example) => example.name === name)?.value;
  if (value === undefined) throw new Error(`${operation.id} has no response example named ${name}`);
  return value;
}

function paymentLike(contract: Contract, operation: Operation, example: RequestExample): PaymentGoal {
  const value = shown(operation, example);
  const creations = findSuccess(contract.operation(OPERATION_NAMES.payment.create)).body?.examples ?? [];
  const creation = creations.find(
    (one) => readMember(one.value, 'transaction_id') === readMember(value, 'transaction_id'),
  );
  const flow = readMember(creation?.value, 'redirect_url') === undefined ? 'h2h' : 'redirect';
  return { flow, ...readEnd(contract, 'payment', value) };
}

/** Ignores a reason outside the tables, which no service has to give. */
function readEnd(contract: Contract, kind: TransactionKind, value: Json): { until: string; reason?: string } {
  const reason = readString(value, 'decline_reason');
  const known = reason !== undefined && declineReasons(contract, kind).includes(reason);
  return { until: readString(value, 'status') ?? '', ...(known && { reason }) };
}
