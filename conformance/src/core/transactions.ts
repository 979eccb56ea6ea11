/** Transactions of a run, and the parts of the contract about them: operations, fields, decline reasons, events. */
import {
  componentName,
  type Json,
  type JsonObject,
  type Operation,
  openEnum,
  readMember,
  requestExamples,
  type Schema,
} from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import { type Clause, type Contract, clauseAt, findSuccess } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import type { CallbackAddress, Receiver } from '../receiver/receiver.ts';
import { type Exchange, type ReplyToStatus, readString, type ServiceCall } from '../service/exchange.ts';
import { type Finding, formatValue, NotReached } from './finding.ts';

/** Names of the operations and of the parameter by which a kind of transaction is created and read. */
export const OPERATION_NAMES = {
  payment: { create: 'createPayment', read: 'getPayment', parameter: 'transaction_id' },
  payout: { create: 'createPayout', read: 'getPayout', parameter: 'payout_id' },
} as const;

export const KINDS = Object.keys(OPERATION_NAMES) as readonly TransactionKind[];

export function findCreatedKind({ id }: Operation): TransactionKind | undefined {
  return KINDS.find((kind) => OPERATION_NAMES[kind].create === id);
}

export interface TrackedTransaction {
  readonly kind: TransactionKind;
  readonly id: string;
  /** The creation's call, for repeating it. */
  readonly call: ServiceCall;
  readonly creation: Exchange;
  readonly endpoint: CallbackAddress;
  /** Responses of the status endpoint, in order. */
  readonly reads: Exchange[];
  /** Responses to clarify and confirm, in order. */
  readonly actions: Exchange[];
  /** Number of times that a customer paid on the payment page. */
  pagesPaid: number;
}

/** The last that the service said about a transaction. */
export function lastSeen({ creation, reads }: TrackedTransaction): Json | undefined {
  return (reads.at(-1) ?? creation).body;
}

export function readStatus(tracked: TrackedTransaction): string {
  return readString(lastSeen(tracked), 'status') ?? '';
}

/** Adds the kit's order ID and callback URL to a driver's body. */
export function creationBody(body: JsonObject, orderId: string, callbackUrl: string): JsonObject {
  return { ...body, merchant_order_id: orderId, callback_url: callbackUrl };
}

/** The operation's first example as a call. A creation has a new order ID and callback address. */
export function exampleCall(
  operation: Operation,
  { orderId, receiver }: { readonly orderId: () => string; readonly receiver: Receiver },
): ServiceCall {
  const { path = {}, query = {}, body } = requestExamples(operation)[0] ?? {};
  if (body === undefined) return { operation, path, query };
  const isCreation = findCreatedKind(operation) !== undefined;
  const own = isCreation ? creationBody(body as JsonObject, orderId(), receiver.endpoint().url) : body;
  return { operation, path, query, body: own };
}

export function readOrderId({ call }: Pick<TrackedTransaction, 'call'>): string {
  return String(readMember(call.body, 'merchant_order_id'));
}

const ACTIONS = {
  EXTRA_DATA_NEEDED: { operation: 'clarifyPayment', list: 'clarify', field: 'clarify_data' },
  PAY_CONFIRMATION_NEEDED: { operation: 'confirmPayment', list: 'confirm', field: 'confirm_data' },
} as const;

/** The operation that moves a payment on from the status, with its fields. */
export function findAction(status: string): (typeof ACTIONS)[keyof typeof ACTIONS] | undefined {
  return ACTIONS[status as keyof typeof ACTIONS];
}

/** Every action, by the status in which it is legal. */
export function actions(): readonly [string, (typeof ACTIONS)[keyof typeof ACTIONS]][] {
  return Object.entries(ACTIONS);
}

/** The status with the requested items, as a key. */
export function toRequestedKey(tracked: TrackedTransaction): string {
  const list = findAction(readStatus(tracked))?.list ?? '';
  return `${readStatus(tracked)} ${JSON.stringify(readMember(lastSeen(tracked), list))}`;
}

/** The items that the transaction asks for in its status; none if it asks for none. */
export function askedItems(tracked: TrackedTransaction): string[] {
  const named = readMember(lastSeen(tracked), findAction(readStatus(tracked))?.list ?? '');
  return Array.isArray(named) ? named.map(String) : [];
}

/** The body of the action that the transaction waits for, with the driver's values; undefined if it waits for none. */
export function actionBody(driver: Driver, tracked: TrackedTransaction): JsonObject | undefined {
  const action = findAction(readStatus(tracked));
  return action && { [action.field]: driver.items(askedItems(tracked), lastSeen(tracked) ?? null) };
}

export function readCall(contract: Contract, { kind, id }: Pick<TrackedTransaction, 'kind' | 'id'>): ServiceCall {
  const { read, parameter } = OPERATION_NAMES[kind];
  return { operation: contract.operation(read), path: { [parameter]: id } };
}

/** Whether the response has the status of the operation's success. */
export function isSuccess(operation: Operation, exchange: Exchange): boolean {
  return String(exchange.status) === findSuccess(operation).status;
}

/** Fields of a creation that a transaction repeats, and the names under which it shows them. */
const ECHOED: Readonly<Record<string, readonly string[]>> = {
  merchant_order_id: ['merchant_order_id'],
  amount: ['amount'],
  currency: ['currency'],
  payment_method_type: ['payment_method_type', 'payment_method'],
};

/** Schemas that hold the fields, for the clauses. */
const SCHEMAS = { payment: 'PaymentSucceeded', payout: 'PayoutSucceeded' } as const;

/** Finds fields of the response that differ from the creation. */
export function judgeEcho(
  contract: Contract,
  kind: TransactionKind,
  sent: Json | undefined,
  exchange: Exchange,
): Finding[] {
  return Object.entries(ECHOED).flatMap(([name, fields]) =>
    fields.flatMap((field): Finding[] => {
      const wanted = readMember(sent, name);
      const found = readMember(exchange.body, field);
      if (wanted === undefined || found === undefined || found === wanted) return [];
      const expected = `${formatValue(wanted)}, as it was sent to ${OPERATION_NAMES[kind].create}`;
      const clause = fieldClause(contract, kind, field);
      return [{ at: `body /${field}`, expected, found: formatValue(found), clause, exchange }];
    }),
  );
}

export function fieldClause(contract: Contract, kind: TransactionKind, field: string) {
  const properties = contract.bundle.components.schemas[SCHEMAS[kind]]?.properties ?? {};
  const at = `/components/schemas/${SCHEMAS[kind]}`;
  return clauseAt(contract.bundle, field in properties ? `${at}/properties/${field}` : at);
}

/** Statuses with which a creation can respond, by the state machine, tolerated ones too. */
export function firstStatuses(contract: Contract, kind: TransactionKind): string[] {
  return contract.machines[kind].transitions.filter(({ from }) => from === null).map(({ to }) => to);
}

const REASONS = { payment: 'PaymentDeclineReason', payout: 'PayoutDeclineReason' } as const;

/** The codes of the decline table of a kind (source 7.1 and 7.2). */
export function declineReasons({ bundle }: Contract, kind: TransactionKind): string[] {
  const schema = bundle.components.schemas[REASONS[kind]];
  return ((schema && openEnum(schema)?.known) ?? []).map(String);
}

/** The codes that examples carry although the tables don't list them (source 7.3). */
export function unlistedReasons(contract: Contract, kind: TransactionKind): string[] {
  const listed = declineReasons(contract, kind);
  const shown = contract.operation(OPERATION_NAMES[kind].read).responses.flatMap(({ body }) => body?.examples ?? []);
  const reasons = shown.flatMap(({ value }) => readString(value, 'decline_reason') ?? []);
  return [...new Set(reasons)].filter((reason) => !listed.includes(reason));
}

/** Fields that the contract names for payments in any status. */
export function knownFields({ bundle }: Contract): object {
  const { schemas } = bundle.components;
  const names = [
    ...Object.values(schemas['Payment']?.discriminator?.mapping ?? {}),
    ...Object.values(schemas['Payout']?.discriminator?.mapping ?? {}),
  ];
  const properties = names.map((ref) => schemas[ref.slice(ref.lastIndexOf('/') + 1)]?.properties ?? {});
  return Object.assign({}, ...properties);
}

/** An event of the contract: the kind of transaction that it is for, and the status in its body. */
export interface ReportedStatus {
  readonly operation: Operation;
  readonly kind: TransactionKind;
  readonly status: string;
  readonly schema: Schema;
}

const known = new WeakMap<Contract, readonly ReportedStatus[]>();

/** The events of a contract, read from it once. */
export function listEvents(contract: Contract): readonly ReportedStatus[] {
  const events = known.get(contract) ?? contract.webhooks.map((operation) => readEvent(contract, operation));
  known.set(contract, events);
  return events;
}

export function findEvent(
  contract: Contract,
  kind: TransactionKind,
  status: string | undefined,
): ReportedStatus | undefined {
  return listEvents(contract).find((event) => event.kind === kind && event.status === status);
}

/** The kind of the creation that declares the webhook as a callback. */
function readEvent({ bundle, operations }: Contract, operation: Operation): ReportedStatus {
  const creation = operations.find(({ callbacks }) => callbacks.includes(operation.id));
  const kind = creation && findCreatedKind(creation);
  if (!kind) throw new Error(`${operation.id} is not a callback of an operation that creates a transaction`);
  const schema = operation.request?.schema;
  const status = bundle.components.schemas[componentName(schema?.$ref ?? '')]?.properties?.['status']?.const;
  if (!schema || typeof status !== 'string') throw new Error(`${operation.id} has no schema with a status`);
  return { operation, kind, status, schema };
}

/** Particulars of a creation that a check chooses itself. */
export interface CreationOptions {
  /** The receiver's reply to one of the webhooks. */
  readonly refusal?: ReplyToStatus;
  /** Defaults to a new order ID. */
  readonly order?: string;
  /** Query of the callback address, with its question mark. */
  readonly callbackQuery?: string;
  /** Leaves the amount out of the run's budget, because the transaction is never paid. */
  readonly unpaid?: boolean;
}

/** The service refused a creation. A 5xx violates the contract, whatever the request was. */
export class CreationRefused extends NotReached {
  readonly creation: Exchange;
  constructor(creation: Exchange, found: string, clause: Clause) {
    const { operation } = creation.call;
    const expected = findSuccess(operation).status;
    const findings = creation.status >= 500 ? [{ at: 'status', expected, found, clause, exchange: creation }] : [];
    super(`${operation.id} returned ${found}`, `correct what replay/${operation.id} reports`, undefined, findings);
    this.creation = creation;
  }
}

export class InsufficientFunds extends NotReached {}
