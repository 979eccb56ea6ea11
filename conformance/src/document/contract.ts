/** The contract for the checks: operations by id, compiled schemas, state machines, and the clause of each rule. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  atPointer,
  BUNDLE_FILE,
  type Bundle,
  type Json,
  type Operation,
  operations,
  type Response,
  readBundle,
  type StateMachine,
  successes,
  webhooks,
} from '../../../contract/src/model.ts';
import { parsePointer, toPointer } from '../../../contract/src/pointer.ts';
import { compile, type Mistake } from '../../../contract/src/schemas.ts';

export interface Contract {
  readonly bundle: Bundle;
  readonly operations: readonly Operation[];
  readonly webhooks: readonly Operation[];
  readonly machines: { readonly payment: StateMachine; readonly payout: StateMachine };
  operation(id: string): Operation;
  /** Everything in which the value breaks the schema, each with the clause of the broken keyword. */
  mistakes(schema: object, value: Json): (Mistake & { clause: Clause })[];
  clause(pointer: string): Clause;
  /** The clause of an assumption. Throws for an unknown one. */
  assumption(id: string): Clause;
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
    assumption: (id) => assumption(bundle, id),
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

export function findSuccess(operation: Operation): Response {
  const [found] = successes(operation);
  if (!found) throw new Error(`${operation.id} has no successful response`);
  return found;
}

/** `sha256:` and the hex digest of the bytes of openapi.json, as sha256sum prints it. */
export function contractDigest(): string {
  return computeDigest(readFileSync(BUNDLE_FILE));
}

export function computeDigest(text: string | Buffer): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * The basis of a statement of the contract, as the document marks it: `x-source` names a section of the source, and
 * `x-assumption` a choice where the source is silent. A service that follows only the source can't violate a choice.
 */

export type Basis = 'specified' | 'assumed';

/** A place in the contract with its basis. */
export interface Clause {
  /** JSON pointer into the bundle. */
  readonly pointer: string;
  readonly basis: Basis;
  /** `source 4.1`, or `assumption order-id`. */
  readonly rests: string;
  /** Text of a clause outside of the document, such as a user's check. */
  readonly text?: string;
}

interface Marks {
  readonly 'x-source'?: string | string[];
  readonly 'x-assumption'?: string | string[];
  readonly 'x-specified'?: string | string[];
}

/** Keywords that describe a value. They inherit the basis of their place. Other keywords narrow, and name their reason. */
const SHAPE = new Set(['type', 'const', 'items', 'properties', '$ref', 'discriminator']);

/** The clause of a response, parameter or operation: the nearest mark at or above the place. */
export function clauseAt(bundle: Bundle, pointer: string): Clause {
  for (const { node, at } of tracePath(bundle, pointer).reverse()) {
    const { 'x-source': sections, 'x-assumption': ids } = node as Marks;
    if (sections !== undefined) return { pointer: at, basis: 'specified', rests: formatSource(sections) };
    if (ids !== undefined) return { pointer: at, basis: 'assumed', rests: formatAssumption(ids) };
  }
  return { pointer, basis: 'assumed', rests: 'no statement of the source' };
}

/** The clause of one keyword of a schema. `pointer` leads to the schema. */
export function clauseOfKeyword(bundle: Bundle, pointer: string, keyword: string): Clause {
  const at = `${pointer}/${keyword}`;
  const marks = tracePath(bundle, pointer)
    .map(({ node }) => node as Marks)
    .reverse();
  const source = marks.find((node) => node['x-source'] !== undefined)?.['x-source'];
  const nearest = marks.find((node) => node['x-source'] !== undefined || node['x-assumption'] !== undefined);
  if (SHAPE.has(keyword)) {
    // In an assumed object, such as a problem, the shape of the members is assumed too.
    const ids = nearest?.['x-assumption'];
    if (nearest?.['x-source'] === undefined && ids !== undefined) {
      return { pointer: at, basis: 'assumed', rests: formatAssumption(ids) };
    }
    return { pointer: at, basis: 'specified', rests: formatSource(source ?? '2') };
  }
  for (const node of marks) {
    if (toList(node['x-specified']).includes(keyword)) {
      return { pointer: at, basis: 'specified', rests: formatSource(node['x-source'] ?? source ?? '') };
    }
    const ids = toList(node['x-assumption']);
    const narrowing = ids.find((id) => narrows(bundle, id, keyword));
    if (narrowing !== undefined) return { pointer: at, basis: 'assumed', rests: formatAssumption(narrowing) };
  }
  return { ...clauseAt(bundle, pointer), pointer: at };
}

function assumption(bundle: Bundle, id: string): Clause {
  const index = bundle['x-assumptions'].findIndex((entry) => entry.id === id);
  if (index < 0) throw new Error(`the contract has no assumption '${id}'`);
  return { pointer: `/x-assumptions/${index}`, basis: 'assumed', rests: formatAssumption(id) };
}

/** A clause that the source states in prose, at the place where the contract says it. */
export function specified(section: string, pointer: string): Clause {
  return { pointer, basis: 'specified', rests: formatSource(section) };
}

function formatSource(sections: string | string[]): string {
  return `source ${toList(sections).join(', ')}`;
}

function formatAssumption(ids: string | string[]): string {
  return `assumption ${toList(ids).join(', ')}`;
}

function narrows(bundle: Bundle, id: string, keyword: string): boolean {
  const entry = bundle['x-assumptions'].find((one) => one.id === id);
  return toList((entry as { narrows?: string[] } | undefined)?.narrows).includes(keyword);
}

/** Every object along the pointer, with its own pointer. Follows references. */
function tracePath(bundle: Bundle, pointer: string): { node: object; at: string }[] {
  const found: { node: object; at: string }[] = [];
  let node: unknown = bundle;
  let at = '';
  const follow = (): void => {
    while (typeof node === 'object' && node !== null) {
      found.push({ node, at });
      if (!('$ref' in node)) return;
      at = String(node.$ref).slice(1);
      node = atPointer(bundle, at);
    }
  };
  follow();
  for (const token of parsePointer(pointer)) {
    node = (node as Record<string, unknown> | undefined)?.[token];
    at += toPointer(token);
    follow();
  }
  return found;
}

function toList<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}
