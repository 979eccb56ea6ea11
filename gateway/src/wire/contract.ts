/** The contract as the gateway uses it: the bundle's operations and problems. Nothing of it is written again in code. */
import { type Bundle, type Operation, operations } from '../../../contract/src/model.ts';
import { readDocumentFile } from './gateway-apis.ts';

export interface ProblemKind {
  readonly type: string;
  readonly title: string;
  readonly status: number;
}

export interface Contract {
  readonly bundle: Bundle;
  readonly operations: readonly Operation[];
  /** The kinds of problems by the last part of their type, such as `validation-failed`. */
  readonly problems: ReadonlyMap<string, ProblemKind>;
}

/** Reads the contract from its file. */
export function readContract(): Contract {
  return contractOf(readDocumentFile('contract'));
}

const DERIVED = new WeakMap<Bundle, Contract>();

/** Derives the problem registry from the bundle's problem examples, once. */
export function contractOf(bundle: Bundle): Contract {
  const contract = DERIVED.get(bundle) ?? deriveContract(bundle);
  DERIVED.set(bundle, contract);
  return contract;
}

function deriveContract(bundle: Bundle): Contract {
  const all = operations(bundle);
  const kinds = all
    .flatMap((operation) => operation.responses)
    .filter((response) => response.body?.mediaType === 'application/problem+json')
    .flatMap((response) => response.body?.examples ?? [])
    .map(({ value }) => value as unknown as ProblemKind);
  const problems = new Map(kinds.map(({ type, title, status }) => [slug(type), { type, title, status }]));
  return { bundle, operations: all, problems };
}

/** The first documented success status of an operation. */
export function successStatus(operation: Operation): number {
  return Number(operation.responses.find(({ status }) => status.startsWith('2'))?.status ?? 200);
}

function slug(type: string): string {
  return type.slice(type.lastIndexOf('/') + 1);
}
