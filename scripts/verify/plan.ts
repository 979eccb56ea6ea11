/** Which checks there are, and running them in this process. */
import { type Check, type Result, runCheck } from './check.ts';
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

/** Runs all checks one after the other. */
export async function runChecks(contract: Contract, settings: Settings): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of planChecks(contract, settings)) results.push(await runCheck(check));
  return results;
}
