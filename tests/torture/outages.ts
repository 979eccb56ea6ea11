/**
 * Outages: a gateway can't write for a while. Writes get a 503 with Retry-After, and the same gateway continues
 * afterwards.
 */
import { pause } from '../tools/wait.ts';
import { type Faults, type Scene, untilOrdered, untilRecovered } from './faults.ts';

/** Maximum time to notice the end of an outage. */
const BACK_WITHIN_MS = 10_000;

/**
 * Runs load before and after an outage. `begin` starts the round's outage, checks the gateway's behavior, and resolves
 * to a function that ends the outage.
 */
export function outage(
  loadMs: number,
  begin: (scene: Scene, round: number) => Promise<() => Promise<void>>,
): Faults['strike'] {
  return async (scene, round) => {
    await pause(loadMs);
    await untilOrdered(scene.shop);
    const end = await begin(scene, round);
    await end();
    await untilRecovered(scene, performance.now(), BACK_WITHIN_MS);
    await pause(loadMs);
  };
}
