/** Money that moves twice, never, or out of nowhere. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, findPlace, json, responding, row, shown, turned } from './build.ts';

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
  foundBy: string,
  change: (entry: Entry, books: Books, reads: number) => Partial<Entry>,
  verdict: Defect['verdict'] = 'violating',
): Defect {
  return defect(row(`money/balance/${id}`, foundBy, verdict), () => {
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
const INITIAL = 10_000_000;

const neverUpdated = defect(
  row('money/balance/last_updated_at-never-changes', 'money/last-updated', 'differs', {
    only: ['money/last-updated', 'state/payment/h2h/SUCCESS'],
  }),
  () => ({
    response(response, { operation }) {
      if (operation !== 'getBalance' || response.status !== 200) return;
      response.body = { ...toObject(response.body), last_updated_at: '2026-01-05T08:00:00Z' };
    },
  }),
);

const updatedLate = defect(
  row('money/balance/last_updated_at-of-the-change-before', 'money/last-updated', 'differs', {
    only: ['money', 'walk', 'wallet'],
  }),
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
  row('money/balance/empty-dropped', 'money/balance', 'violating', {
    only: ['money/balance', 'wallet/EGP', 'wallet/MAD'],
  }),
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
  balances('payout-takes-nothing', 'money/payout/withdrawn', (entry, books) =>
    plus(entry, books.paidOut(entry.currency)),
  ),
  balances('payout-taken-twice', 'money/payout/withdrawn', (entry, books) =>
    plus(entry, -books.paidOut(entry.currency)),
  ),
  balances('payout-taken-once-more-when-done', 'money/payout/withdrawn', (entry, books) =>
    plus(entry, -books.final('payout', 'SUCCESS', entry.currency)),
  ),
  balances('failed-payout-not-returned', 'money/payout/returned', (entry, books) =>
    plus(entry, -books.final('payout', 'FAILED', entry.currency)),
  ),
  balances('failed-payout-returned-twice', 'money/payout/returned', (entry, books) =>
    plus(entry, books.final('payout', 'FAILED', entry.currency)),
  ),
  balances('payment-collected-twice', 'money/payment/collected', (entry, books) =>
    plus(entry, books.final('payment', 'SUCCESS', entry.currency, 'amount_paid')),
  ),
  balances(
    'payment-never-collected',
    'money/payment/collected',
    (entry, books) => plus(entry, -books.final('payment', 'SUCCESS', entry.currency, 'amount_paid')),
    'differs',
  ),
  balances('failed-payment-collected', 'walk/transactions-and-wallet', (entry, books) =>
    plus(entry, books.final('payment', 'FAILED', entry.currency)),
  ),
  balances('negative', 'money/balance', (entry) => plus(entry, -1_000_000_000)),
  balances('one-negative', 'money/balance', (entry) => (entry.available === 0 ? { available: -1 } : {})),
  balances('negative-pending', 'money/balance', (entry) => (entry.pending === 0 ? { pending: -5 } : {})),
  emptyDropped,
  neverSettled,
  balances('drained-by-reading', 'money/payout/returned', (entry, _books, reads) => plus(entry, -reads * 10)),
  balances('in-another-currency', 'money/payout/withdrawn', (entry, books) => {
    if (entry.currency === 'INR') return plus(entry, books.paidOut('INR'));
    return entry.currency === 'MAD' ? plus(entry, -books.paidOut('INR')) : {};
  }),
];

const PENDING_MS = 5_000;

const fromPending = defect(row('money/payout/from-pending', 'wallet/INR/payments', 'differs'), () => {
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
});

/** Declines payouts for lack of money, by the simulation's test customer, although the balance shows enough. */
function declined(
  id: string,
  foundBy: string,
  applies: (amount: number, available: number) => boolean,
  verdict: Defect['verdict'] = 'violating',
): Defect {
  return defect(row(`money/payout/${id}`, foundBy, verdict), () => ({
    async request(request, { send }) {
      if (request.operation !== 'createPayout') return;
      const body = toObject(request.body);
      const headers = { authorization: String(request.headers['authorization']) };
      const balance = await send({ method: 'GET', path: '/merchant/balance', headers });
      const entries = (toObject(balance.body)['balances'] ?? []) as unknown as Entry[];
      const available = entries.find(({ currency }) => currency === body['currency'])?.available ?? 0;
      if (!applies(Number(body['amount']), available)) return;
      rewrite(request, { ...body, customer: { ...toObject(body['customer']), id: 'decline-INSUFFICIENT_BALANCE' } });
    },
  }));
}

const payouts: readonly Defect[] = [
  fromPending,
  declined('all-that-is-available', 'wallet/INR/payouts', (amount, available) => amount === available, 'differs'),
  declined('although-funded', 'state/payout/SUCCESS', (amount, available) => amount < available),
  asking(row('money/payout/server-error', 'money/payout/returned'), 'createPayout', ({ body }) =>
    String(toObject(toObject(body)['customer'])['id']).startsWith('decline-')
      ? json(500, { title: 'Internal error', status: 500 })
      : undefined,
  ),
  shown(
    row('money/payout/beyond-the-balance', 'money/payout/insufficient'),
    { kind: 'payout', status: 'FAILED' },
    (payout) => {
      if (payout['decline_reason'] !== 'INSUFFICIENT_BALANCE') return;
      delete payout['decline_reason'];
      payout['status'] = 'SUCCESS';
    },
  ),
  shown(
    row('money/payout/other-reason', 'money/payout/insufficient'),
    { kind: 'payout', status: 'FAILED' },
    (payout) => {
      if (payout['decline_reason'] === 'INSUFFICIENT_BALANCE') payout['decline_reason'] = 'BANK_REJECTED';
    },
  ),
  defect(row('money/payout/beyond-stays-processing', 'money/payout/insufficient'), () => {
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
  }),
];

const otherMerchant = responding(
  row('money/balance/other-merchant', 'money/balance'),
  'getBalance',
  (() => {
    let reads = 0;
    return ({ body }) => turned('merchant_id', (id) => Number(id) + ++reads)(toObject(body));
  })(),
);

export const money: readonly Defect[] = [...wallet, ...payouts, otherMerchant];
