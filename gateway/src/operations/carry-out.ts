/** Records steps, and calls channels where a step says so. */
import { timestamp, webhookBody } from '../contract/view.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import type { Fields } from '../platform/report.ts';
import { recordChange } from '../store/record.ts';
import { advance } from './advance.ts';
import type { Services } from './operation.ts';

export type Moving = Pick<Services, 'store' | 'time' | 'channels' | 'report'>;

/** The job that retries what has failed. */
export const JOB = 'transactions';

/**
 * Records the step, or the one that takes its place when the customer would exceed a limit. Returns the transaction, or
 * undefined when another writer was faster, or the claim, where its end is given, has passed to another.
 */
export async function record<T extends Transaction>(
  { store, time, report }: Moving,
  step: Step<T>,
  claimedUntil?: number,
): Promise<T | undefined> {
  const { now, stored } = time.at(step.transaction.merchantId);
  for (let next = step; ; ) {
    const change = { webhook: webhookBody(next), now, stored, claimedUntil };
    const rejection = await store.unit((db) => recordChange(db, next, change));
    if (!rejection) {
      if (next.failure !== undefined) report(next.failure, describe(next.transaction));
      return next.transaction;
    }
    if (rejection.reason === 'version_conflict') return undefined;
    if (!next.overLimit) throw new Error(`the step of ${next.transaction.id} has limits, but nothing instead of it`);
    next = next.overLimit();
  }
}

function describe({ id, channel, attempts, dueAt }: Transaction): Fields {
  const next = dueAt !== undefined && { next_attempt_at: timestamp(dueAt) };
  return { job: JOB, transaction_id: id, channel, failures: attempts, ...next };
}

/**
 * Calls the channel where the last step was to call it, and records the result. Returns undefined on a conflict:
 * then another process has called it meanwhile.
 */
export async function carryOut<T extends Transaction>(services: Moving, transaction: T): Promise<T | undefined> {
  if (transaction.attempts !== 0) return transaction;
  const answered = (await advance(transaction, services, true)) as Step<T>;
  const { stored } = services.time.at(transaction.merchantId);
  const claimedUntil = transaction.dueAt === undefined ? undefined : stored(transaction.dueAt);
  const next = await record(services, answered, claimedUntil);
  return next && carryOut(services, next);
}

/** Moves a transaction one step on. Returns undefined when another writer was faster; nothing has changed then. */
export async function moveOn<T extends Transaction>(
  services: Moving,
  transaction: T,
  claimedUntil?: number,
): Promise<T | undefined> {
  const step = (await advance(transaction, services)) as Step<T>;
  const next = await record(services, step, claimedUntil);
  return next && carryOut(services, next);
}
