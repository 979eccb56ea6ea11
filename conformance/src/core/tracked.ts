/** A transaction of this run, and the operations of the contract that create, read and move it. */
import type { Json, JsonObject, Operation } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import { type Contract, findSuccess } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import type { CallbackAddress } from '../receiver/receiver.ts';
import { type Exchange, readMember, readString, type ServiceCall } from '../service/exchange.ts';

/** Names of the operations and of the parameter by which a kind of transaction is created and read. */
export const OPERATION_NAMES = {
  payment: { create: 'createPayment', read: 'getPayment', parameter: 'transaction_id' },
  payout: { create: 'createPayout', read: 'getPayout', parameter: 'payout_id' },
} as const;

export const KINDS = Object.keys(OPERATION_NAMES) as readonly TransactionKind[];

/** The kind of transaction that the operation creates, if it creates any. */
export function findCreatedKind({ id }: Operation): TransactionKind | undefined {
  return KINDS.find((kind) => OPERATION_NAMES[kind].create === id);
}

/** A transaction of this run. */
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

/** Reads the transaction. */
export function readCall(contract: Contract, { kind, id }: Pick<TrackedTransaction, 'kind' | 'id'>): ServiceCall {
  const { read, parameter } = OPERATION_NAMES[kind];
  return { operation: contract.operation(read), path: { [parameter]: id } };
}

/** Whether the response has the status of the operation's success. */
export function isSuccess(operation: Operation, exchange: Exchange): boolean {
  return String(exchange.status) === findSuccess(operation).status;
}
