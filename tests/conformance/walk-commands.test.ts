/** The end of a walk whose payout was declined for lack of money. */
import { expect, it } from 'vitest';
import { settle, WalkFailure } from '../../conformance/src/checks/walks.ts';
import type { Context } from '../../conformance/src/core/check.ts';
import { NotReached } from '../../conformance/src/core/finding.ts';
import { InsufficientFunds, type TrackedTransaction } from '../../conformance/src/core/transactions.ts';
import { loadContract } from '../../conformance/src/document/contract.ts';

const AMOUNT = 1_500;
const TRACKED = {
  kind: 'payout',
  reads: [],
  creation: { body: { status: 'FAILED' } },
} as unknown as TrackedTransaction;

/** Ends a walk with two payouts, which are declined, when so much was available before. */
function runWalk(available: number, reach: () => Promise<TrackedTransaction> = async () => TRACKED): Promise<number> {
  const reason = new InsufficientFunds('the payout became FAILED with INSUFFICIENT_BALANCE', 'raise --timeout');
  const fixtures = { drive: () => Promise.reject(reason), reach };
  const entry = { tracked: TRACKED, status: 'PROCESSING', amount: AMOUNT, goal: { until: 'SUCCESS' } };
  const context = { contract: loadContract(), fixtures } as unknown as Context;
  return settle(context, { transactions: [entry, entry] }, available);
}

it('is not reached if its payouts exceed the balance', async () => {
  await expect(runWalk(2 * AMOUNT - 1)).rejects.toThrow(InsufficientFunds);
});

it('is a failure of the service if there was enough', async () => {
  await expect(runWalk(2 * AMOUNT)).rejects.toThrow(WalkFailure);
});

it('is not reached if no payout of the run gets there', async () => {
  const reason = new NotReached('the payout is still PROCESSING', 'raise --timeout');
  await expect(runWalk(2 * AMOUNT, () => Promise.reject(reason))).rejects.toBe(reason);
});
