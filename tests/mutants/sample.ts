/** A plugin of Stryker that skips the mutants outside the sample. Selecting them by line would select nested ones too. */
import { createHash } from 'node:crypto';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';

export interface Sample {
  readonly size: number;
  readonly seed: number;
}

/** The same mutants in every run with the seed, whatever their order. */
export function selectSample<M extends Mutant>(mutants: readonly M[], { size, seed }: Sample): M[] {
  const rank = ({ fileName, location: { start, end }, replacement }: Mutant) =>
    createHash('sha256')
      .update(JSON.stringify([seed, fileName.slice(process.cwd().length), start, end, replacement]))
      .digest('hex');
  const ranked = mutants.map((mutant) => ({ mutant, rank: rank(mutant) }));
  return ranked
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

function createChecker(options: StrykerOptions): Checker {
  return {
    init: async () => undefined,
    // One group, from which the sample is selected.
    group: async (mutants) => [mutants.map(({ id }) => id)],
    async check(mutants) {
      const selected = new Set(selectSample(mutants, options['sample'] as Sample));
      const result = (mutant: Mutant): CheckResult =>
        selected.has(mutant)
          ? { status: CheckStatus.Passed }
          : { status: CheckStatus.CompileError, reason: 'not in the sample' };
      return Object.fromEntries(mutants.map((mutant) => [mutant.id, result(mutant)]));
    },
  };
}
createChecker.inject = tokens(commonTokens.options);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, 'sample', createChecker)];
