/** `trigger`: triggers an event of the contract, on an existing or a new transaction of the merchant. */

import { UserError } from '../../../../contract/src/cli.ts';
import { didYouMean } from '../../../../contract/src/nearest.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import type { Balance } from '../../../../generated/types.ts';
import { webhookNames } from '../../../../generated/webhooks.ts';
import { type Access, ApiError, callManagement, callSandbox, sendRequest } from '../../api-client/client.ts';
import { callGateway } from './access.ts';
import { applyOverrides, type CreationRequest, type RequestField } from './request-fields.ts';

export interface TriggerOptions {
  /** The transaction; a new one without it. */
  readonly id?: string;
  readonly reason?: string;
  readonly callbackUrl?: string;
  /** Fields of a new transaction. */
  readonly set?: readonly RequestField[];
}

/** A transaction in its target status. */
export interface Triggered {
  readonly event: string;
  readonly transaction_id: string;
  readonly status: string;
  /** As the API returns it. */
  readonly resource: object;
}

/** The names of the contract's webhooks, each with the status that it reports. */
export const GOALS = new Map(
  Object.entries(webhookNames).flatMap(([kind, names]) =>
    Object.entries(names).map(([status, name]) => [name as string, { kind: kind as TransactionKind, status }] as const),
  ),
);

const REASON = 'BANK_REJECTED';

/** Simulation events that lead to a status, last one first. The first legal one in the list is next. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  EXTRA_DATA_NEEDED: ['ask-for-data'],
  PAY_CONFIRMATION_NEEDED: ['ask-for-confirmation'],
  SUCCESS: ['succeed', 'pay', 'ask-for-confirmation'],
  FAILED: ['decline'],
};

const STEPS_MAX = 5;

/** Test customer whose transactions never move on their own. */
const MANUAL = 'manual';

/** Makes it happen. Throws a UserError where the transaction can't get there any more. */
export async function trigger(access: Access, name: string, options: TriggerOptions): Promise<Triggered> {
  const goal = GOALS.get(name);
  if (!goal) {
    const known = [...GOALS.keys()];
    throw new UserError(`Event not found: ${name}.${didYouMean(name, known)} The events are ${known.join(', ')}.`, 2);
  }
  const { kind } = goal;
  const { id, set = [], callbackUrl, reason } = options;
  if (id !== undefined) {
    if (set.length > 0) throw new UserError(`--set is for new transactions. Leave out --set or --${kind}.`, 2);
    return callGateway(access, () => lead(access, name, id, reason));
  }
  const request = applyOverrides(kind, set, (example) => ({
    ...example,
    merchant_order_id: `trigger-${crypto.randomUUID()}`,
    customer: { ...example.customer, id: MANUAL },
    callback_url: callbackUrl ?? `${access.url}/sandbox/sink`,
  }));
  return callGateway(access, () =>
    alone(access, kind, request, async () => lead(access, name, await create(access, kind, request), reason)),
  );
}

/** Leads a transaction to the status that an event reports. */
async function lead(access: Access, event: string, id: string, reason = REASON): Promise<Triggered> {
  const { kind, status: wanted } = GOALS.get(event) ?? {};
  if (!kind || !wanted) throw new Error(`not an event: ${event}`);
  let conflict: ApiError | undefined;
  for (let step = 0; step < STEPS_MAX; step++) {
    const { resource, legal_events: legal = [] } = await inspect(access, kind, id);
    const { status, decline_reason: declined } = resource as { status: string; decline_reason?: string };
    if (status === wanted) return { event, transaction_id: id, status, resource };
    const next = WAYS[wanted]?.find((one) => legal.includes(one));
    if (next === undefined) {
      const instead = legal.length > 0 ? ` Legal now: ${legal.join(', ')}.` : '';
      const why = declined === undefined ? '' : ` with ${declined}`;
      throw new UserError(`${id} is ${status}${why}, from which no event leads to ${wanted}.${instead}`);
    }
    // The gateway may have moved it since, such as by declining an amount outside the method's limits.
    conflict = await act(access, kind, id, next, reason).then(() => undefined, requireConflict);
  }
  throw conflict ?? new UserError(`${id} did not get to ${wanted} within ${STEPS_MAX} steps.`);
}

function requireConflict(error: unknown): ApiError {
  if (error instanceof ApiError && error.status === 409) return error;
  throw error;
}

function inspect(access: Access, kind: TransactionKind, id: string) {
  return callManagement(access, kind === 'payment' ? 'getPayment' : 'getPayout', { path: { transaction_id: id } });
}

async function act(access: Access, kind: TransactionKind, id: string, event: string, reason: string): Promise<void> {
  const bodies: Readonly<Record<string, object>> = {
    'ask-for-data': { items: ['name', 'phone'] },
    decline: { decline_reason: reason },
  };
  await sendRequest(access, {
    ...{ purpose: `${event} ${id}`, method: 'POST', target: `/sandbox/${kind}s/${encodeURIComponent(id)}/${event}` },
    body: bodies[event],
  });
}

/**
 * Runs an action while only triggered events affect the new transaction. Unless the customer is the manual test
 * customer, the channel is set to manual for that time.
 */
async function alone<T>(
  access: Access,
  kind: TransactionKind,
  request: CreationRequest,
  work: () => Promise<T>,
): Promise<T> {
  const method = request.payment_method_type;
  // A live gateway, which would move real money, has no such list.
  const { data } = await callSandbox(access, 'listChannels');
  const before = data.find((one) => one.kind === kind && one.method === method);
  if (request.customer.id === MANUAL || !before || before.condition === 'manual') return work();
  const path = { kind, method };
  const { condition, delay_ms: ms } = before;
  await callSandbox(access, 'setChannel', { path, body: { condition: 'manual' } });
  try {
    return await work();
  } finally {
    await callSandbox(access, 'setChannel', {
      path,
      body: { condition, ...(ms !== undefined && { delay: `${ms}ms` }) },
    });
  }
}

async function create(access: Access, kind: TransactionKind, request: CreationRequest): Promise<string> {
  if (kind === 'payout') await fundShortWallet(access, request);
  const { value } = await sendRequest(access, {
    ...{ purpose: `create a ${kind}`, method: 'POST', target: `/${kind}s`, body: request },
  });
  return (value as { transaction_id: string }).transaction_id;
}

/** Adds what the available balance lacks for the payout. */
async function fundShortWallet(access: Access, { currency, amount }: CreationRequest) {
  const { value } = await sendRequest(access, {
    ...{ purpose: 'read the balance', method: 'GET', target: '/merchant/balance' },
  });
  const { balances } = value as Balance;
  const available = balances.find((one) => one.currency === currency)?.available ?? 0;
  if (available >= amount) return;
  await callSandbox(access, 'fundWallet', { path: { currency }, body: { amount: amount - available } });
}
