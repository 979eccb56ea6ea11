/** The contract as the checks need it: operations by id, compiled schemas, machines, and the clause of each rule. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  BUNDLE_FILE,
  type Bundle,
  type Json,
  type Operation,
  operations,
  type Response,
  readBundle,
  type StateMachine,
  webhooks,
} from '../../../contract/src/model.ts';
import { compile, type Mistake } from '../../../contract/src/schemas.ts';
import { type Clause, clauseAt, clauseOfKeyword } from './basis.ts';

export interface Contract {
  readonly bundle: Bundle;
  readonly operations: readonly Operation[];
  readonly webhooks: readonly Operation[];
  readonly machines: { readonly payment: StateMachine; readonly payout: StateMachine };
  operation(id: string): Operation;
  /** Everything in which the value breaks the schema, each with the clause of the broken keyword. */
  mistakes(schema: object, value: Json): (Mistake & { clause: Clause })[];
  clause(pointer: string): Clause;
}

/** Reads the bundle. Schemas are compiled when they are first used. */
export function loadContract(bundle: Bundle = readBundle()): Contract {
  const all = operations(bundle);
  const validator = compile(bundle);
  const { payment, payout } = bundle['x-state-machines'];
  if (!payment || !payout) throw new Error('the contract has no state machines for payments and payouts');
  return {
    bundle,
    operations: all,
    webhooks: webhooks(bundle),
    machines: { payment: withOwnStates(payment), payout: withOwnStates(payout) },
    operation(id) {
      const found = all.find((operation) => operation.id === id);
      if (!found) throw new Error(`the contract has no operation '${id}'`);
      return found;
    },
    mistakes: (schema, value) =>
      plain(validator(schema)(value)).map((mistake) => ({
        ...mistake,
        clause: clauseOfKeyword(bundle, mistake.schema, mistake.keyword),
      })),
    clause: (pointer) => clauseAt(bundle, pointer),
  };
}

/** The machine without `Object.prototype`: a service may report any status, even `constructor`. */
function withOwnStates(machine: StateMachine): StateMachine {
  return { ...machine, states: Object.assign(Object.create(null), machine.states) };
}

/**
 * An open enumeration is an `anyOf` of the known values and any string. A mistake in it also breaks the known values, which
 * is redundant.
 */
function plain(mistakes: readonly Mistake[]): Mistake[] {
  const open = new Set(mistakes.filter(({ keyword }) => keyword === 'anyOf').map(({ pointer }) => pointer));
  return mistakes.filter(({ pointer, keyword }) => !(open.has(pointer) && (keyword === 'anyOf' || keyword === 'enum')));
}

/** The documented response with this status. */
export function findResponse(operation: Operation, status: number | string): Response | undefined {
  return operation.responses.find((response) => response.status === String(status));
}

/** The documented successful response. */
export function findSuccess(operation: Operation): Response {
  const found = operation.responses.find(({ status }) => status.startsWith('2'));
  if (!found) throw new Error(`${operation.id} has no successful response`);
  return found;
}

/** `sha256:` and the hex digest of the bytes of openapi.json, as sha256sum prints it. */
export function contractDigest(): string {
  return computeDigest(readFileSync(BUNDLE_FILE));
}

/** The digest of a document's text. */
export function computeDigest(text: string | Buffer): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
