// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

import type { Currency } from './types.ts';

/** Every currency. */
export const currencies = ["INR","EGP","MAD","DZD"] as const satisfies readonly Currency[];

/** Name of each currency, in English. */
export const currencyNames = {
  "INR": "Indian rupee",
  "EGP": "Egyptian pound",
  "MAD": "Moroccan dirham",
  "DZD": "Algerian dinar"
} as const satisfies Record<Currency, string>;

/** Decimals of each currency's minor unit: an amount of 49900 is 499.00 where they are 2. */
export const minorUnits = {
  "INR": 2,
  "EGP": 2,
  "MAD": 2,
  "DZD": 2
} as const satisfies Record<Currency, number>;
