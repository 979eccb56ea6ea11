/** Creations with an order ID that was used before. */
import { KINDS, OPERATION_NAMES } from '../../../../conformance/src/core/transactions.ts';
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { type Incoming, type Outgoing, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { conflict, defect, responding, row, turned } from './build.ts';

interface Creation {
  readonly body: JsonObject;
  /** The amount as it was written. */
  readonly amount: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether the gateway has responded. */
  done: boolean;
}

/** Responds to the repeated creation, changes it, or has it carried out as a new one. */
type Decide = (first: Creation, again: Omit<Creation, 'done'>, request: Incoming) => 'new' | Outgoing | undefined;

/** Separates the order ID from a number that only the gateway sees. */
const SEPARATOR = '~again~';
const FORGOTTEN_MS = 3_000;
const isEqual = (one: Json = null, other: Json = null) => JSON.stringify(one) === JSON.stringify(other);
const readOrder = ({ body }: Incoming) => String(toObject(body)['merchant_order_id']);

/** Names, ends of the checks' ids, and the decisions. */
const REPEATS: readonly [name: string, check: string, decide: Decide][] = [
  ['created-again', 'same', () => 'new'],
  ['created-again-at-once', 'at-once', ({ done }) => (done ? undefined : 'new')],
  ['forgotten', 'later', ({ at }) => (Date.now() - at > FORGOTTEN_MS ? 'new' : undefined)],
  [
    'per-customer',
    'other-customer',
    (first, again) => (isEqual(first.body['customer'], again.body['customer']) ? undefined : 'new'),
  ],
  ['refused', 'same', conflict],
  ['order-of-members', 'other-form', (first, again) => (isEqual(first.body, again.body) ? undefined : conflict())],
  ['other-amount', 'other-amount', (first, _again, request) => rewrite(request, first.body)],
];

const OF_PAYMENTS: typeof REPEATS = [
  [
    'per-currency',
    'other-currency',
    (first, { body }) => (first.body['currency'] === body['currency'] ? undefined : 'new'),
  ],
  ['scale-matters', 'other-number', (first, again) => (first.amount === again.amount ? undefined : conflict())],
  ['created-after-failed', 'after-failed', () => 'new'],
  [
    'other-callback',
    'other-callback',
    (first, again, request) => rewrite(request, { ...again.body, callback_url: first.body['callback_url'] ?? null }),
  ],
];

const repeated = KINDS.flatMap((kind) => {
  const operation = OPERATION_NAMES[kind].create;
  const all = kind === 'payment' ? [...REPEATS, ...OF_PAYMENTS] : REPEATS;
  return all.map(([name, check, decide]) =>
    defect(row(`repeats/${kind}/${name}`, `repeat/${kind}/${check}`, 'differs'), () => {
      const seen = new Map<string, Creation>();
      let count = 0;
      return {
        request(request) {
          const isCreation = typeof toObject(request.body)['merchant_order_id'] === 'string';
          if (request.operation !== operation || !isCreation) return undefined;
          const [, amount] = /"amount":\s*([^,}\s]+)/.exec(request.bytes.toString()) ?? [];
          const again = { body: toObject(request.body), amount, at: Date.now() };
          const order = readOrder(request);
          const first = seen.get(order);
          if (!first) seen.set(order, { ...again, done: false });
          const decision = first && decide(first, again, request);
          if (decision !== 'new') return decision;
          count += 1;
          rewrite(request, { ...again.body, merchant_order_id: `${order}${SEPARATOR}${count}` });
          return undefined;
        },
        response(_response, request) {
          const first = seen.get(readOrder(request));
          if (request.operation === operation && first) first.done = true;
        },
        transaction: turned('merchant_order_id', (order) => String(order).split(SEPARATOR)[0] ?? ''),
      };
    }),
  );
});

/** A repeated payout isn't 201 (Created). */
const notCreated = defect(row('repeats/payout/with-200', 'repeat/payout/same', 'differs'), () => {
  const created = new Set<Json>();
  return {
    response(response, { operation }) {
      const id = toObject(response.body)['transaction_id'];
      if (operation !== 'createPayout' || id === undefined) return;
      if (created.has(id)) response.status = 200;
      created.add(id);
    },
  };
});

const otherPage = responding(
  row('repeats/payment/other-page', 'repeat/payment/redirect', 'differs'),
  'createPayment',
  ({ body }) => turned('redirect_url', (url) => `${url}?page=${crypto.randomUUID()}`)(toObject(body)),
);

export const repeats: readonly Defect[] = [...repeated, notCreated, otherPage];
