/**
 * Commits steps: no other module writes them. Work that is due at once is written with a lease of this process and
 * dispatched to its worker after the commit, which saves a query and a claim. If the process dies, the lease expires and
 * another process takes over.
 */

import { type Database, Rejection, StoreUnavailable } from '../database/store.ts';
import { timeOfChange } from '../domain/history.ts';
import { CALL_LEASE_MS } from '../domain/schedule.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import { ProblemError } from '../http/problems.ts';
import type { Fields } from '../platform/log.ts';
import type { ClockReading, Conversion } from '../platform/merchant-time.ts';
import { type Attributes, type Span, type SpanStart, withSpan } from '../platform/tracing.ts';
import type { WorkerPermit } from '../platform/worker.ts';
import { DELIVERY_CLAIM_MS, type Delivery } from '../webhooks/outbox.ts';
import type { ClaimedTransaction } from './rows.ts';
import { CLAIM_MS, type Services, TRANSACTION_JOB } from './services.ts';
import { timestamp, webhookBody } from './view.ts';
import { contendedRows, isWritable, type StepRejection, type WrittenStep, writeStep } from './write-step.ts';

export type CommitServices = Pick<
  Services,
  'store' | 'clock' | 'time' | 'ids' | 'report' | 'onStep' | 'workers' | 'tracer'
>;

export interface CommitOptions<T extends Transaction> {
  /** End of the caller's lease. If another worker holds the transaction by now, nothing is written. */
  readonly claimedUntil?: number | undefined;
  /** Written instead of the step if a worker of this process is free. It calls the channel after the commit. */
  readonly withCall?: Step<T> | undefined;
  /** Decides the final step from reads within the unit of work. */
  readonly decide?: (db: Database, expected: Step<T>) => Promise<Step<T>>;
  /** Records the step in the audit log, which is locked last. */
  readonly record?: (db: Database) => Promise<unknown>;
  /**
   * Commits the step in a separate database transaction, so that rows locked by `decide` stay unchanged until the
   * commit. Otherwise concurrent steps share database transactions on PostgreSQL and see each other's writes.
   */
  readonly alone?: boolean;
}

/** A transaction as it was written. */
export interface Committed<T extends Transaction> {
  readonly transaction: T;
  /** End of the lease under which the caller calls the channel now; undefined if the caller has no call to make. */
  readonly callUntil: number | undefined;
}

/** Reserved capacity of this process's workers for a step that is about to be written. */
interface Capacity {
  readonly transaction: WorkerPermit<ClaimedTransaction> | undefined;
  readonly delivery: WorkerPermit<Delivery> | undefined;
}

/**
 * Writes a step, or its alternative if the customer would exceed a limit, and dispatches the work that follows. Returns
 * undefined, with no changes, on a version conflict, a lost lease, or a taken order id.
 */
export function commitStep<T extends Transaction>(
  services: CommitServices,
  step: Step<T>,
  options: CommitOptions<T> = {},
): Promise<Committed<T> | undefined> {
  return withSpan(
    services.tracer,
    () => describeSpan(step.transaction),
    async (span) => {
      const committed = await commit(services, step, options);
      span?.set(describeOutcome(committed));
      return committed;
    },
  );
}

async function commit<T extends Transaction>(
  services: CommitServices,
  step: Step<T>,
  options: CommitOptions<T>,
): Promise<Committed<T> | undefined> {
  const reading = services.time.at(step.transaction.merchantId);
  const { chosen, capacity } = reserve(services, step, reading, options.withCall);
  let written: WrittenStep<T> | StepRejection | undefined;
  try {
    written = await write(services, chosen, capacity, reading, options).catch((error: unknown) =>
      rejectStale(services, chosen.transaction, options.claimedUntil, error),
    );
  } finally {
    if (!written || written instanceof Rejection) release(capacity);
  }
  if (!(written instanceof Rejection)) {
    const { failure, transaction } = chosen;
    if (failure !== undefined)
      services.report(failure, { ...describe(transaction), ...services.tracer?.active()?.fields });
    return dispatch(services, written, capacity);
  }
  if (written.reason !== 'limit_exceeded') return undefined;
  if (!chosen.overLimit) throw new Error(`the step of ${chosen.transaction.id} has limits, but no alternative`);
  return commit(services, chosen.overLimit(), { ...options, withCall: undefined });
}

/** Reserves worker capacity. Returns it with the step to write. */
function reserve<T extends Transaction>(
  { clock, workers }: CommitServices,
  step: Step<T>,
  { toStoreTime }: ClockReading,
  withCall: Step<T> | undefined,
): { chosen: Step<T>; capacity: Capacity } {
  const isDue = step.next.type === 'due' && toStoreTime(step.next.at) <= clock.now();
  const transaction = isDue ? workers?.reserveTransaction() : undefined;
  const chosen = transaction && withCall ? withCall : step;
  const { merchantId, callbackUrl } = chosen.transaction;
  const delivery = chosen.notify ? workers?.reserveDelivery(merchantId, callbackUrl) : undefined;
  return { chosen, capacity: { transaction, delivery } };
}

function release({ transaction, delivery }: Capacity): void {
  transaction?.release();
  delivery?.release();
}

function write<T extends Transaction>(
  { store, clock, time, ids, tracer }: CommitServices,
  step: Step<T>,
  capacity: Capacity,
  reading: ClockReading,
  { claimedUntil, decide, record, alone = false }: CommitOptions<T>,
): Promise<WrittenStep<T> | StepRejection> {
  const { merchantId } = step.transaction;
  const span = tracer?.active();
  const together = alone ? undefined : contendedRows(step);
  return time.holdClocks([merchantId], (conversionOf) => {
    const convert = conversionOf(merchantId);
    // A due time stays due even if the clock has gone back since the decision.
    const toStoreTime: Conversion = (at) => (at <= reading.now ? Math.min(convert(at), clock.now()) : convert(at));
    const work = async (db: Database) => {
      const decided = withTrace(decide ? await decide(db, step) : step, span);
      // Leases are in the store's time, which no merchant's clock stops. They begin when the unit runs, not when it queues.
      const leases = computeLeases(clock.now(), decided, capacity);
      const now = timeOfChange(decided.transaction, reading.now);
      const options = { ids, webhook: webhookBody(decided), trace: span?.traceparent, present: reading.now, ...leases };
      const written = await writeStep(db, decided, { ...options, toStoreTime, now, claimedUntil });
      if (!(written instanceof Rejection)) await record?.(db);
      return written;
    };
    return store.unit(work, { together });
  });
}

function computeLeases(now: number, { next }: Step, { transaction, delivery }: Capacity) {
  const leaseMs = next.type === 'call' ? CALL_LEASE_MS : transaction && CLAIM_MS;
  return {
    leaseUntil: leaseMs && now + leaseMs,
    delivery: delivery ? { leaseUntil: now + DELIVERY_CLAIM_MS } : { dueAt: now },
  };
}

/** Gives the work that is due to the workers of this process. */
function dispatch<T extends Transaction>(
  { workers, onStep }: CommitServices,
  { step, attemptAt, event }: WrittenStep<T>,
  capacity: Capacity,
): Committed<T> {
  const { transaction, next } = step;
  const { id, version } = transaction;
  const isCall = next.type === 'call';
  const claimedUntil = attemptAt ?? 0;
  if (capacity.transaction) capacity.transaction.start({ id, version, claimedUntil, isCall, read: () => transaction });
  else if (next.type === 'due') workers?.expectTransaction(claimedUntil);
  if (event && capacity.delivery) capacity.delivery.start(event);
  else if (event) workers?.expectDelivery();
  else capacity.delivery?.release();
  onStep?.(step, event?.id);
  return { transaction, callUntil: isCall && !capacity.transaction ? claimedUntil : undefined };
}

/**
 * Rethrows the error of a unit of work, unless the step was stale: PostgreSQL gets a transaction together with the effects
 * of its step, and a constraint may refuse those of a stale step before the conflict shows.
 */
async function rejectStale(
  { store }: CommitServices,
  transaction: Transaction,
  claimedUntil: number | undefined,
  error: unknown,
): Promise<StepRejection> {
  const isExpected = error instanceof StoreUnavailable || error instanceof ProblemError;
  if (isExpected || (await isWritable(store.read, transaction, claimedUntil))) throw error;
  return new Rejection('version_conflict');
}

/** A creation with the trace that later work on the transaction continues. */
function withTrace<T extends Transaction>(step: Step<T>, span: Span | undefined): Step<T> {
  const { transaction } = step;
  return span && transaction.version === 1
    ? { ...step, transaction: { ...transaction, trace: span.traceparent } }
    : step;
}

function describeSpan({ kind, id, merchantId, trace }: Transaction): SpanStart {
  return {
    name: `commit ${kind}`,
    kind: 'internal',
    link: trace,
    attributes: { 'payments.transaction.id': id, 'payments.merchant.id': merchantId },
  };
}

function describeOutcome(committed: Committed<Transaction> | undefined): Attributes {
  if (!committed) return { 'payments.outcome': 'conflict' };
  const { status, version } = committed.transaction;
  return { 'payments.outcome': 'committed', 'payments.status': status, 'payments.version': version };
}

function describe({ id, channel, attempts, dueAt }: Transaction): Fields {
  const next = dueAt !== undefined && { next_attempt_at: timestamp(dueAt) };
  return { job: TRANSACTION_JOB, transaction_id: id, channel, failures: attempts, ...next };
}
