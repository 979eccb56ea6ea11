/** Realistic customer data: a service accepts it, and returns it unchanged with the transaction. */
import type { JsonObject } from '../../../../contract/src/model.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import type { Context } from '../../core/check.ts';
import { type Finding, NotReached } from '../../core/finding.ts';
import { foundStatus, settled } from '../../core/judge.ts';
import {
  type CreationOptions,
  CreationRefused,
  fieldClause,
  isSuccess,
  judgeEcho,
  readOrderId,
  type TrackedTransaction,
} from '../../core/transactions.ts';
import { type Clause, type Contract, findSuccess, specified } from '../../document/contract.ts';
import { driverRemedy } from '../../drivers/gateway.ts';
import { type Exchange, readString } from '../../service/exchange.ts';
import { createWaitingGoal, DECLINED_PAYOUT, listFlows, unpaidGoal } from '../levels.ts';

/** Sections of the source that describe the reads. */
export const READ_SECTIONS: Readonly<Record<TransactionKind, string>> = { payment: '4.4', payout: '4.7' };

export function listCurrencies({ bundle }: Contract): string[] {
  return (bundle.components.schemas['Currency']?.enum ?? []).map(String);
}

/** The body of a payment that waits for its customer, or of a declined payout. Throws NotReached without one. */
export function unfinishedBody({ fixtures, settings }: Context, kind: TransactionKind): JsonObject {
  return fixtures.bodyFor(unpaidGoal(kind, settings));
}

/** A body in each currency of the driver, by the first flow that has one. */
export function unfinishedBodies({ contract, driver, settings }: Context, kind: TransactionKind): JsonObject[] {
  return listCurrencies(contract).flatMap((currency) => {
    const bodies =
      kind === 'payment'
        ? listFlows(settings).map((flow) => driver.payment({ ...createWaitingGoal(flow), currency }))
        : [driver.payout({ ...DECLINED_PAYOUT, currency })];
    return bodies.filter((body) => body?.['currency'] === currency).slice(0, 1) as JsonObject[];
  });
}

/** Options of a creation. `waits` gives the service time to find the transaction, and defaults to true. */
export interface RoundTrip extends CreationOptions {
  readonly waits?: boolean;
}

/** Creates the transaction, and finds it by its id and its order ID; `refusal` is the clause for a service that refuses it. */
export async function judgeRoundTrip(
  context: Context,
  kind: TransactionKind,
  body: JsonObject,
  { waits = true, ...creating }: RoundTrip,
  refusal: Clause,
): Promise<Finding[]> {
  const tracked = await createOrFinding(context, kind, body, creating, refusal);
  if (Array.isArray(tracked)) return tracked;
  const { contract } = context;
  const judge = () => judgeReads(context, tracked);
  const shown = await (waits ? settled(judge) : judge());
  return [...judgeEcho(contract, kind, tracked.call.body, tracked.creation), ...shown];
}

/** The transaction, or the finding that the service refuses it. */
export async function createOrFinding(
  { fixtures }: Context,
  kind: TransactionKind,
  body: JsonObject,
  creating: CreationOptions,
  refusal: Clause,
): Promise<TrackedTransaction | Finding[]> {
  try {
    return await fixtures.create(kind, body, creating);
  } catch (error) {
    if (!(error instanceof CreationRefused)) throw error;
    const { creation } = error;
    const expected = findSuccess(creation.call.operation).status;
    return [{ at: 'status', expected, found: foundStatus(creation), clause: refusal, exchange: creation }];
  }
}

/** Every read operation finds the transaction and shows the values of its creation, within the settling time. */
export function judgeFound(context: Context, tracked: TrackedTransaction): Promise<Finding[]> {
  return settled(() => judgeReads(context, tracked));
}

async function judgeReads(context: Context, tracked: TrackedTransaction): Promise<Finding[]> {
  const reads = [await context.fixtures.read(tracked)];
  if (tracked.kind === 'payment') reads.push(await findByOrder(context, readOrderId(tracked)));
  return reads.flatMap((read) => judgeRead(context, tracked, read));
}

function judgeRead({ contract }: Context, { kind, id, call }: TrackedTransaction, read: Exchange): Finding[] {
  const { operation } = read.call;
  const clause = specified(READ_SECTIONS[kind], operation.pointer);
  if (!isSuccess(operation, read)) {
    return [{ at: 'status', expected: '200', found: foundStatus(read), clause, exchange: read }];
  }
  const found = readString(read.body, 'transaction_id');
  const other: Finding = {
    ...{ at: 'body /transaction_id', expected: id, found: String(found), exchange: read },
    clause: fieldClause(contract, kind, 'transaction_id'),
  };
  return [...(found === id ? [] : [other]), ...judgeEcho(contract, kind, call.body, read)];
}

/** Looks up the payment with the order ID, as the merchant of the key. */
export function findByOrder({ contract, send }: Context, order: string, key?: string): Promise<Exchange> {
  const call = { operation: contract.operation('findPayment'), query: { merchant_order_id: order } };
  return send({ ...call, ...(key !== undefined && { key }) });
}

/** The driver has no transaction of the kind, or none in the currency, without which the check can't be carried out. */
export function noBody({ driver }: Context, kind: TransactionKind, currency?: string): NotReached {
  const where = currency === undefined ? '' : ` in ${currency}`;
  return new NotReached(
    `the driver ${driver.name} has no ${kind}${where}`,
    driverRemedy(driver, `add one to \`${kind}\` of the driver`),
  );
}
