/** Every check, in the order in which they are reported. */
import type { Contract } from '../contract/contract.ts';
import type { Check } from '../core/check.ts';
import type { Settings } from '../core/settings.ts';
import type { Driver } from '../drivers/driver.ts';
import { badInputChecks } from './bad-input.ts';
import { replayChecks } from './replay.ts';
import { wrongRequestChecks } from './requests.ts';

export interface Plan {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly driver: Driver;
}

/** The checks for a service that keeps state, without those of levels that it doesn't claim. */
export function planChecks({ contract, settings, driver }: Plan): Check[] {
  const all = [...replayChecks(contract), ...badInputChecks(contract, driver), ...wrongRequestChecks(contract)];
  return all.filter(({ partOf }) => partOf.length === 0 || partOf.some((level) => settings.levels.includes(level)));
}
