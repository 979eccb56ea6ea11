/** Limits of the rules of both kinds of faults. */
import { ProblemError } from '../../http/problems.ts';

/** Active rules of one kind that a merchant can have. */
export const RULES_MAX = 50;

/** Throws if there are as many rules as there can be. */
export function requireRoom(rules: number, path: string): void {
  if (rules < RULES_MAX) return;
  throw new ProblemError(
    'wrong-state',
    `${RULES_MAX} rules are active, which is the most. Remove some: DELETE ${path}.`,
  );
}
