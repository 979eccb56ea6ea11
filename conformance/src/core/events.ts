/** The contract's events: the kind of transaction that each one is for, and the status in its body. */

import { componentName, type Operation, type Schema } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Contract } from '../document/contract.ts';
import { findCreatedKind } from './tracked.ts';

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

/** The event that the contract declares for a status of a kind. */
export function findEvent(
  contract: Contract,
  kind: TransactionKind,
  status: string | undefined,
): ReportedStatus | undefined {
  return listEvents(contract).find((event) => event.kind === kind && event.status === status);
}

/** The creation that declares the webhook as a callback says which kind it is for. */
function readEvent({ bundle, operations }: Contract, operation: Operation): ReportedStatus {
  const creation = operations.find(({ callbacks }) => callbacks.includes(operation.id));
  const kind = creation && findCreatedKind(creation);
  if (!kind) throw new Error(`${operation.id} is not a callback of an operation that creates a transaction`);
  const schema = operation.request?.schema;
  const status = bundle.components.schemas[componentName(schema?.$ref ?? '')]?.properties?.['status']?.const;
  if (!schema || typeof status !== 'string') throw new Error(`${operation.id} has no schema with a status`);
  return { operation, kind, status, schema };
}
