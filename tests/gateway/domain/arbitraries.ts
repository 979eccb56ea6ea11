/** Random requests and events, across the range of the contract where the domain depends on it. */
import fc from 'fast-check';
import type { PaymentEvent, PayoutEvent } from '../../../gateway/src/domain/events.ts';
import type { FundsHold } from '../../../gateway/src/domain/transaction.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { requestExamples } from '../../../generated/examples.ts';
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../../generated/types.ts';

const AMOUNT = fc.oneof(fc.integer({ min: 1, max: 300_000_00 }), fc.constantFrom(1, 99, 100, Number.MAX_SAFE_INTEGER));

const ITEMS = ['name', 'phone', 'email', 'account_number'];

/** One of the document's requests with another amount, and optionally without customer data. */
export const paymentRequests: fc.Arbitrary<CreatePaymentRequest> = fc
  .record({
    base: fc.constantFrom<CreatePaymentRequest>(
      ...Object.values(requestExamples.createPayment).map(({ body }) => body),
    ),
    amount: AMOUNT,
    without: fc.subarray(['name', 'phone', 'email', 'kyc_level']),
    method: fc.option(fc.constantFrom('UPI_IN', 'WALLET_MA', 'UNKNOWN'), { freq: 4 }),
  })
  .map(({ base, amount, without, method }) => ({
    ...base,
    amount,
    customer: withoutMembers(base.customer, without),
    ...(method && { payment_method_type: method }),
  }));

export const payoutRequests: fc.Arbitrary<CreatePayoutRequest> = fc
  .record({
    base: fc.constantFrom<CreatePayoutRequest>(...Object.values(requestExamples.createPayout).map(({ body }) => body)),
    amount: AMOUNT,
    without: fc.subarray(['account_number', 'bank_code', 'kyc_level']),
  })
  .map(({ base, amount, without }) => ({ ...base, amount, customer: withoutMembers(base.customer, without) }));

const items = fc
  .subarray(ITEMS, { minLength: 1 })
  .chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, fc.string({ minLength: 1, maxLength: 9 })]))),
  );

const confirmation = fc.record({
  payData: fc.record({
    receiver_account: fc.string({ minLength: 1, maxLength: 30 }),
    available_amounts: fc.uniqueArray(AMOUNT, { minLength: 1, maxLength: 4 }),
  }),
  confirm: fc.subarray(['amount', 'tid'], { minLength: 1 }),
});

const declined = (reasons: readonly string[]) => ({
  type: fc.constant('declined' as const),
  reason: fc.constantFrom(...reasons),
});

/** Intermediate events are more likely than final ones or ones that skip statuses. */
const onTheWay: fc.Arbitrary<PaymentEvent> = fc.oneof(
  fc.record({ type: fc.constant('clarification_needed' as const), items: fc.subarray(ITEMS, { minLength: 1 }) }),
  confirmation.map((shown) => ({ type: 'confirmation_needed' as const, ...shown })),
  fc.tuple(items, confirmation).map(([given, shown]) => ({ type: 'clarified' as const, items: given, ...shown })),
  items.map((given) => ({ type: 'confirmed' as const, items: given })),
  items.map((given) => ({ type: 'paid' as const, items: given })),
);

export const paymentEvents: fc.Arbitrary<PaymentEvent> = fc.oneof(
  { weight: 30, arbitrary: onTheWay },
  { weight: 1, arbitrary: fc.constant({ type: 'found_paid' as const }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('succeeded' as const), amountPaid: AMOUNT }) },
  { weight: 1, arbitrary: fc.record(declined(Object.keys(paymentDeclineReasons))) },
);

export const payoutEvents: fc.Arbitrary<PayoutEvent> = fc.oneof(
  fc.constant({ type: 'succeeded' as const }),
  fc.record(declined(Object.keys(payoutDeclineReasons))),
);

export const covers: fc.Arbitrary<FundsHold> = fc.constantFrom('held', 'short', 'absent');

function withoutMembers<T extends object>(whole: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name))) as T;
}

/** Events, of which the first legal one is applied, so that most steps have an effect. */
export interface TimedEvents<E> {
  readonly events: readonly E[];
  /** Milliseconds since the previous one. */
  readonly wait: number;
  /** The customer has reached a limit. */
  readonly full: boolean;
}

/** Consecutive happenings after an opening. */
export function later<E>(event: fc.Arbitrary<E>): fc.Arbitrary<TimedEvents<E>[]> {
  const events = fc.array(event, { minLength: 4, maxLength: 8, size: 'max' });
  const full = fc.constantFrom(true, false, false, false);
  const happening = fc.record({ events, wait: fc.integer({ min: 0, max: 3_600_000 }), full });
  return fc.array(happening, { maxLength: 12, size: 'max' });
}
