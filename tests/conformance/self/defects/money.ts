/** Money that moves twice, never, or out of nowhere. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { rewrite, toObject } from '../alteration.ts';
import type { Defect } from '../trial.ts';
import { asking, defect, FINAL, readCustomer, responding, set, shown, turned } from './build.ts';

/** The merchant's money, according to the webhooks of a valid service. */
class Books {
  readonly created: JsonObject[] = [];
  readonly ended = new Map<string, JsonObject>();

  /** Payouts that took money: in progress or successful. */
  paidOut(currency: string): number {
    const open = this.created.filter(({ transaction_id: id }) => this.ended.get(String(id))?.['status'] !== 'FAILED');
    return sum(open, currency);
  }

  /** Final transactions of the kind with the status. */
  final(kind: string, status: string, currency: string): number {
    const fitting = [...this.ended.values()].filter(
      (one) => one['status'] === status && ('payment_method' in one ? 'payment' : 'payout') === kind,
    );
    return sum(
      fitting.filter((one) => one['decline_reason'] !== 'INSUFFICIENT_BALANCE'),
      currency,
    );
  }

  collected(currency: string): number {
    return sum([...this.ended.values()], currency, 'amount_paid');
  }
}

function sum(all: readonly JsonObject[], currency: string, field = 'amount'): number {
  return all.filter((one) => one['currency'] === currency).reduce((total, one) => total + Number(one[field] ?? 0), 0);
}

/** Transactions within this time of the one before overwrite each other. Longer than on a quiet machine. */
const LOST_MS = 500;

/** The sum of the transactions that moved a wallet at the same time as the one before. */
function sumLost(all: Iterable<JsonObject>, time: string, currency: string, field: string): number {
  const readTime = (one: JsonObject | undefined) => Date.parse(String(one?.[time]));
  const moving = [...all].filter((one) => one['currency'] === currency && field in one);
  const inOrder = moving.toSorted((one, other) => readTime(one) - readTime(other));
  const lost = inOrder.filter((one, index) => readTime(one) - readTime(inOrder[index - 1]) < LOST_MS);
  return sum(lost, currency, field);
}

type Entry = { readonly available: number; readonly pending: number; readonly currency: string };

/** Shows other balances. */
function balances(
  id: string,
  found: string,
  change: (entry: Entry, books: Books, reads: number) => Partial<Entry> | undefined,
): Defect {
  return defect(`balance/${id}`, found, () => {
    const books = new Books();
    let reads = 0;
    return {
      response(response, { operation }) {
        const body = toObject(response.body);
        if (operation === 'createPayout' && response.status === 201) books.created.push(body);
        if (operation !== 'getBalance' || !Array.isArray(body['balances'])) return;
        reads += 1;
        const entries = body['balances'] as unknown as Entry[];
        const changed = entries.flatMap((entry) => {
          const changes = change(entry, books, reads);
          return changes ? [{ ...entry, ...changes }] : [];
        });
        response.body = { ...body, balances: changed };
      },
      transaction(transaction, { on, status }) {
        if (FINAL.includes(status) && on !== 'createPayment')
          books.ended.set(String(transaction['transaction_id']), { ...transaction });
      },
    };
  });
}

const plus = (entry: Entry, change: number) => ({ available: entry.available + change });

const wallets: readonly Defect[] = [
  balances('payout-takes-nothing', 'money/payout/withdrawn', (entry, books) =>
    plus(entry, books.paidOut(entry.currency)),
  ),
  balances('failed-payout-not-returned', 'money/payout/returned', (entry, books) =>
    plus(entry, -books.final('payout', 'FAILED', entry.currency)),
  ),
  balances('failed-payout-taken-twice', 'wallet/MAD/payouts', (entry, books) =>
    plus(entry, -2 * books.final('payout', 'FAILED', entry.currency)),
  ),
  balances('payment-collected-twice', 'money/payment/collected', (entry, books) =>
    plus(entry, books.collected(entry.currency)),
  ),
  balances('payment-never-collected', 'differs money/payment/collected', (entry, books) =>
    plus(entry, -books.collected(entry.currency)),
  ),
  balances('failed-payment-collected', 'walk/transactions-and-wallet', (entry, books) =>
    plus(entry, books.final('payment', 'FAILED', entry.currency)),
  ),
  balances('late-decline-credited', 'differs wallet/DZD/payments', (entry, books) =>
    plus(entry, books.final('payment', 'FAILED', entry.currency)),
  ),
  balances('requested-amount', 'differs wallet/INR/payments', creditRequested),
  balances('requested-larger-amount', 'wallet/EGP/payments', creditRequested),
  balances('other-currency', 'wallet/MAD/payments', (entry, books) => {
    const moved = books.collected('MAD');
    return plus(entry, { MAD: -moved, DZD: moved }[entry.currency] ?? 0);
  }),
  balances('rest-lost', 'differs wallet/DZD/payouts', ({ available }) => (available === 1 ? { available: 0 } : {})),
  balances('taken-when-successful', 'differs wallet/INR/payouts', (entry, books) =>
    plus(entry, countOpen(entry, books)),
  ),
  balances('held-is-pending', 'differs wallet/INR/payouts', (entry, books) => ({
    pending: entry.pending + countOpen(entry, books),
  })),
  balances('lost-credit', 'differs race/payments', (entry, { ended }) => {
    const lost = sumLost(ended.values(), 'finalized_at', entry.currency, 'amount_paid');
    return entry.pending >= lost ? { pending: entry.pending - lost } : plus(entry, -lost);
  }),
  balances('lost-debit', 'race/payouts', (entry, { created }) =>
    plus(entry, sumLost(created, 'created_at', entry.currency, 'amount')),
  ),
  balances('negative', 'money/balance', (entry) => plus(entry, -1_000_000_000)),
  balances('negative-pending', 'money/balance', (entry) => (entry.pending === 0 ? { pending: -5 } : {})),
  balances('empty-dropped', 'money/balance', ({ available, pending }) => (available + pending > 0 ? {} : undefined)),
  balances('drained-by-reading', 'money/payout/returned', (entry, _books, reads) => plus(entry, -reads * 10)),
  responding('balance/twice-one-currency', 'money/balance', 'getBalance', ({ body }) => {
    const list = toObject(body)['balances'];
    if (Array.isArray(list)) list.push({ ...toObject(list[0]) });
  }),
  balanceField('other-merchant', 'money/balance', 'merchant_id', () => Math.ceil(Math.random() * 1e9)),
  balanceField('never-updated', 'differs money/last-updated', 'last_updated_at', () => '2026-01-05T08:00:00Z'),
  balanceField('always-updated', 'differs money/last-updated', 'last_updated_at', () => new Date().toISOString()),
  balanceField('updated-in-local-time', 'money/last-updated', 'last_updated_at', (time) =>
    new Date(Date.parse(String(time)) + 19_800_000).toISOString(),
  ),
];

/** The requested amount is credited instead of the paid one. */
function creditRequested(entry: Entry, books: Books): Partial<Entry> {
  return plus(entry, books.final('payment', 'SUCCESS', entry.currency) - books.collected(entry.currency));
}

/** The amounts of the payouts in progress. */
function countOpen({ currency }: Entry, books: Books): number {
  return books.paidOut(currency) - books.final('payout', 'SUCCESS', currency);
}

/** Shows another value next to the balances. */
function balanceField(id: string, found: string, field: string, turn: (value: Json) => Json): Defect {
  return responding(`balance/${id}`, found, 'getBalance', ({ body }) => turned(field, turn)(toObject(body)));
}

/** Declines payouts for lack of money, by the simulation's test customer, although the balance shows enough. */
function declined(id: string, found: string, applies: (amount: number, available: number) => boolean): Defect {
  return asking(`payout/${id}`, found, 'createPayout', async (request, { send }) => {
    const body = toObject(request.body);
    const headers = { authorization: String(request.headers['authorization']) };
    const balance = await send({ method: 'GET', path: '/merchant/balance', headers });
    const entries = (toObject(balance.body)['balances'] ?? []) as unknown as Entry[];
    const available = entries.find(({ currency }) => currency === body['currency'])?.available ?? 0;
    if (!applies(Number(body['amount']), available)) return;
    rewrite(request, { ...body, customer: { ...readCustomer(request), id: 'decline-INSUFFICIENT_BALANCE' } });
  });
}

/** Shows declines for lack of money differently. */
function uncovered(id: string, change: (payout: JsonObject) => void): Defect {
  const isUncovered = (payout: JsonObject) => payout['decline_reason'] === 'INSUFFICIENT_BALANCE';
  return shown(`payout/${id}`, 'money/payout/insufficient', { kind: 'payout' }, (payout) => {
    if (isUncovered(payout)) change(payout);
  });
}

const payouts: readonly Defect[] = [
  declined('all-that-is-available', 'differs wallet/INR/payouts', (amount, available) => amount === available),
  declined('although-funded', 'state/payout/SUCCESS', (amount, available) => amount < available),
  uncovered('beyond-the-balance', (payout) => {
    delete payout['decline_reason'];
    payout['status'] = 'SUCCESS';
  }),
  uncovered('other-reason', set('decline_reason', 'BANK_REJECTED')),
  shown('payment/requested', 'wallet/INR/payments', { kind: 'payment', status: 'SUCCESS' }, (payment) =>
    set('amount_paid', payment['amount'] ?? 0)(payment),
  ),
];

export const money: readonly Defect[] = [...wallets, ...payouts];
