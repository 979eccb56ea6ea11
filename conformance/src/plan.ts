/** Which checks there are. */
import type { Check } from './check.ts';
import type { Contract } from './contract.ts';
import { exampleChecks } from './examples.ts';
import { replayChecks } from './replay.ts';
import type { Settings } from './settings.ts';

/** All checks in the order in which they run. */
export function planChecks(contract: Contract, settings: Settings): Check[] {
  const wanted = contract.operations.filter(({ id }) => settings.only === undefined || id === settings.only);
  return settings.mode === 'replay'
    ? replayChecks(contract, settings, wanted)
    : wanted.flatMap((operation) => exampleChecks(contract, settings, operation));
}
