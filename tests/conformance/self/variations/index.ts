/** Every sound variation: what a service that follows the source may do differently. */
import type { Variation } from '../trial.ts';

export const VARIATIONS: readonly Variation[] = [
  { id: 'sound/as-it-is', title: 'the gateway itself', alter: () => ({}) },
];
