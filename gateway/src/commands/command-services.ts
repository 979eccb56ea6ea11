/** The services of commands that do what the operators' API does, on a database whose gateways may be running elsewhere. */
import { UserError } from '../../../contract/src/cli.ts';
import type { AdministrationServices } from '../administration/administration-services.ts';
import { systemClock } from '../platform/clock.ts';
import { randomIds } from '../platform/ids.ts';
import { type KeyRing, NO_KEYS } from '../platform/key-ring.ts';
import { storeTime } from '../platform/merchant-time.ts';
import type { Store } from '../store/engine/store.ts';
import { ProblemError } from '../wire/problems.ts';

/** Runs work whose problems are those of the user. */
export async function explainProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProblemError ? new UserError(error.message) : error;
  }
}

export function commandServices(store: Store, secretKeys: KeyRing = NO_KEYS): AdministrationServices {
  return {
    ...{ store, secretKeys, clock: systemClock, time: storeTime(systemClock), ids: randomIds },
    // The gateways look for what waits, and read the secrets again, within a second.
    wake: () => undefined,
    deliveries: { forgetKeys: () => undefined },
  };
}
