/** Prism, and every mock that returns the example that the `Prefer` header names: nothing is created or moved. */
import type { Driver } from './driver.ts';
import { exampleItems } from './examples.ts';

export const prismDriver: Driver = {
  name: 'prism',
  followsPrefer: true,
  payment: () => undefined,
  payout: () => undefined,
  items: exampleItems,
};
