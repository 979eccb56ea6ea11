/** Invalid requests: the service rejects each for the right reason and without effect. */

import { type Json, type Operation, readMember } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, formatValue, NotReached } from '../core/finding.ts';
import { foundStatus, judgeResponse } from '../core/judge.ts';
import type { Level, Settings } from '../core/settings.ts';
import {
  actionBody,
  actions,
  creationBody,
  findAction,
  findCreatedKind,
  KINDS,
  lastSeen,
  OPERATION_NAMES,
  readCall,
  readStatus,
} from '../core/transactions.ts';
import type { Contract } from '../document/contract.ts';
import { listMutations, type Mutation } from '../document/mutations.ts';
import { type Driver, goalBody, type PayoutGoal } from '../drivers/driver.ts';
import { type Exchange, readString } from '../service/exchange.ts';
import { poll } from '../time/awake.ts';
import { findByOrder } from './customers/round-trip.ts';
import { KIND_LEVELS, waitingGoal } from './levels.ts';

/** If the service accepts the request anyway, this payout neither succeeds nor fails. */
const PAYOUT_GOAL: PayoutGoal = { until: 'PROCESSING' };

export function badInputChecks(contract: Contract, driver: Driver, settings: Settings): Check[] {
  const creations = KINDS.flatMap((kind) => {
    const operation = contract.operation(OPERATION_NAMES[kind].create);
    const given = goalBody(driver, kind === 'payment' ? waitingGoal(settings) : PAYOUT_GOAL);
    const sample = operation.request?.examples[0]?.value ?? {};
    const body = given ? creationBody(given, 'order-1', 'https://shop.example.com/hook') : sample;
    return mutations(contract, operation, body).map((mutation) => creationCheck(kind, operation, mutation));
  });
  const acting = actions().flatMap(([status, { operation: id }]) => {
    const operation = contract.operation(id);
    return mutations(contract, operation, operation.request?.examples[0]?.value ?? {}).map((mutation) =>
      actionCheck(status, operation, mutation),
    );
  });
  return [...creations, ...acting];
}

function mutations(contract: Contract, { request }: Operation, body: Json): Mutation[] {
  return request ? listMutations(contract, request.schema, body) : [];
}

/** A check that the operation rejects the mutation. */
export function rejectionCheck(
  operation: Operation,
  mutation: Mutation,
  partOf: readonly Level[],
  run: Check['run'],
): Check {
  const { pointer, variant, title, clause } = mutation;
  return {
    id: `bad-input/${operation.id}${pointer || '/body'}/${variant}`,
    title: `${operation.id} rejects a body if ${title}`,
    ...{ clause, phase: 'parallel', operation: operation.id, levels: [], partOf, run },
  };
}

function creationCheck(kind: TransactionKind, operation: Operation, mutation: Mutation): Check {
  return rejectionCheck(operation, mutation, KIND_LEVELS[kind], async (context) => {
    const { fixtures, receiver, orderId } = context;
    // A rejection proves little unless a valid request is accepted.
    const goal = kind === 'payment' ? waitingGoal(context.settings) : PAYOUT_GOAL;
    await fixtures.reach(kind === 'payment' ? goal : { until: 'SUCCESS' });
    const given = fixtures.bodyFor(goal);
    const order = orderId();
    const body = creationBody(given, order, receiver.endpoint().url);
    const text = sameMutation(context.contract, operation, body, mutation);
    const exchange = await context.send({ operation, text, invalid: true });
    return judgeRejection(context, exchange, mutation, async () => {
      if (kind === 'payment' && text.includes(order)) return judgeNothingCreated(context, order);
      return [];
    });
  });
}

function actionCheck(status: string, operation: Operation, mutation: Mutation): Check {
  return rejectionCheck(operation, mutation, ['payments-h2h'], async (context) => {
    const { driver, fixtures } = context;
    const tracked = await fixtures.reachNew({ flow: 'h2h', until: status });
    const { field = '' } = findAction(status) ?? {};
    const body = actionBody(driver, tracked) ?? {};
    const text = sameMutation(context.contract, operation, body, mutation);
    const exchange = await context.send({ operation, path: { transaction_id: tracked.id }, text, invalid: true });
    // In the source, items are strings (4.2, 4.3).
    const isForm = mutation.keyword !== 'type' && mutation.pointer.startsWith(`/${field}/`);
    const clause = isForm ? context.contract.assumption('string-limits') : mutation.clause;
    return judgeRejection(context, exchange, { ...mutation, clause }, async () => {
      const before = readStatus(tracked);
      const after = await fixtures.read(tracked);
      const found = readStatus(tracked);
      if (found === before || found === 'FAILED') return [];
      const clause = context.contract.assumption('errors');
      return [{ at: 'body /status', expected: `still ${before}`, found, clause, exchange: after }];
    });
  });
}

/** The mutation, made on the body of this check instead of the plan's. */
function sameMutation(contract: Contract, operation: Operation, body: Json, { pointer, variant }: Mutation): string {
  const made = mutations(contract, operation, body);
  const found = made.find((one) => one.pointer === pointer && one.variant === variant);
  if (!found) throw new NotReached(`no body of this driver can be broken so`, 'add the field to the driver');
  return found.text;
}

/**
 * The service has to reject the request. A service that follows only the source can also accept the request and decline
 * the transaction (source 7.1 and 7.2 list reasons for it), and can respond with another 4xx than the contract's.
 */
export async function judgeRejection(
  context: Context,
  exchange: Exchange,
  { clause, pointer, title }: Pick<Mutation, 'clause' | 'pointer' | 'title'>,
  judgeUnchanged: () => Promise<Finding[]>,
  expected = 400,
): Promise<Finding[]> {
  const { contract } = context;
  const rejected = exchange.status >= 400 && exchange.status < 500;
  if (!rejected) {
    const evidence = { at: 'status', expected: `${expected}, since ${title}`, exchange };
    if (exchange.status >= 300 || !(await isDeclined(context, exchange))) {
      return [{ ...evidence, found: foundStatus(exchange), clause }];
    }
    const found = `${exchange.status}, and the transaction is declined later`;
    return [{ ...evidence, found, clause: contract.assumption('declines') }];
  }
  const findings = judgeResponse(contract, exchange, expected);
  return [...findings, ...judgeReason(contract, exchange, pointer), ...(await judgeUnchanged())];
}

/** A problem that lists violations has to list this one. */
export function judgeReason(contract: Contract, exchange: Exchange, pointer: string): Finding[] {
  const violations = readMember(exchange.body, 'violations');
  if (!Array.isArray(violations) || violations.length === 0) return [];
  const pointers = violations.map((one) => String(readMember(one, 'pointer') ?? ''));
  const fits = pointers.some(
    (one) => one === pointer || pointer.startsWith(`${one}/`) || one.startsWith(`${pointer}/`),
  );
  if (fits) return [];
  const expected = `a violation at ${pointer || 'the body'}`;
  const clause = contract.assumption('errors');
  return [{ at: 'body /violations', expected, found: formatValue(pointers), clause, exchange }];
}

/** Whether an accepted creation ends as FAILED, for another reason than a correct one would. */
async function isDeclined(context: Context, creation: Exchange): Promise<boolean> {
  const { contract, send, settings } = context;
  const kind = findCreatedKind(creation.call.operation);
  const id = readMember(creation.body, 'transaction_id');
  if (!kind || typeof id !== 'string') return false;
  const call = readCall(contract, { kind, id });
  const limitMs = Math.min(settings.timeoutMs, DECLINED_MS_MAX);
  const { value, isFit } = await poll(
    () => send(call),
    ({ body }) => readMember(body, 'status') === 'FAILED',
    { limitMs, pauseMs: DECLINED_POLL_MS },
  );
  if (!isFit) return false;
  const reason = readString(value.body, 'decline_reason');
  return kind === 'payment' || (reason !== NO_FUNDS && reason !== (await usualReason(context)));
}

const NO_FUNDS = 'INSUFFICIENT_BALANCE';

/** The reason for which the payouts of these checks are declined anyway. */
async function usualReason({ fixtures }: Context): Promise<string | undefined> {
  return readString(lastSeen(await fixtures.reach(PAYOUT_GOAL)), 'decline_reason');
}

const DECLINED_MS_MAX = 1_500;
const DECLINED_POLL_MS = 150;

async function judgeNothingCreated(context: Context, order: string): Promise<Finding[]> {
  const exchange = await findByOrder(context, order);
  if (exchange.status >= 400) return [];
  const clause = context.contract.assumption('errors');
  const expected = 'no payment, since its creation was rejected';
  return [{ at: 'findPayment', expected, found: foundStatus(exchange), clause, exchange }];
}
