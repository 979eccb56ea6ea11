/** A plugin of Stryker that skips the mutants outside the sample. Selecting them by line would select nested ones too. */
import { createHash } from 'node:crypto';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';

/** The status reason of the mutants outside of the sample. */
export const OUTSIDE = 'outside of the sample';

export interface Sample {
  readonly size: number;
  readonly seed: number;
}

/** Ids are the same in each run, until the code changes. */
export function selectSample<M extends Mutant>(mutants: readonly M[], { size, seed }: Sample): M[] {
  const rank = ({ id }: Mutant) => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return mutants.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, size);
}

function createChecker(options: StrykerOptions): Checker {
  return {
    init: async () => undefined,
    // One group, from which the sample is selected.
    group: async (mutants) => [mutants.map(({ id }) => id)],
    async check(mutants) {
      const selected = new Set(selectSample(mutants, options['sample'] as Sample));
      const result = (mutant: Mutant): CheckResult =>
        selected.has(mutant) ? { status: CheckStatus.Passed } : { status: CheckStatus.CompileError, reason: OUTSIDE };
      return Object.fromEntries(mutants.map((mutant) => [mutant.id, result(mutant)]));
    },
  };
}
createChecker.inject = tokens(commonTokens.options);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, 'sample', createChecker)];
