/**
 * Outages: a gateway can't write for a while. Writes get a 503 with Retry-After, and the same gateway continues
 * afterwards.
 */
import { pause } from '../tools/wait.ts';
import { type FaultContext, type Faults, untilOrdered, untilRecovered } from './faults.ts';

/** Maximum time to notice the end of an outage. */
const BACK_WITHIN_MS = 10_000;

/**
 * Runs load before and after an outage. `begin` starts the round's outage, checks the gateway's behavior, and resolves
 * to a function that ends the outage.
 */
export function outage(
  loadMs: number,
  begin: (context: FaultContext, round: number) => Promise<() => Promise<void>>,
): Faults['strike'] {
  return async (context, round) => {
    await pause(loadMs);
    await untilOrdered(context.shop);
    const end = await begin(context, round);
    await end();
    await untilRecovered(context, performance.now(), BACK_WITHIN_MS);
    await pause(loadMs);
  };
}
