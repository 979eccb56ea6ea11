/** The contract's kinds of problems. */
import { readContract } from '../../gateway/src/http/contract.ts';

const { problems } = readContract();

/** The `type` of a problem by its name, such as `not-found`. */
export function problemType(name: string): string {
  const kind = problems.get(name);
  if (!kind) throw new Error(`the contract has no problem ${name}`);
  return kind.type;
}
