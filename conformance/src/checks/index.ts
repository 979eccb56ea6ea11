/** Every check, in the order in which they are reported. */

import type { Check } from '../core/check.ts';
import type { Level, Settings } from '../core/settings.ts';
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
