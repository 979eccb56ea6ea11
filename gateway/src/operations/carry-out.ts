/** Records steps, and calls channels where a step says so. */
import { timestamp, webhookBody } from '../contract/view.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import type { Fields } from '../platform/report.ts';
import { recordChange } from '../store/record.ts';
import { advance } from './advance.ts';
import type { Services } from './operation.ts';

export type Moving = Pick<Services, 'store' | 'time' | 'ids' | 'channels' | 'report' | 'onStep'>;

/** The job that retries what has failed. */
export const JOB = 'transactions';

/** A transaction as it was written. */
export interface Recorded<T extends Transaction> {
  readonly transaction: T;
  /** When it is due in the store's time: the end of the lease, if its channel is to be called. */
  readonly due: number | undefined;
}

/**
 * Records the step, or the one that takes its place when the customer would exceed a limit. Returns what was written, or
 * undefined when another writer was faster, or the claim, where its end is given, has passed to another.
 */
export async function record<T extends Transaction>(
  { store, time, ids, report, onStep }: Moving,
  step: Step<T>,
  claimedUntil?: number,
): Promise<Recorded<T> | undefined> {
  const { now, stored } = time.at(step.transaction.merchantId);
  for (let next = step; ; ) {
    let eventId: string | undefined;
    const onEvent = (id: string) => {
      eventId = id;
    };
    const change = { webhook: webhookBody(next), now, stored, claimedUntil, ids, onEvent };
    const rejection = await store.unit((db) => recordChange(db, next, change));
    if (!rejection) {
      if (next.failure !== undefined) report(next.failure, describe(next.transaction));
      const { transaction } = next;
      onStep?.(transaction, eventId);
      return { transaction, due: transaction.dueAt === undefined ? undefined : stored(transaction.dueAt) };
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
export async function carryOut<T extends Transaction>(
  services: Moving,
  { transaction, due }: Recorded<T>,
): Promise<T | undefined> {
  if (transaction.attempts !== 0) return transaction;
  const answered = (await advance(transaction, services, true)) as Step<T>;
  const next = await record(services, answered, due);
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
