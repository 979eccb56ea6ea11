/** State that the checks of a run share. */
import type { NotReached } from './finding.ts';
import { LearnedTimeouts } from './learned-timeouts.ts';
import type { Settings } from './settings.ts';
import type { TrackedTransaction } from './tracked.ts';

export interface SharedFixtures {
  readonly made: Map<string, Promise<TrackedTransaction>>;
  /** The reasons why goals were not reached, one for each attempt. */
  readonly failures: Map<string, NotReached[]>;
  /** Transactions in progress, which can still move wallets. */
  readonly driving: Set<Promise<unknown>>;
  /** Ids of transactions that later phases don't wait for: at their goal, or timed out. */
  readonly parked: Set<string>;
  readonly timeouts: LearnedTimeouts;
}

export function sharedFixtures({ timeoutMs }: Settings): SharedFixtures {
  return {
    made: new Map(),
    failures: new Map(),
    driving: new Set(),
    parked: new Set(),
    timeouts: new LearnedTimeouts(timeoutMs),
  };
}
