// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

import type { Currency } from './types.ts';

/** Decimals of each currency's minor unit: an amount of 49900 is 499.00 where they are 2. */
export const minorUnits = {
  "INR": 2,
  "EGP": 2,
  "MAD": 2,
  "DZD": 2
} as const satisfies Record<Currency, number>;
