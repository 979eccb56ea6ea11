/** Records steps, and calls channels where a step says so. */
import { timestamp, webhookBody } from '../contract/view.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import type { Fields } from '../platform/report.ts';
import { contendedRows, recordChange } from '../store/record.ts';
import { Rejection } from '../store/store.ts';
import { advance } from './advance.ts';
import type { Services } from './operation.ts';
import { type Recorded, writeStep } from './write-step.ts';

export type Moving = Pick<Services, 'store' | 'clock' | 'time' | 'ids' | 'channels' | 'report' | 'onStep' | 'workers'>;

/** The job that retries what has failed. */
export const JOB = 'transactions';

/**
 * Records the step, or the one that takes its place when the customer would exceed a limit. Returns what was written, or
 * undefined when another writer was faster, or the claim, where its end is given, has passed to another.
 */
export async function record<T extends Transaction>(
  services: Moving,
  step: Step<T>,
  claimedUntil?: number,
): Promise<Recorded<T> | undefined> {
  const { transaction, notify } = step;
  const moment = services.time.at(transaction.merchantId);
  const change = { webhook: webhookBody(step), now: moment.now, claimedUntil };
  // A call that has begun continues with the caller.
  const dueAt = transaction.attempts === 0 ? undefined : transaction.dueAt;
  const planned = { moment, dueAt, notifies: notify ? transaction : undefined, rows: contendedRows(step) };
  const recorded = await writeStep(
    services,
    planned,
    async (db, options) => (await recordChange(db, step, { ...change, ...options })) ?? step,
  );
  if (recorded instanceof Rejection) {
    if (recorded.reason === 'version_conflict') return undefined;
    if (!step.overLimit) throw new Error(`the step of ${transaction.id} has limits, but nothing instead of it`);
    return record(services, step.overLimit(), claimedUntil);
  }
  if (step.failure !== undefined) services.report(step.failure, describe(transaction));
  return recorded;
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
