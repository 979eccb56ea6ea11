/** Money that moves twice, never, or out of nowhere. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { type Alteration, type Incoming, rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, conflict, defect, findPlace, json, responding, shown, turned } from './build.ts';

const CREATIONS = ['createPayment', 'createPayout'];
const SEPARATOR = '~again~';
const FORGOTTEN_MS = 3_000;

interface Creation {
  readonly request: JsonObject;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether the gateway has responded. */
  done: boolean;
}

/** Carries out some repeated creations as new ones, under an order id that only the gateway sees. */
function repeatsAnew(operation: string, applies: (first: Creation, again: JsonObject) => boolean): () => Alteration {
  return () => {
    const seen = new Map<string, Creation>();
    let count = 0;
    return {
      request(request) {
        const body = toObject(request.body);
        const order = String(body['merchant_order_id']);
        if (request.operation !== operation) return undefined;
        const first = seen.get(order);
        if (!first) seen.set(order, { request: body, at: Date.now(), done: false });
        else if (applies(first, body)) {
          count += 1;
          rewrite(request, { ...body, merchant_order_id: `${order}${SEPARATOR}${count}` });
        }
        return undefined;
      },
      response(_response, request) {
        const first = seen.get(String(toObject(request.body)['merchant_order_id']));
        if (request.operation === operation && first) first.done = true;
      },
      transaction(transaction) {
        const [order] = String(transaction['merchant_order_id']).split(SEPARATOR);
        transaction['merchant_order_id'] = order ?? '';
      },
    };
  };
}

const isEqual = (one: JsonObject, other: JsonObject) => JSON.stringify(one) === JSON.stringify(other);

/** Responds to repeated creations in the gateway's place. */
function repeats(
  operation: string,
  respond: (first: Creation, request: Incoming) => ReturnType<typeof json> | undefined,
): () => Alteration {
  return () => {
    const seen = new Map<string, Creation>();
    return {
      request(request) {
        if (request.operation !== operation) return undefined;
        const order = String(toObject(request.body)['merchant_order_id']);
        const first = seen.get(order);
        if (first) return respond(first, request);
        seen.set(order, { request: toObject(request.body), at: Date.now(), done: false });
        return undefined;
      },
    };
  };
}

const repeated: readonly Defect[] = CREATIONS.flatMap((operation): Defect[] => {
  const kind = operation === 'createPayment' ? 'payment' : 'payout';
  const row = (name: string, title: string, check: string) => ({
    id: `money/repeat/${kind}-${name}`,
    title: `${operation}: ${title}`,
    foundBy: `repeat/${kind}/${check}`,
    verdict: 'differs' as const,
  });
  return [
    defect(
      row('gets-a-new-one', 'a repeated request creates another transaction', 'same'),
      repeatsAnew(operation, () => true),
    ),
    defect(
      row('gets-a-new-one-at-once', 'requests at once create several transactions', 'at-once'),
      repeatsAnew(operation, ({ done }) => !done),
    ),
    defect(
      row('forgotten', 'a request that is repeated after 3 s creates another transaction', 'later'),
      repeatsAnew(operation, ({ at }) => Date.now() - at > FORGOTTEN_MS),
    ),
    defect(row('is-refused', 'a repeated request gets 409', 'same'), repeats(operation, conflict)),
    defect(
      row('in-other-form', 'the order of members matters', 'other-form'),
      repeats(operation, (first, { body }) => (isEqual(first.request, toObject(body)) ? undefined : conflict())),
    ),
    defect(
      row('with-other-amount', 'a repeated request with another amount gets the first response', 'other-amount'),
      repeats(operation, (first, request) => {
        rewrite(request, first.request);
        return undefined;
      }),
    ),
    defect(
      row(
        'with-other-customer',
        'a repeated request for another customer creates another transaction',
        'other-customer',
      ),
      repeatsAnew(
        operation,
        (first, again) => !isEqual(toObject(first.request['customer']), toObject(again['customer'])),
      ),
    ),
  ];
});

/** The merchant's money, according to the webhooks of a valid service. */
class Books {
  readonly created: JsonObject[] = [];
  readonly ended = new Map<string, JsonObject>();

  /** Payouts that took money: in progress or successful. */
  paidOut(currency: string): number {
    const open = this.created.filter(({ transaction_id: id }) => this.ended.get(String(id))?.['status'] !== 'FAILED');
    return sum(open, currency, 'amount');
  }

  /** Final transactions of the kind with the status. */
  final(kind: string, status: string, currency: string, field = 'amount'): number {
    const fitting = [...this.ended.values()].filter(
      (one) => one['status'] === status && ('payment_method' in one ? 'payment' : 'payout') === kind,
    );
    const funded = fitting.filter((one) => one['decline_reason'] !== 'INSUFFICIENT_BALANCE');
    return sum(funded, currency, field);
  }
}

function sum(all: readonly JsonObject[], currency: string, field: string): number {
  return all.filter((one) => one['currency'] === currency).reduce((total, one) => total + Number(one[field]), 0);
}

type Entry = { readonly available: number; readonly pending: number; readonly currency: string };

/** Shows other balances. */
export function balances(
  id: string,
  title: string,
  foundBy: string,
  change: (entry: Entry, books: Books, reads: number) => Partial<Entry>,
  verdict: Defect['verdict'] = 'violating',
): Defect {
  return defect({ id: `money/balance/${id}`, title, foundBy, verdict }, () => {
    const books = new Books();
    let reads = 0;
    return {
      response(response, { operation }) {
        const body = toObject(response.body);
        if (operation === 'createPayout' && response.status === 201) books.created.push(body);
        if (operation !== 'getBalance' || !Array.isArray(body['balances'])) return;
        reads += 1;
        const entries = body['balances'] as unknown as Entry[];
        response.body = { ...body, balances: entries.map((entry) => ({ ...entry, ...change(entry, books, reads) })) };
      },
      transaction(transaction, { on, status }) {
        const isFinal = status === 'SUCCESS' || status === 'FAILED';
        if (isFinal && on !== 'createPayment')
          books.ended.set(String(transaction['transaction_id']), { ...transaction });
      },
    };
  });
}

export const plus = (entry: Entry, change: number) => ({ available: entry.available + change });
/** Amount that the kit's payouts need. */
const FUNDED = 37_500;
const INITIAL = 10_000_000;

const frozen = defect(
  { id: 'money/balance/never-changes', title: 'the balance never changes', foundBy: 'money/payout/withdrawn' },
  () => {
    const kept = new Map<string, Entry>();
    return {
      response(response, { operation }) {
        const body = toObject(response.body);
        if (operation !== 'getBalance' || !Array.isArray(body['balances'])) return;
        const entries = body['balances'] as unknown as Entry[];
        for (const entry of entries) {
          if (entry.available >= FUNDED && !kept.has(entry.currency)) kept.set(entry.currency, entry);
        }
        response.body = { ...body, balances: entries.map((entry) => ({ ...(kept.get(entry.currency) ?? entry) })) };
      },
    };
  },
);

const neverUpdated = defect(
  {
    id: 'money/balance/last_updated_at-never-changes',
    title: 'last_updated_at is the time at which the wallet was created',
    foundBy: 'money/last-updated',
    verdict: 'differs',
    options: { only: ['money/last-updated', 'state/payment/h2h/SUCCESS'] },
  },
  () => ({
    response(response, { operation }) {
      if (operation !== 'getBalance' || response.status !== 200) return;
      response.body = { ...toObject(response.body), last_updated_at: '2026-01-05T08:00:00Z' };
    },
  }),
);

const updatedLate = defect(
  {
    id: 'money/balance/last_updated_at-of-the-change-before',
    title: 'last_updated_at is the time of the change before the last',
    foundBy: 'money/last-updated',
    verdict: 'differs',
    options: { only: ['money', 'walk', 'wallet'] },
  },
  () => {
    const times = new Map<string, Json[]>();
    return {
      response(response, { operation, headers }) {
        if (operation !== 'getBalance' || response.status !== 200) return;
        const merchant = headers['authorization'] ?? '';
        const body = toObject(response.body);
        const { last_updated_at: now = null } = body;
        const seen = times.get(merchant) ?? [];
        if (seen.at(-1) !== now) times.set(merchant, [...seen, now]);
        const before = times.get(merchant)?.at(-2);
        if (before !== undefined) response.body = { ...body, last_updated_at: before };
      },
    };
  },
);

const emptyDropped = defect(
  {
    id: 'money/balance/empty-dropped',
    title: 'a currency is not listed once its wallet is empty',
    foundBy: 'money/balance',
    options: { only: ['money/balance', 'wallet/EGP', 'wallet/MAD'] },
  },
  () => ({
    response(response, { operation }) {
      const body = toObject(response.body);
      if (operation !== 'getBalance' || !Array.isArray(body['balances'])) return;
      const kept = (body['balances'] as unknown as Entry[]).filter(({ available, pending }) => available + pending > 0);
      response.body = { ...body, balances: kept as unknown as Json[] };
    },
  }),
);

const neverSettled = balances(
  'never-settled',
  'money stays pending, although earlier funds pay for payouts',
  'money/settlement',
  (entry, books) => {
    const collected = books.final('payment', 'SUCCESS', entry.currency, 'amount_paid');
    return { available: entry.available - collected + INITIAL, pending: entry.pending + collected };
  },
  'not reached',
);

const wallet: readonly Defect[] = [
  neverUpdated,
  updatedLate,
  balances('payout-takes-nothing', 'a payout leaves the balance unchanged', 'money/payout/withdrawn', (entry, books) =>
    plus(entry, books.paidOut(entry.currency)),
  ),
  balances('payout-taken-twice', 'a payout is taken twice', 'money/payout/withdrawn', (entry, books) =>
    plus(entry, -books.paidOut(entry.currency)),
  ),
  balances(
    'payout-taken-once-more-when-done',
    'a payout is taken again when it succeeds',
    'money/payout/withdrawn',
    (entry, books) => plus(entry, -books.final('payout', 'SUCCESS', entry.currency)),
  ),
  balances('failed-payout-not-returned', 'a failed payout is not returned', 'money/payout/returned', (entry, books) =>
    plus(entry, -books.final('payout', 'FAILED', entry.currency)),
  ),
  balances(
    'failed-payout-returned-twice',
    'a failed payout is returned twice',
    'money/payout/returned',
    (entry, books) => plus(entry, books.final('payout', 'FAILED', entry.currency)),
  ),
  balances(
    'succeeded-payout-returned',
    'a payout that succeeded is returned',
    'money/payout/withdrawn',
    (entry, books) => plus(entry, books.final('payout', 'SUCCESS', entry.currency)),
  ),
  balances('payment-collected-twice', 'a payment is collected twice', 'money/payment/collected', (entry, books) =>
    plus(entry, books.final('payment', 'SUCCESS', entry.currency, 'amount_paid')),
  ),
  balances(
    'payment-never-collected',
    'a payment never reaches the balance',
    'money/payment/collected',
    (entry, books) => plus(entry, -books.final('payment', 'SUCCESS', entry.currency, 'amount_paid')),
    'differs',
  ),
  balances(
    'failed-payment-collected',
    'a failed payment is collected',
    'walk/transactions-and-wallet',
    (entry, books) => plus(entry, books.final('payment', 'FAILED', entry.currency)),
  ),
  frozen,
  balances('negative', 'the balance is negative', 'money/balance', (entry) => plus(entry, -1_000_000_000)),
  balances('one-negative', 'the balance of a wallet without money is negative', 'money/balance', (entry) =>
    entry.available === 0 ? { available: -1 } : {},
  ),
  balances('negative-pending', 'the pending amount of a wallet is negative', 'money/balance', (entry) =>
    entry.pending === 0 ? { pending: -5 } : {},
  ),
  emptyDropped,
  neverSettled,
  balances(
    'drained-by-reading',
    'each read takes something from the balance',
    'money/payout/returned',
    (entry, _books, reads) => plus(entry, -reads * 10),
  ),
  balances(
    'in-another-currency',
    'a payout is taken from the wallet of another currency',
    'money/payout/withdrawn',
    (entry, books) => {
      if (entry.currency === 'INR') return plus(entry, books.paidOut('INR'));
      return entry.currency === 'MAD' ? plus(entry, -books.paidOut('INR')) : {};
    },
  ),
];

const PENDING_MS = 5_000;

const fromPending = defect(
  {
    id: 'money/payout/from-pending',
    title: 'money is paid out while it is pending',
    verdict: 'differs',
    foundBy: 'wallet/INR/payments',
  },
  () => {
    const seen = new Map<string, { last: number; gains: { amount: number; at: number }[] }>();
    const show = (entry: Entry): Entry => {
      const known = seen.get(entry.currency) ?? { last: entry.available, gains: [] };
      const gained = entry.available - known.last;
      if (gained > 0) known.gains.push({ amount: gained, at: Date.now() });
      seen.set(entry.currency, { ...known, last: entry.available });
      const recent = known.gains.filter(({ at }) => Date.now() - at < PENDING_MS);
      const held = Math.min(
        entry.available,
        recent.reduce((total, { amount }) => total + amount, 0),
      );
      return { ...entry, available: entry.available - held, pending: entry.pending + held };
    };
    return {
      settlementMs: 1,
      response(response, { operation, headers }, { key }) {
        const body = toObject(response.body);
        if (operation !== 'getBalance' || !Array.isArray(body['balances'])) return;
        if (headers['authorization'] !== `Bearer ${key}`) return;
        const balances = (body['balances'] as unknown as Entry[]).map(show);
        response.body = { ...body, balances: balances as unknown as Json[] };
      },
    };
  },
);

/** Declines payouts for lack of money, by the simulation's test customer, although the balance shows enough. */
function declined(
  id: string,
  title: string,
  foundBy: string,
  applies: (amount: number, available: number) => boolean,
  verdict: Defect['verdict'] = 'violating',
): Defect {
  return defect({ id: `money/payout/${id}`, title, foundBy, verdict }, () => ({
    async request(request, { send }) {
      if (request.operation !== 'createPayout') return undefined;
      const body = toObject(request.body);
      const headers = { authorization: String(request.headers['authorization']) };
      const balance = await send({ method: 'GET', path: '/merchant/balance', headers });
      const entries = (toObject(balance.body)['balances'] ?? []) as unknown as Entry[];
      const available = entries.find(({ currency }) => currency === body['currency'])?.available ?? 0;
      if (!applies(Number(body['amount']), available)) return undefined;
      rewrite(request, { ...body, customer: { ...toObject(body['customer']), id: 'decline-INSUFFICIENT_BALANCE' } });
      return undefined;
    },
  }));
}

const payouts: readonly Defect[] = [
  fromPending,
  declined(
    'all-that-is-available',
    'a payout of exactly the available amount is declined',
    'wallet/INR/payouts',
    (amount, available) => amount === available,
    'differs',
  ),
  declined(
    'although-funded',
    'payouts are declined for lack of money, whatever the wallet has',
    'state/payout/SUCCESS',
    (amount, available) => amount < available,
  ),
  asking(
    {
      id: 'money/payout/server-error',
      title: 'createPayout fails for some customers',
      foundBy: 'money/payout/returned',
    },
    'createPayout',
    ({ body }) =>
      String(toObject(toObject(body)['customer'])['id']).startsWith('decline-')
        ? json(500, { title: 'Internal error', status: 500 })
        : undefined,
  ),
  shown(
    {
      id: 'money/payout/beyond-the-balance',
      title: 'a payout beyond the balance succeeds',
      foundBy: 'money/payout/insufficient',
    },
    { kind: 'payout', status: 'FAILED' },
    (payout) => {
      if (payout['decline_reason'] !== 'INSUFFICIENT_BALANCE') return;
      delete payout['decline_reason'];
      payout['status'] = 'SUCCESS';
    },
  ),
  shown(
    {
      id: 'money/payout/other-reason',
      title: 'a payout beyond the balance fails with BANK_REJECTED',
      foundBy: 'money/payout/insufficient',
    },
    { kind: 'payout', status: 'FAILED' },
    (payout) => {
      if (payout['decline_reason'] === 'INSUFFICIENT_BALANCE') payout['decline_reason'] = 'BANK_REJECTED';
    },
  ),
  defect(
    {
      id: 'money/payout/beyond-stays-processing',
      title: 'a payout beyond the balance is never declined',
      foundBy: 'money/payout/insufficient',
    },
    () => {
      const isBeyond = (one: JsonObject) => one['decline_reason'] === 'INSUFFICIENT_BALANCE';
      return {
        transaction(transaction, { on }) {
          if (on === 'webhook' || !isBeyond(transaction)) return;
          delete transaction['decline_reason'];
          delete transaction['finalized_at'];
          transaction['status'] = 'PROCESSING';
        },
        webhook: (webhook) => (findPlace(webhook).kind === 'payout' && isBeyond(webhook.body) ? [] : undefined),
      };
    },
  ),
];

const otherMerchant = responding(
  { id: 'money/balance/other-merchant', title: 'each balance has another merchant_id', foundBy: 'money/balance' },
  'getBalance',
  (() => {
    let reads = 0;
    return ({ body }) => turned('merchant_id', (id) => Number(id) + ++reads)(toObject(body));
  })(),
);

export const money: readonly Defect[] = [...repeated, ...wallet, ...payouts, otherMerchant];
