/**
 * Outages: for a while a gateway cannot write. In between, what would write gets a 503 that says when to come again;
 * afterwards the same gateway continues.
 */
import { pause } from '../tools/wait.ts';
import { type Faults, type Scene, untilOrdered, untilRecovered } from './faults.ts';

/** The end of an outage is noticed within this. */
const BACK_WITHIN_MS = 10_000;

/**
 * An outage after so much load, and before as much again. `begin` begins the outage of the round and looks at how the
 * gateway takes it. It resolves to what ends it.
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
