import fc from 'fast-check';
import { expect, it } from 'vitest';
import { owedCorrection } from '../../../contract/src/reference-model.ts';
import {
  calculateCorrection,
  describeContradiction,
  EXCEPTIONS_MAX,
  openExceptions,
  resolveExceptions,
  takeResult,
} from '../../../gateway/src/domain/exceptions.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { openPayout } from '../../../gateway/src/domain/payout.ts';
import type { DefiniteResult, Transaction } from '../../../gateway/src/domain/transaction.ts';
import { payoutOrder } from '../../../gateway/src/transactions/orders.ts';
import { openTestPayment, payoutRequest, START } from '../harness/fixtures.ts';

const OPENING = { methods: sandboxMethods, merchantId: 1, now: START };
const PAYOUT = openPayout({ ...OPENING, id: 'out_1', order: payoutOrder(payoutRequest()), fundsHold: 'held' });
/** Found paid by its channel, which asks for the amount. */
const VERIFYING = { ...openTestPayment(1).transaction, status: 'VERIFYING' } as const;

const result = (event: DefiniteResult['event']): DefiniteResult => ({ call: 'verify', at: START, took: 5, event });
const events: fc.Arbitrary<DefiniteResult['event']> = fc.oneof(
  fc.record({ type: fc.constant('succeeded' as const), amountPaid: fc.integer({ min: 1, max: 3 }) }),
  fc.constant({ type: 'declined' as const, reason: 'BANK_REJECTED' }),
);

/** The amount moved by a result. */
function readAmount({ kind, amount }: Transaction, event: DefiniteResult['event']): number {
  if (event.type === 'declined') return 0;
  return kind === 'payout' ? amount : (event.amountPaid ?? 0);
}

const acts = fc.array(fc.oneof(events, fc.constantFrom('booked' as const, 'outside' as const)), { maxLength: 40 });

it("later results of a channel leave a final transaction unchanged, and book the channel's last result when resolved", () => {
  fc.assert(
    fc.property(fc.constantFrom<Transaction>(VERIFYING, PAYOUT.transaction), events, acts, (begun, first, later) => {
      const ended = takeResult(sandboxMethods, begun, result(first), START);
      let transaction = ended?.transaction as Transaction;
      const { exceptions: _, calls: __, version: ___, ...before } = transaction;
      let [said, booked] = [readAmount(begun, first), readAmount(begun, first)];
      for (const act of later) {
        const step =
          typeof act === 'string'
            ? resolveExceptions(transaction, act)
            : takeResult(sandboxMethods, transaction, result(act), START);
        if (typeof act === 'string') {
          const owed = owedCorrection(begun.kind, { claimed: said, booked });
          expect(calculateCorrection(begun.kind, describeContradiction(transaction))).toBe(owed);
          if (act === 'booked' && openExceptions(transaction).length > 0) booked = said;
        } else if (readAmount(begun, act) === said) expect(step).toBeUndefined();
        else if ((transaction.exceptions ?? []).length < EXCEPTIONS_MAX) said = readAmount(begun, act);
        if (!step) continue;
        expect([step.entries, step.notify, step.usage]).toEqual([[], false, undefined]);
        expect(step.next).toEqual(ended?.next);
        transaction = step.transaction;
        if (typeof act !== 'string') {
          const { type, ...facts } = { reason: undefined, ...act };
          const added = transaction.exceptions?.at(-1);
          expect(added).toMatchObject({ call: 'verify', result: type, amount: said });
          expect(added?.reason).toBe(facts.reason);
        }
        expect(describeContradiction(transaction)).toEqual({ claimed: said, booked });
      }
      const { exceptions = [], calls, version, ...after } = transaction;
      expect(after).toEqual(before);
      expect(exceptions.length).toBeLessThanOrEqual(EXCEPTIONS_MAX);
    }),
  );
});
