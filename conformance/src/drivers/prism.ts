/** Prism and other mocks that return the example named by `Prefer`, without state. */
import type { Driver } from './driver.ts';
import { exampleItems } from './examples.ts';

export const prismDriver: Driver = {
  name: 'prism',
  followsPrefer: true,
  payment: () => undefined,
  payout: () => undefined,
  items: exampleItems,
};
