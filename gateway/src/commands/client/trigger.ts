/** `trigger`: makes an event of the contract happen, on a transaction of the merchant or a new one. */
import { UserError } from '../../../../contract/src/cli.ts';
import { requestExamples } from '../../../../generated/examples.ts';
import type { Balance, CreatePayoutRequest } from '../../../../generated/types.ts';
import { webhookNames } from '../../../../generated/webhooks.ts';
import { type Access, SandboxError } from '../../sandbox-client/client.ts';
import { sandboxVerbs } from '../../sandbox-client/verbs.ts';
import { talking } from './access.ts';

export interface TriggerOptions {
  /** The transaction; a new one without it. */
  readonly id?: string;
  /** Reason of a decline. */
  readonly reason?: string;
  /** Callback URL of a new transaction. */
  readonly callbackUrl?: string;
}

type Kind = keyof typeof webhookNames;

/** The name of an event with what it is about and the status that it reports. */
export const GOALS = new Map(
  Object.entries(webhookNames).flatMap(([kind, names]) =>
    Object.entries(names).map(([status, name]) => [name as string, { kind: kind as Kind, status }] as const),
  ),
);

const REASON = 'BANK_REJECTED';

/** Simulation events that lead to a status, the last first: of those that are legal, the first in the list is the next. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  EXTRA_DATA_NEEDED: ['ask-for-data'],
  PAY_CONFIRMATION_NEEDED: ['ask-for-confirmation'],
  SUCCESS: ['succeed', 'pay', 'ask-for-confirmation'],
  FAILED: ['decline'],
};

const STEPS_MAX = 5;

/** Makes it happen. Returns a line for people. Throws a UserError where the transaction can't get there any more. */
export async function trigger(access: Access, name: string, options: TriggerOptions): Promise<string> {
  const goal = GOALS.get(name);
  if (!goal) throw new UserError(`Event not found: ${name}. Use one of ${[...GOALS.keys()].join(', ')}.`, 2);
  return talking(access, async () => {
    const id = options.id ?? (await create(access, goal.kind, options.callbackUrl));
    for (let step = 0; step < STEPS_MAX; step++) {
      const { resource, legal_events: legal } = await inspect(access, goal.kind, id);
      const { status } = resource as { status: string };
      if (status === goal.status) return `${name}  ${id}  ${status}`;
      const next = WAYS[goal.status]?.find((event) => legal.includes(event));
      if (next === undefined) {
        const instead = legal.length > 0 ? ` Legal now: ${legal.join(', ')}.` : '';
        throw new UserError(`${id} is ${status}, from which no event leads to ${goal.status}.${instead}`);
      }
      await act(access, goal.kind, id, next, options.reason ?? REASON);
    }
    throw new UserError(`${id} did not get to ${goal.status} within ${STEPS_MAX} steps.`);
  });
}

function inspect(access: Access, kind: Kind, id: string) {
  const verbs = sandboxVerbs(access);
  return kind === 'payment' ? verbs.payments.inspect(id) : verbs.payouts.inspect(id);
}

async function act(access: Access, kind: Kind, id: string, event: string, reason: string): Promise<void> {
  const { payments, payouts } = sandboxVerbs(access);
  const acts: Readonly<Record<string, () => Promise<unknown>>> =
    kind === 'payout'
      ? { succeed: () => payouts.succeed(id), decline: () => payouts.decline(id, reason) }
      : {
          'ask-for-data': () => payments.askForData(id, 'name', 'phone'),
          'ask-for-confirmation': () => payments.askForConfirmation(id),
          pay: () => payments.pay(id),
          succeed: () => payments.succeed(id),
          decline: () => payments.decline(id, reason),
        };
  await acts[event]?.();
}

/** A transaction on which nothing happens but what is triggered. */
async function create(access: Access, kind: Kind, callbackUrl = `${access.url}/sandbox/sink`): Promise<string> {
  const example =
    kind === 'payment' ? requestExamples.createPayment['h2h-upi'] : requestExamples.createPayout['imps-inr'];
  const { body } = example;
  if (kind === 'payout') await fundShortWallet(access, example.body);
  const request = {
    ...body,
    merchant_order_id: `trigger-${crypto.randomUUID()}`,
    customer: { ...body.customer, id: 'manual' },
    callback_url: callbackUrl,
  };
  const created = await callApi<{ transaction_id: string }>(access, `create a ${kind}`, `/${kind}s`, request);
  return created.transaction_id;
}

/** Adds what the available balance lacks for the payout. */
async function fundShortWallet(access: Access, { currency, amount }: Pick<CreatePayoutRequest, 'currency' | 'amount'>) {
  const { balances } = await callApi<Balance>(access, 'read the balance', '/merchant/balance');
  const available = balances.find((one) => one.currency === currency)?.available ?? 0;
  if (available < amount) await sandboxVerbs(access).wallets.fund(currency, amount - available);
}

/** Calls an operation of the contract: a POST if there is a body. Throws a SandboxError if it is refused. */
async function callApi<T>(access: Access, purpose: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${access.url}${path}`, {
    headers: { authorization: `Bearer ${access.key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  const parsed = (await response.json()) as T & { detail?: string };
  if (!response.ok) throw new SandboxError(`${purpose}: ${response.status}, ${parsed.detail}`, response.status, parsed);
  return parsed;
}
