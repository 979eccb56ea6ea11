/** The work on transactions that are due. */

import { CALL_MS_MAX } from '../channel/time-limit.ts';
import { timestamp, webhookBody } from '../contract/view.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import { OVER_LIMIT } from '../domain/usage.ts';
import type { Services } from '../operations/operation.ts';
import { summarizeError } from '../platform/error-summary.ts';
import { recordFailure } from '../store/failures.ts';
import { recordChange } from '../store/record.ts';
import { StoreUnavailable } from '../store/store.ts';
import { type ClaimedTransaction, claimDueTransactions, nextDueTransaction } from '../store/transactions.ts';
import { advance, decline, handsOver } from './advance.ts';
import type { Job } from './worker.ts';

type Moving = Pick<Services, 'store' | 'clock' | 'channel'>;

/**
 * A claim ends by itself after this long, so that the work of a process that died is taken over. A channel's call ends
 * at its half, so that there is time to write down what it has said. Who is later than that all the same, since its
 * process stood still, finds that the claim is another's and writes nothing.
 */
const LEASE_MS = 2 * CALL_MS_MAX;

/** Claims due transactions and moves each one step on. */
export function transactionJob({ store, clock, channel, wake }: Services): Job<ClaimedTransaction> {
  return {
    name: 'transactions',
    concurrency: 256,
    pollMs: 500,
    claim(limit) {
      return store.unit((db) => {
        const now = clock.now();
        return claimDueTransactions(db, now, now + LEASE_MS, limit);
      });
    },
    nextDue: () => nextDueTransaction(store.read),
    async work(claimed) {
      // When the merchant or the customer acted in between, what they did is due by itself.
      await moveOn({ store, clock, channel }, claimed.read(), claimed.claimedUntil);
      wake();
    },
    describe: ({ id }) => ({ transaction_id: id }),
    async recordFailure(claimed, error) {
      // It says nothing about the transaction, which shall go on at once when the database is back.
      if (error instanceof StoreUnavailable) return undefined;
      const failure = { error: summarizeError(error), now: clock.now() };
      const recorded = await store.unit((db) => recordFailure(db, claimed, failure));
      return recorded && { failures: recorded.failures, next_attempt_at: timestamp(recorded.nextAttemptAt) };
    },
  };
}

/**
 * Moves a due transaction one step on. Returns false when another writer was faster, or the claim, where it is given,
 * has become another's; nothing has changed then.
 */
export async function moveOn(services: Moving, transaction: Transaction, claimedUntil?: number): Promise<boolean> {
  const { clock, channel } = services;
  const first = await advance(transaction, channel, clock.now());
  const step = await recorded(services, transaction, first, claimedUntil);
  if (!step || !handsOver(transaction, step)) return step !== undefined;
  const { transaction: handed } = step;
  const next = await advance(handed, channel, clock.now(), true);
  return (await recorded(services, handed, next, handed.dueAt)) !== undefined;
}

/**
 * Writes the step, or the decline that takes its place when the customer would exceed a limit. Returns what was written,
 * or undefined on a version conflict.
 */
async function recorded(
  { store, clock }: Moving,
  transaction: Transaction,
  step: Step,
  claimedUntil: number | undefined,
): Promise<Step | undefined> {
  const now = clock.now();
  const record = (next: Step) =>
    store.unit((db) => recordChange(db, next, { webhook: webhookBody(next), now, claimedUntil }));
  const rejection = await record(step);
  if (!rejection) return step;
  if (rejection.reason === 'version_conflict') return undefined;
  const declined = decline(transaction, OVER_LIMIT, now);
  return (await record(declined)) ? undefined : declined;
}
