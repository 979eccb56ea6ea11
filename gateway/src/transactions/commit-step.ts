/**
 * Writes steps to the store; no other module does. If the worker of this process has capacity, work that is due at once
 * is written with a lease and dispatched to it after the commit, which saves a query and a claim. If the process dies,
 * the lease expires and another process takes over.
 */

import { type Database, Rejection, StoreUnavailable } from '../database/store.ts';
import { timeOfChange } from '../domain/history.ts';
import { CALL_LEASE_MS } from '../domain/schedule.ts';
import type { Step, Transaction } from '../domain/transaction.ts';
import { ProblemError } from '../http/problems.ts';
import type { Conversion, Moment } from '../platform/merchant-time.ts';
import type { Fields } from '../platform/report.ts';
import { type Attributes, type Span, type SpanStart, withSpan } from '../platform/tracing.ts';
import { DELIVERY_CLAIM_MS, type Delivery } from '../webhooks/outbox.ts';
import { contendedRows, isWritable, type Leases, recordStep, type StepRejection } from './record.ts';
import type { Services } from './services.ts';
import { timestamp, webhookBody } from './view.ts';
import { CLAIM_MS, TRANSACTION_JOB } from './workers.ts';

export type CommitServices = Pick<
  Services,
  'store' | 'clock' | 'time' | 'ids' | 'report' | 'onStep' | 'workers' | 'tracer' | 'span'
>;

export interface CommitOptions<T extends Transaction> {
  /** End of the caller's lease. If another worker holds the transaction by now, nothing is written. */
  readonly claimedUntil?: number | undefined;
  /** Decides the final step from reads within the unit of work. */
  readonly decide?: (db: Database, expected: Step<T>) => Promise<Step<T>>;
  /**
   * Commits the step in a separate database transaction, so that rows locked by `decide` stay unchanged until the
   * commit. Otherwise concurrent steps share database transactions on PostgreSQL and see each other's writes.
   */
  readonly alone?: boolean;
  /**
   * The step to write if the worker has no capacity for a channel call. With capacity, the worker makes the call after
   * the commit.
   */
  readonly withoutCall?: Step<T>;
}

/** The step was decided at a time that its merchant has not had, see `MerchantTime.toStoreTimeIn`. */
type ClockRanOn = Rejection<'clock_ran_on'>;
const CLOCK_RAN_ON = "the merchant's clock was stopped or set back by another process";

/** A transaction as it was written. */
export interface Committed<T extends Transaction> {
  readonly transaction: T;
  /** The end of the lease under which the caller now calls the channel; undefined if the call isn't the caller's. */
  readonly callUntil: number | undefined;
}

/**
 * Writes a step, or its alternative if the customer would exceed a limit. Returns undefined, with no changes, on a
 * version conflict, a lost lease, or a taken order id.
 */
export function commitStep<T extends Transaction>(
  services: CommitServices,
  step: Step<T>,
  options: CommitOptions<T> = {},
): Promise<Committed<T> | undefined> {
  const { transaction } = step;
  return withSpan(
    services,
    () => spanOf(transaction),
    async (inside) => {
      const committed = await commit(inside, step, options);
      inside.span?.set(outcomeOf(committed));
      return committed;
    },
  );
}

async function commit<T extends Transaction>(
  services: CommitServices,
  step: Step<T>,
  options: CommitOptions<T>,
): Promise<Committed<T> | undefined> {
  const moment = services.time.at(step.transaction.merchantId);
  for (let tried = step; ; ) {
    const { transaction, overLimit, failure } = tried;
    const committed = await write(services, tried, moment, options).catch((error: unknown) =>
      rejectStale(services, transaction, options.claimedUntil, error),
    );
    if (committed instanceof Rejection) {
      // Decided again later, by the clock that this process reads now.
      if (committed.reason === 'clock_ran_on') throw new StoreUnavailable(CLOCK_RAN_ON, { reason: committed.reason });
      if (committed.reason !== 'limit_exceeded') return undefined;
      if (!overLimit) throw new Error(`the step of ${transaction.id} has limits, but nothing instead of it`);
      tried = overLimit();
      continue;
    }
    if (failure !== undefined) services.report(failure, { ...describe(transaction), ...services.span?.fields });
    return committed;
  }
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

async function write<T extends Transaction>(
  services: CommitServices,
  expected: Step<T>,
  moment: Moment,
  { claimedUntil, decide, alone = false, withoutCall }: CommitOptions<T>,
): Promise<Committed<T> | StepRejection | ClockRanOn> {
  const { store, clock, time, ids, span } = services;
  const { merchantId } = expected.transaction;
  const { step, ...handOver } = reserve(services, expected, moment, withoutCall);
  const { leases, onEvent } = handOver;
  let toStoreTime: Conversion = moment.toStoreTime;
  let result: Step<T> | StepRejection | ClockRanOn | undefined;
  try {
    result = await store.unit(
      async (db) => {
        const convert = await time.toStoreTimeIn(db, merchantId, moment.now);
        if (!convert) return new Rejection('clock_ran_on');
        // A due time stays due even if the clock has gone back since the decision.
        toStoreTime = (at) => (at <= moment.now ? Math.min(convert(at), clock.now()) : convert(at));
        const decided = withTrace(decide ? await decide(db, step) : step, span);
        const webhook = webhookBody(decided);
        const now = timeOfChange(decided.transaction, moment.now);
        const written = { webhook, ids, toStoreTime, onEvent, leases, now, claimedUntil, trace: span?.traceparent };
        return (await recordStep(db, decided, written)) ?? decided;
      },
      { together: alone ? undefined : contendedRows(step) },
    );
  } finally {
    if (!result || result instanceof Rejection) handOver.release();
  }
  return result instanceof Rejection ? result : handOver.start(result, toStoreTime);
}

/** Reserves worker capacity. Returns the step to write, or the fallback if there is none. */
function reserve<T extends Transaction>(
  { clock, workers, onStep }: CommitServices,
  expected: Step<T>,
  { toStoreTime }: Moment,
  withoutCall: Step<T> | undefined,
) {
  const forWorker = expected.next.type === 'call' && withoutCall !== undefined;
  const isDue = ({ next }: Step<T>) => next.type === 'due' && toStoreTime(next.at) <= clock.now();
  const place = forWorker || isDue(expected) ? workers?.reserveTransaction() : undefined;
  const step = forWorker && !place ? withoutCall : expected;
  const { transaction, next, notify } = step;
  const slot = notify ? workers?.reserveDelivery(transaction.merchantId, transaction.callbackUrl) : undefined;
  let event: Delivery | undefined;
  let claimedUntil = 0;
  const claim = (ms: number) => () => (claimedUntil = clock.now() + ms);
  const leases: Leases = {
    // A lease is in the store's time, which no merchant's clock stops.
    transaction: next.type === 'call' ? claim(CALL_LEASE_MS) : place ? claim(CLAIM_MS) : undefined,
    event: slot && (() => clock.now() + DELIVERY_CLAIM_MS),
    eventDue: () => clock.now(),
  };
  return {
    step,
    leases,
    onEvent(written: Delivery) {
      event = written;
    },
    release() {
      place?.release();
      slot?.release();
    },
    start(written: Step<T>, convert: Conversion): Committed<T> {
      const { transaction, next } = written;
      const { id, version } = transaction;
      const isCall = next.type === 'call';
      if (place) place.start({ id, version, claimedUntil, isCall, read: () => transaction });
      else if (next.type === 'due') workers?.expectTransaction(convert(next.at));
      if (event && slot) slot.start(event);
      else if (event) workers?.expectDelivery();
      else slot?.release();
      onStep?.(written, event?.id);
      return { transaction, callUntil: isCall && !place ? claimedUntil : undefined };
    },
  };
}

/** A creation with the trace that later work on the transaction continues. */
function withTrace<T extends Transaction>(step: Step<T>, span: Span | undefined): Step<T> {
  const { transaction } = step;
  return span && transaction.version === 1
    ? { ...step, transaction: { ...transaction, trace: span.traceparent } }
    : step;
}

function spanOf({ kind, id, merchantId, trace }: Transaction): SpanStart {
  return {
    name: `commit ${kind}`,
    kind: 'internal',
    link: trace,
    attributes: { 'payments.transaction.id': id, 'payments.merchant.id': merchantId },
  };
}

function outcomeOf(committed: Committed<Transaction> | undefined): Attributes {
  if (!committed) return { 'payments.outcome': 'conflict' };
  const { status, version } = committed.transaction;
  return { 'payments.outcome': 'committed', 'payments.status': status, 'payments.version': version };
}

function describe({ id, channel, attempts, dueAt }: Transaction): Fields {
  const next = dueAt !== undefined && { next_attempt_at: timestamp(dueAt) };
  return { job: TRANSACTION_JOB, transaction_id: id, channel, failures: attempts, ...next };
}
