/** The contract as the gateway uses it: the bundle's operations and problems. Nothing of it is written again in code. */
import { type Bundle, type Operation, operations, readBundle } from '../../../contract/src/model.ts';

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

let contract: Contract | undefined;

/** The contract, which is read once: tests of a merchant start many gateways in one process. */
export function readContract(): Contract {
  contract ??= deriveContract();
  return contract;
}

/** Reads the bundle and derives the problem registry from its problem examples. */
function deriveContract(): Contract {
  const bundle = readBundle();
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
