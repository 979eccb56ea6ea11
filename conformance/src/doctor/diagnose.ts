/** Examines a service before a run: whether it can be tested, and which levels this setup can reach. */
import type { Level } from '../core/settings.ts';
import { loadContract } from '../document/contract.ts';
import type { ConformanceOptions } from '../run/options.ts';
import { toSettings } from '../run/options.ts';
import { openConnection, openReceiver } from '../run/verify.ts';
import { openJournal } from '../service/journal.ts';
import { takeDriverStep } from './driver-step.ts';
import type { Examination } from './examination.ts';
import { takeAccessSteps, takeAddressStep, takeTrafficSteps } from './service-steps.ts';
import type { Setup } from './setup.ts';
import { LEVEL_STEPS, takeTransactionSteps } from './transaction-steps.ts';

/** The claimed levels, and whether this setup can reach each of them. */
export type ReachableLevels = ReadonlyMap<Level, boolean>;

/** Takes every step. `driver` is null if it can't be loaded. Rejects with a UserError if the options are wrong. */
export async function diagnose(
  examination: Examination,
  { driver: chosen, ...options }: Omit<ConformanceOptions, 'driver'> & { driver: Setup['chosen'] },
): Promise<ReachableLevels> {
  const settings = toSettings(options);
  const journal = openJournal();
  const receiver = await openReceiver(options, journal);
  try {
    const setup: Setup = {
      ...{ contract: loadContract(), settings, chosen, journal, receiver, examination },
      ...{ connection: openConnection(options, settings, journal), probes: [], created: [], unsupported: new Set() },
    };
    await takeAddressStep(setup);
    await takeDriverStep(setup);
    await takeAccessSteps(setup);
    await takeTransactionSteps(setup);
    await takeTrafficSteps(setup);
    return new Map(settings.levels.map((level) => [level, isReachable(setup, level)]));
  } finally {
    await receiver.close();
  }
}

function isReachable({ examination, driver, created, unsupported }: Setup, level: Level): boolean {
  if (unsupported.has(level)) return false;
  if (driver?.followsPrefer) return examination.isOk('Service');
  const step = LEVEL_STEPS[level];
  // Repeats need a creation, of whatever kind.
  return step === undefined ? created.length > 0 : examination.isOk(step);
}
