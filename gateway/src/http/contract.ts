/** The contract's operations and problems as used by the gateway. */
import { type Bundle, type Operation, operations } from '../../../contract/src/model.ts';
import { readDocumentFile } from './gateway-apis.ts';

export interface ProblemKind {
  readonly type: string;
  readonly title: string;
  readonly status: number;
}

export interface WireContract {
  readonly bundle: Bundle;
  readonly operations: readonly Operation[];
  /** The kinds of problems by the last part of their type, such as `validation-failed`. */
  readonly problems: ReadonlyMap<string, ProblemKind>;
}

export function readContract(): WireContract {
  return readWireContract(readDocumentFile('contract'));
}

const DERIVED = new WeakMap<Bundle, WireContract>();

/**
 * Derives the problem registry from the bundle's problem examples, once. With `reference`, problem types lead there instead
 * of to the contract's own reference.
 */
export function readWireContract(bundle: Bundle, reference?: () => string): WireContract {
  const contract = DERIVED.get(bundle) ?? deriveContract(bundle);
  DERIVED.set(bundle, contract);
  if (!reference) return contract;
  const moved = [...contract.problems].map(([name, kind]) => [name, relocateProblem(reference, kind)] as const);
  return { ...contract, problems: new Map(moved) };
}

function deriveContract(bundle: Bundle): WireContract {
  const all = operations(bundle);
  const kinds = all
    .flatMap((operation) => operation.responses)
    .filter((response) => response.body?.mediaType === 'application/problem+json')
    .flatMap((response) => response.body?.examples ?? [])
    .map(({ value }) => value as unknown as ProblemKind);
  const problems = new Map(kinds.map(({ type, title, status }) => [slug(type), { type, title, status }]));
  return { bundle, operations: all, problems };
}

/** A type of problem at the reference with this base URL. */
export function relocateType(reference: string, type: string): string {
  return [reference, ...type.split('/').slice(-2)].join('/');
}

/** The same kind at another reference, whose address may be known only later. */
function relocateProblem(reference: () => string, { type, title, status }: ProblemKind): ProblemKind {
  return {
    get type() {
      return relocateType(reference(), type);
    },
    title,
    status,
  };
}

/** The first documented success status of an operation. */
export function successStatus(operation: Operation): number {
  return Number(operation.responses.find(({ status }) => status.startsWith('2'))?.status ?? 200);
}

function slug(type: string): string {
  return type.slice(type.lastIndexOf('/') + 1);
}
