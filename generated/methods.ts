// Made from openapi/ by `npm run build`.
// Do not edit: change the contract and run it again.

import type { PaymentMethodType, PayoutMethodType } from './types.ts';

/** Known values of PaymentMethodType. A service can have others. */
export const paymentMethods = ["UPI_IN"] as const satisfies readonly PaymentMethodType[];

/** Names of these values, in English. */
export const paymentMethodNames = {
  "UPI_IN": "UPI in India"
} as const satisfies Record<(typeof paymentMethods)[number], string>;

/** Known values of PayoutMethodType. A service can have others. */
export const payoutMethods = ["IMPS_IN"] as const satisfies readonly PayoutMethodType[];

/** Names of these values, in English. */
export const payoutMethodNames = {
  "IMPS_IN": "IMPS bank transfer in India"
} as const satisfies Record<(typeof payoutMethods)[number], string>;
