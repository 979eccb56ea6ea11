/** Selects the checks to run, by id, the beginning of an id, operation, tag of the document, or level. */
import { UserError } from '../../../contract/src/cli.ts';
import type { Check } from '../core/check.ts';
import type { ConformanceOptions } from '../core/settings.ts';
import type { Contract } from '../document/contract.ts';

export type CheckSelection = Pick<ConformanceOptions, 'only' | 'skip'>;
type Named = Pick<Check, 'id' | 'operation' | 'levels' | 'partOf'>;

/** The checks that the options select. Throws a UserError for a word that selects none. */
export function selectChecks<T extends Named>(
  contract: Contract,
  checks: readonly T[],
  { only, skip = [] }: CheckSelection,
): T[] {
  const named = (check: T, word: string) => isNamed(contract, check, word);
  for (const word of [...(only ?? []), ...skip]) {
    if (checks.some((check) => named(check, word))) continue;
    throw new UserError(
      `'${word}' selects no check. Use an id, the beginning of an id, an operation, a tag or a level; see --list.`,
      2,
    );
  }
  return checks.filter(
    (check) => (only?.some((word) => named(check, word)) ?? true) && !skip.some((word) => named(check, word)),
  );
}

function isNamed(contract: Contract, check: Named, word: string): boolean {
  const { id, operation } = check;
  return (
    id === word ||
    id.startsWith(word.endsWith('/') ? word : `${word}/`) ||
    operation === word ||
    [...check.levels, ...check.partOf].includes(word as never) ||
    listTags(contract, check).includes(word.toLowerCase())
  );
}

/** The tags of the operation under test, in lower case. */
function listTags({ operations }: Contract, { operation }: Named): string[] {
  return (operations.find(({ id }) => id === operation)?.tags ?? []).map((tag) => tag.toLowerCase());
}
