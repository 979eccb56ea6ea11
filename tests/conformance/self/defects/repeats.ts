/** Creations with an order ID that was used before. */
import { KINDS, OPERATION_NAMES } from '../../../../conformance/src/core/transactions.ts';
import type { JsonObject } from '../../../../contract/src/model.ts';
import { type Incoming, type Outgoing, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { CREATIONS, defect, problem, readCustomer, readOrder, turned, without } from './build.ts';

interface Creation {
  readonly request: Incoming;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether the gateway has responded. */
  done: boolean;
}

/** Carries out a repeated creation as a new one, responds to it, or changes it or its response. */
type Decide = (first: Creation, again: Incoming) => 'new' | Outgoing | ((response: Outgoing) => void) | undefined;

/** Separates the order ID from a number that only the gateway sees. */
const SEPARATOR = '~again~';
const FORGOTTEN_MS = 3_000;
const conflict = () => problem(409);

/** Applies if a part of the repeated request differs. */
function unlessEqual(read: (request: Incoming) => unknown, decide: () => 'new' | Outgoing): Decide {
  return ({ request }, again) => (JSON.stringify(read(request)) === JSON.stringify(read(again)) ? undefined : decide());
}

const createAgain = () => 'new' as const;
const readAmountAsWritten = ({ bytes }: Incoming) => /"amount":\s*([^,}\s]+)/.exec(bytes.toString())?.[1];

/** Names, ends of the checks' ids, and the decisions. */
const REPEATS: readonly [name: string, check: string, decide: Decide][] = [
  ['created-again', 'same', createAgain],
  ['created-again-at-once', 'at-once', ({ done }) => (done ? undefined : 'new')],
  ['fails-at-once', 'at-once', ({ done }) => (done ? undefined : problem(500))],
  ['forgotten', 'later', ({ at }) => (Date.now() - at > FORGOTTEN_MS ? 'new' : undefined)],
  ['per-customer', 'other-customer', unlessEqual(readCustomer, createAgain)],
  ['refused', 'same', conflict],
  ['order-of-members', 'other-form', unlessEqual(({ body }) => body, conflict)],
  ['other-amount', 'other-amount', ({ request }, again) => rewrite(again, request.body ?? null)],
];

const OF_PAYMENTS: typeof REPEATS = [
  ['per-currency', 'other-currency', unlessEqual(({ body }) => toObject(body)['currency'], createAgain)],
  ['scale-matters', 'other-number', unlessEqual(readAmountAsWritten, conflict)],
  ['created-after-failed', 'after-failed', createAgain],
  [
    'other-callback',
    'other-callback',
    ({ request }, again) =>
      rewrite(again, { ...toObject(again.body), callback_url: toObject(request.body)['callback_url'] ?? null }),
  ],
  ['other-page', 'redirect', () => changing(turned('redirect_url', (url) => `${url}?page=2`))],
  ['declined-since', 'same', () => changing(decline)],
];

const OF_PAYOUTS: typeof REPEATS = [
  [
    'with-200',
    'same',
    () => (response) => {
      response.status = 200;
    },
  ],
];

function decline(body: JsonObject): void {
  without('clarify', 'pay_data', 'confirm', 'redirect_url')(body);
  Object.assign(body, { status: 'FAILED', decline_reason: 'TIMEOUT_EXPIRED', finalized_at: new Date().toISOString() });
}

function changing(change: (body: JsonObject) => void): (response: Outgoing) => void {
  return ({ body }) => change(toObject(body));
}

const repeated = KINDS.flatMap((kind) => {
  const operation = OPERATION_NAMES[kind].create;
  return [...REPEATS, ...(kind === 'payment' ? OF_PAYMENTS : OF_PAYOUTS)].map(([name, check, decide]) =>
    defect(`${kind}/${name}`, `differs repeat/${kind}/${check}`, () => {
      const seen = new Map<string, Creation>();
      const changes = new Map<Incoming, (response: Outgoing) => void>();
      const readKey = (request: Incoming) => `${request.headers['authorization']} ${readOrder(request)}`;
      let count = 0;
      return {
        request(request) {
          const body = toObject(request.body);
          if (request.operation !== operation || typeof body['merchant_order_id'] !== 'string') return undefined;
          const first = seen.get(readKey(request));
          if (!first) seen.set(readKey(request), { request, at: Date.now(), done: false });
          const decision = first && decide(first, request);
          if (typeof decision === 'object') return decision;
          if (typeof decision === 'function') changes.set(request, decision);
          if (decision === 'new') {
            count += 1;
            rewrite(request, { ...body, merchant_order_id: `${readOrder(request)}${SEPARATOR}${count}` });
          }
          return undefined;
        },
        response(response, request) {
          const first = seen.get(readKey(request));
          if (request.operation === operation && first) first.done = true;
          changes.get(request)?.(response);
        },
        transaction: turned('merchant_order_id', (order) => String(order).split(SEPARATOR)[0] ?? ''),
      };
    }),
  );
});

const usedByRejected = defect('payout/used-by-rejected', 'differs repeat/payout/after-rejected', () => {
  const used = new Set<string>();
  return {
    request: (request) =>
      CREATIONS.includes(request.operation) && used.has(readOrder(request)) ? conflict() : undefined,
    response({ status }, request) {
      if (CREATIONS.includes(request.operation) && status === 400) used.add(readOrder(request));
    },
  };
});

export const repeats: readonly Defect[] = [...repeated, usedByRejected];
