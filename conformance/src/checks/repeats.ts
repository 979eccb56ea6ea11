/** Repeated creations: sequential and concurrent repeats create one transaction, and move money once. */

import { setTimeout as pause } from 'node:timers/promises';
import { type Json, type JsonObject, readMember } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Check, Context, CoveredPart } from '../core/check.ts';
import { andThen, type Finding, formatValue, NotReached } from '../core/finding.ts';
import { judgeResponse } from '../core/judge.ts';
import type { Settings } from '../core/settings.ts';
import { creationBody, KINDS, OPERATION_NAMES, type TrackedTransaction } from '../core/transactions.ts';
import { steadyWallet, walletOnceTotalIs } from '../core/wallet.ts';
import { type Clause, type Contract, findSuccess } from '../document/contract.ts';
import { UNKNOWN_FIELD } from '../document/mutations.ts';
import { type Exchange, readString, type ServiceCall } from '../service/exchange.ts';
import { haveMet, judgeRace, type RaceResult } from './customers/races.ts';
import { listCurrencies, noBody, unfinishedBodies, unfinishedBody } from './customers/round-trip.ts';
import { createGoal, KIND_LEVELS, readGoalCurrency } from './levels.ts';

const AT_ONCE = 20;
/** Transactions are final, since a repeat must not start them again. */
const ENDED = 'SUCCESS';
/** Longer than short-lived caches for retries keep a response. */
const LATER_MS = 5_000;

interface Variation {
  readonly name: string;
  readonly title: string;
  readonly change: (body: JsonObject) => Pick<ServiceCall, 'body' | 'text'>;
}

const sameBody: Variation['change'] = (body) => ({ body });

const SAME: readonly Variation[] = [
  { name: 'same', title: 'with the same body', change: sameBody },
  {
    name: 'other-form',
    title: 'with the members in another order and other whitespace',
    change: (body) => ({ text: JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 3) }),
  },
  {
    name: 'other-number',
    title: 'with the same amount, written with a fraction',
    change: (body) => ({ text: JSON.stringify(body).replace(/"amount":(\d+)/, '"amount":$1.0') }),
  },
];

const OTHER: readonly Variation[] = [
  {
    name: 'other-amount',
    title: 'with another amount',
    change: (body) => ({ body: { ...body, amount: Number(body['amount']) + 100 } }),
  },
  {
    name: 'other-customer',
    title: 'for another customer',
    change: (body) => ({
      body: { ...body, customer: { ...(body['customer'] as JsonObject), id: 'another-customer' } },
    }),
  },
  {
    name: 'other-callback',
    title: 'with another callback URL',
    change: (body) => ({ body: { ...body, callback_url: `${body['callback_url']}?again` } }),
  },
  {
    name: 'field-removed',
    title: 'without a field of the customer',
    change: (body) => {
      const [[name] = [], ...rest] = Object.entries(body['customer'] as JsonObject).reverse();
      return { body: { ...body, customer: name === 'id' ? { id: 'x' } : Object.fromEntries(rest) } };
    },
  },
];

export function repeatChecks(contract: Contract, settings: Settings): Check[] {
  const clause = contract.assumption('order-id');
  return KINDS.flatMap((kind) => {
    const operation = OPERATION_NAMES[kind].create;
    const base = { clause, operation, partOf: ['repeat-safety'], needs: KIND_LEVELS[kind] } as const;
    const { create } = OPERATION_NAMES[kind];
    return [
      ...SAME.map(
        ({ name, title, change }): Check => ({
          ...{ ...base, id: `repeat/${kind}/${name}`, phase: 'parallel', levels: ['repeat-safety'] },
          title: `${create} ${title} returns the first response again`,
          covers: [['repeats', `${create} ${title}`]],
          run: (context) => judgeSameAgain(context, kind, clause, change),
        }),
      ),
      ...OTHER.map(
        ({ name, title, change }): Check => ({
          ...{ ...base, id: `repeat/${kind}/${name}`, phase: 'parallel', levels: ['repeat-safety'] },
          title: `${create} ${title} under the same order ID returns 409`,
          covers: [['repeats', `${create} ${title}`]],
          run: (context) => judgeOther(context, kind, clause, change),
        }),
      ),
      {
        ...{ ...base, id: `repeat/${kind}/after-failed`, phase: 'parallel', levels: ['repeat-safety'] },
        title: `${create} with the same body returns the first response again after FAILED, too`,
        covers: [['repeats', `${create} after FAILED`]] satisfies CoveredPart[],
        run: (context: Context) => judgeSameAgain(context, kind, clause, sameBody, 'FAILED'),
      },
      {
        ...{ ...base, id: `repeat/${kind}/other-currency`, phase: 'parallel', levels: [] },
        title: `${create} in another currency under the same order ID returns 409`,
        covers: [['repeats', `${create} in another currency`]] satisfies CoveredPart[],
        run: (context: Context) => judgeOtherCurrency(context, kind, clause),
      },
      {
        ...{ ...base, id: `repeat/${kind}/after-rejected`, phase: 'parallel', levels: [] },
        title: `${create} accepts an order ID that only a rejected request has used`,
        covers: [['repeats', `${create} after a rejected request`]] satisfies CoveredPart[],
        run: (context: Context) => judgeAfterRejected(context, kind, clause),
      },
      {
        // While others run, since it mostly waits.
        ...{ ...base, id: `repeat/${kind}/later`, phase: 'background', levels: ['repeat-safety'] },
        title: `${create} with the same body returns the first response again after ${LATER_MS / 1_000} s`,
        covers: [['repeats', `${create} after ${LATER_MS / 1_000} s`]] satisfies CoveredPart[],
        run: (context: Context) => judgeLater(context, kind, clause),
      },
      ...(kind === 'payment' ? [redirectCheck(clause)] : []),
      {
        ...{ ...base, id: `repeat/${kind}/at-once`, phase: 'money', levels: ['repeat-safety'] },
        walletOf: readGoalCurrency(createGoal(kind, settings, ENDED)),
        title: `${AT_ONCE} concurrent requests of one ${create} create one transaction and move money once`,
        covers: [['races', create]] satisfies CoveredPart[],
        run: (context: Context) => judgeRace(() => judgeAtOnce(context, kind, clause)),
      },
    ];
  });
}

/** The customer may already have the address of the payment page. */
function redirectCheck(clause: Clause): Check {
  return {
    id: 'repeat/payment/redirect',
    title: 'createPayment with the same body returns the same redirect_url again',
    ...{ clause, phase: 'parallel', operation: OPERATION_NAMES.payment.create },
    ...{ levels: ['repeat-safety'], partOf: ['repeat-safety'], needs: ['payments-redirect'] },
    async run({ contract, fixtures, send }) {
      const tracked = await fixtures.reach({ flow: 'redirect', until: 'CREATED' });
      return judgeAgain(contract, tracked, await send(tracked.call), clause);
    },
  };
}

async function judgeSameAgain(
  context: Context,
  kind: TransactionKind,
  clause: Clause,
  change: Variation['change'],
  until = ENDED,
): Promise<Finding[]> {
  const tracked = await context.fixtures.reach(createGoal(kind, context.settings, until));
  const { operation, body } = tracked.call;
  const exchange = await context.send({ operation, ...change(body as JsonObject) });
  return judgeAgain(context.contract, tracked, exchange, clause);
}

/** Repeats the creation of an unpaid transaction after a pause. */
async function judgeLater(context: Context, kind: TransactionKind, clause: Clause): Promise<Finding[]> {
  const tracked = await context.fixtures.create(kind, unfinishedBody(context, kind));
  // The end of the run doesn't wait for this pause.
  await pause(LATER_MS, undefined, { ref: false });
  return judgeAgain(context.contract, tracked, await context.send({ ...tracked.call, unpaid: true }), clause);
}

function judgeAgain(contract: Contract, tracked: TrackedTransaction, exchange: Exchange, clause: Clause): Finding[] {
  const findings = judgeResponse(contract, exchange, findSuccess(exchange.call.operation).status, clause);
  if (findings[0]?.at === 'status') return findings;
  return [...findings, ...judgeEqual(tracked.creation, exchange, clause)];
}

/** The first response again, whatever has happened to the transaction since. */
function judgeEqual(first: Exchange, again: Exchange, clause: Clause): Finding[] {
  const names = Object.keys((first.body ?? {}) as JsonObject);
  return names.flatMap((name): Finding[] => {
    const [expected, found] = [formatValue(readMember(first.body, name)), formatValue(readMember(again.body, name))];
    if (expected === found) return [];
    return [{ at: `body /${name}`, expected: `${expected}, as in the first response`, found, clause, exchange: again }];
  });
}

async function judgeOther(
  context: Context,
  kind: TransactionKind,
  clause: Clause,
  change: Variation['change'],
): Promise<Finding[]> {
  const tracked = await context.fixtures.reach(createGoal(kind, context.settings, ENDED));
  const { operation, body } = tracked.call;
  const exchange = await context.send({ operation, ...change(body as JsonObject) });
  return judgeResponse(context.contract, exchange, 409, clause);
}

/** Of a driver with one currency, the second request is wrong for another reason too. */
async function judgeOtherCurrency(context: Context, kind: TransactionKind, clause: Clause): Promise<Finding[]> {
  const { contract, fixtures, send } = context;
  const [body, other] = unfinishedBodies(context, kind);
  if (!body) throw noBody(context, kind);
  const tracked = await fixtures.create(kind, body, { unpaid: true });
  const { operation, body: sent } = tracked.call;
  const currency = listCurrencies(contract).find((one) => one !== body['currency']) ?? null;
  const { merchant_order_id: order = '', callback_url: callback = '' } = sent as JsonObject;
  const again = creationBody(other ?? { ...body, currency }, String(order), String(callback));
  const exchange = await send({ operation, body: again, unpaid: true });
  if (!other && exchange.status === 400) return [];
  return judgeResponse(contract, exchange, 409, clause);
}

/** A client corrects its request and sends it again. */
async function judgeAfterRejected(context: Context, kind: TransactionKind, clause: Clause): Promise<Finding[]> {
  const { contract, orderId, receiver, send } = context;
  const operation = contract.operation(OPERATION_NAMES[kind].create);
  const body = creationBody(unfinishedBody(context, kind), orderId(), receiver.endpoint().url);
  const first = await send({ operation, body: { ...body, [UNKNOWN_FIELD]: 'x' }, invalid: true });
  if (first.status < 400) throw new NotReached('the first request was accepted', 'correct what bad-input reports');
  const second = await send({ operation, body, unpaid: true });
  return judgeResponse(contract, second, findSuccess(operation).status, clause);
}

async function judgeAtOnce(context: Context, kind: TransactionKind, clause: Clause): Promise<RaceResult> {
  const { contract, fixtures, receiver, orderId, sendTogether } = context;
  const goal = createGoal(kind, context.settings, ENDED);
  const given = fixtures.bodyFor(goal);
  const [currency, amount] = [String(given['currency']), Number(given['amount'])];
  if (kind === 'payout') await fixtures.funded(currency, amount);
  const before = await steadyWallet(context, currency);
  const operation = contract.operation(OPERATION_NAMES[kind].create);
  const endpoint = receiver.endpoint();
  const body: Json = creationBody(given, orderId(), endpoint.url);
  const call: ServiceCall = { operation, body };
  const exchanges = await sendTogether(Array.from({ length: AT_ONCE }, () => call));
  const taken = exchanges.filter(({ status }) => String(status) === findSuccess(operation).status);
  const [creation] = taken;
  if (!creation) throw new NotReached('none of the requests was taken', `correct what replay/${operation.id} reports`);
  const ids = [...new Set(taken.map((exchange) => readString(exchange.body, 'transaction_id') ?? ''))];
  const refused = exchanges.find((exchange) => !taken.includes(exchange));
  const findings: Finding[] = [];
  if (ids.length !== 1) {
    const found = `${ids.length}: ${formatValue(ids)}`;
    findings.push({ at: 'body /transaction_id', expected: 'one transaction', found, clause, exchange: creation });
  }
  if (refused) {
    const expected = findSuccess(operation).status;
    findings.push({ at: 'status', expected, found: String(refused.status), clause, exchange: refused });
  }
  const trackeds = ids.map(
    (id): TrackedTransaction => ({ kind, id, call, creation, endpoint, reads: [], actions: [], pagesPaid: 0 }),
  );
  const judgeMoney = async (): Promise<Finding[]> => {
    let moved = 0;
    for (const tracked of trackeds) {
      await fixtures.drive(tracked, goal);
      moved += kind === 'payment' ? Number(readMember(tracked.reads.at(-1)?.body, 'amount_paid')) : -amount;
    }
    const total = before.total + moved / trackeds.length;
    const after = await walletOnceTotalIs(context, currency, total);
    if (after.total === total) return [];
    const expected = `available and pending together ${total}, ${before.total} before`;
    return [{ at: 'body /balances', expected, found: String(after.total), clause, exchange: after.exchange }];
  };
  return { findings: await andThen(findings, judgeMoney), met: haveMet(exchanges) };
}
