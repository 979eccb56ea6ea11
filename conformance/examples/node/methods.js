/** Payment and payout methods, and the time that their steps take, in milliseconds. */

const MINUTE = 60_000;

/**
 * `asks` lists the customer data of an H2H payment, in the groups in which it is asked for. With `settlesAtOnce`, a
 * payment skips VERIFYING.
 */
export const PAYMENT_METHODS = {
  __proto__: null,
  UPI_IN: { currency: 'INR', flows: ['h2h', 'redirect'], validFor: 15 * MINUTE, asks: [['name', 'phone'], ['email']] },
  WALLET_EG: { currency: 'EGP', flows: ['redirect'], validFor: 30 * MINUTE },
  WALLET_MA: { currency: 'MAD', flows: ['redirect'], validFor: 30 * MINUTE, settlesAtOnce: true },
  WALLET_DZ: { currency: 'DZD', flows: ['redirect'], validFor: 30 * MINUTE },
};

/** `account` lists the fields without which there is nowhere to send the money. */
export const PAYOUT_METHODS = {
  __proto__: null,
  IMPS_IN: { currency: 'INR', account: ['account_number', 'bank_code'] },
  WALLET_EG: { currency: 'EGP', account: ['account_number'] },
  WALLET_MA: { currency: 'MAD', account: ['account_number'] },
  WALLET_DZ: { currency: 'DZD', account: ['account_number'] },
};

/** Largest amount of one transaction. It keeps the sums of a wallet exact. */
export const MAX_AMOUNT = 1_000_000_000_000;

/** Time that a channel takes for one step of a transaction. */
export const CHANNEL_MS = 200;
export const PAYOUT_MS = 700;

/** Time during which collected money is `pending`. */
export const SETTLEMENT_MS = { INR: 0, MAD: 1_500, EGP: 3_000, DZD: 6_000 };

/**
 * Plan of a test customer, whose id is `test?` and a query, such as `test?declines=BANK_REJECTED&in=VERIFYING`.
 * `declines` is a reason, and `in` the earliest status to decline from, instead of at once. `pays` is an amount to pay
 * instead of the requested one. `stops` is a status, or several, in which the service waits until it is released.
 */
export function testPlan(customerId) {
  const query = new URLSearchParams(/^test\?(.*)/s.exec(customerId)?.[1]);
  return {
    declines: query.get('declines') ?? undefined,
    in: query.get('in') ?? undefined,
    pays: query.has('pays') ? Number(query.get('pays')) : undefined,
    stops: query.getAll('stops'),
  };
}
