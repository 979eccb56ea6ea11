/** Every check, in the order in which they are reported, and the selection of the checks to run. */

import { UserError } from '../../../contract/src/cli.ts';
import type { Check } from '../core/check.ts';
import type { ConformanceOptions, Level, Settings } from '../core/settings.ts';
import type { Contract } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import { accessChecks } from './access.ts';
import { badInputChecks } from './bad-input.ts';
import { consistencyChecks } from './consistency.ts';
import { amountChecks, formChecks } from './customers/forms.ts';
import { lookupChecks } from './customers/lookups.ts';
import { raceChecks } from './customers/races.ts';
import { textChecks } from './customers/texts.ts';
import { walletChecks } from './customers/wallets.ts';
import { disturbanceChecks } from './disturbances.ts';
import { exampleChecks } from './examples.ts';
import { moneyChecks } from './money.ts';
import { ownChecks } from './own.ts';
import { repeatChecks } from './repeats.ts';
import { replayChecks } from './replay.ts';
import { wrongRequestChecks } from './requests.ts';
import { responseChecks } from './responses.ts';
import { stateChecks } from './states.ts';
import { walkChecks } from './walks.ts';
import { completenessChecks, transactionWebhookChecks } from './webhooks/completeness.ts';
import { deliveryChecks } from './webhooks/deliveries.ts';
import { webhookChecks } from './webhooks/index.ts';

export interface CheckPlan {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly driver: Driver;
}

/** The checks for the driver and the claimed levels. */
export function planChecks({ contract, settings, driver }: CheckPlan): Check[] {
  if (driver.followsPrefer) return exampleChecks(contract);
  const all = [
    ...webhookChecks(contract),
    ...transactionWebhookChecks(contract),
    ...replayChecks(contract),
    ...stateChecks(contract),
    ...accessChecks(contract),
    ...disturbanceChecks(contract),
    ...badInputChecks(contract, driver, settings),
    ...wrongRequestChecks(contract),
    ...amountChecks(contract),
    ...textChecks(contract, settings),
    ...formChecks(contract),
    ...lookupChecks(contract),
    ...raceChecks(contract, settings),
    ...repeatChecks(contract, settings),
    ...moneyChecks(contract),
    ...walkChecks(contract),
    ...walletChecks(contract),
    ...responseChecks(contract),
    ...consistencyChecks(contract),
    // After everything has been read again.
    ...deliveryChecks(contract),
    ...completenessChecks(contract),
    ...ownChecks(settings),
  ];
  const claims = (levels: readonly Level[]) =>
    levels.length === 0 || levels.some((level) => settings.levels.includes(level));
  return all.filter(({ partOf, needs = [] }) => claims(partOf) && claims(needs));
}

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
