import type { JsonObject } from '../../../contract/src/model.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, formatValue, NotReached } from '../core/finding.ts';
import { foundStatus, settled } from '../core/judge.ts';
import { isSuccess, KINDS, lastSeen, OPERATION_NAMES, statusOf, type Tracked } from '../core/tracked.ts';
import { declineReasons } from '../core/transaction.ts';
import { FEE_PART_MAX, type ShownWallet, steadyWallet, walletOnceTotalIs } from '../core/wallet.ts';
import { assumption, type Clause, specified } from '../document/basis.ts';
import type { Contract } from '../document/contract.ts';
import { memberOf, textOf } from '../service/exchange.ts';
import { judgeUpdated } from './last-updated.ts';
import { currencyOf } from './levels.ts';

const PAYOUT_PATH = 'createPayout';
const COLLECTED = { flow: 'h2h', until: 'SUCCESS' } as const;
const UPDATED_AT = '/components/schemas/Balance/properties/last_updated_at';

export function moneyChecks(contract: Contract): Check[] {
  const withdrawn = specified('4.6', contract.operation(PAYOUT_PATH).pointer);
  return [
    {
      ...phase('payout/withdrawn', 'A payout takes its amount from the wallet, once', withdrawn),
      walletOf: currencyOf({ until: 'SUCCESS' }),
      run: (context) => judgeTwice(() => judgePayout(context, 'SUCCESS', withdrawn)),
    },
    {
      ...phase('payout/returned', 'A payout that failed takes nothing from the wallet', withdrawn),
      walletOf: currencyOf({ until: 'FAILED' }),
      run: (context) => judgeTwice(() => judgePayout(context, 'FAILED', withdrawn)),
    },
    {
      ...phase(
        'payout/insufficient',
        'A payout beyond the balance is declined with INSUFFICIENT_BALANCE',
        specified('8', contract.operation(PAYOUT_PATH).pointer),
      ),
      levels: ['payouts'],
      walletOf: (driver) => textOf(driver.emptyWallet, 'currency') ?? currencyOf({ until: 'SUCCESS' })(driver),
      run: (context) => judgeTwice(() => judgeInsufficient(context)),
    },
    {
      ...phase(
        'payment/collected',
        'A payment adds what was paid to the wallet, once',
        assumption(contract.bundle, 'pending'),
      ),
      operation: 'createPayment',
      partOf: ['payments-h2h'],
      walletOf: currencyOf(COLLECTED),
      run: (context) => judgeTwice(() => judgeCollected(context)),
    },
    {
      ...phase(
        'balance',
        'The balance has one entry for each currency, and none is negative',
        specified('2.4', '/components/schemas/Balance'),
      ),
      ...{ operation: 'getBalance', phase: 'end', partOf: [] },
      run: async (context) => judgeBalances(context),
    },
    {
      ...phase('last-updated', 'The balance was last updated when it last changed', specified('2.4', UPDATED_AT)),
      ...{ operation: 'getBalance', phase: 'end', partOf: ['payments-h2h', 'payments-redirect'] },
      run: (context) => settled(() => judgeUpdated(context)),
    },
  ];
}

function phase(id: string, title: string, clause: Clause): Omit<Check, 'run'> {
  return { id: `money/${id}`, title, clause, phase: 'money', operation: PAYOUT_PATH, levels: [], partOf: ['payouts'] };
}

/** Someone else may use the same wallet at the same time, so one surprise proves nothing. */
export async function judgeTwice(judge: () => Promise<Finding[]>): Promise<Finding[]> {
  const first = await judge();
  return first.length === 0 ? first : judge();
}

async function judgePayout(context: Context, until: string, clause: Clause): Promise<Finding[]> {
  const { fixtures } = context;
  const body = fixtures.bodyFor('payout', { until });
  const [currency, amount] = [String(body['currency']), Number(body['amount'])];
  await fixtures.funded(currency, amount);
  const before = await steadyWallet(context, currency);
  // Not by newPayout, which fills a wallet that is short, and so moves what is compared.
  await fixtures.drive(await fixtures.create('payout', body), { until });
  const expected = until === 'SUCCESS' ? before.total - amount : before.total;
  const after = await walletOnceTotalIs(context, currency, expected);
  // A fee can be part of what is paid out, and of nothing else.
  return judgeTotal(context, { before, after, expected, amount: until === 'SUCCESS' ? amount : 0, clause });
}

interface Movement {
  readonly before: ShownWallet;
  readonly after: ShownWallet;
  readonly expected: number;
  readonly amount: number;
  readonly clause: Clause;
}

/** A fee is not in the contract, and not against the source either. */
export function judgeTotal({ contract }: Context, { before, after, expected, amount, clause }: Movement): Finding[] {
  if (after.total === expected) return [];
  const missing = expected - after.total;
  const isFee = missing > 0 && missing < amount * FEE_PART_MAX;
  const hint = before.keptChanging ? '; it kept changing before, so use a merchant that nothing else uses' : '';
  return [
    {
      at: 'body /balances',
      expected: `available and pending together ${expected}, ${before.total} before${hint}`,
      found: String(after.total),
      binds: after.total > expected,
      clause: isFee ? assumption(contract.bundle, 'pending') : clause,
      exchange: after.exchange,
    },
  ];
}

/** Puts back what the driver has taken out of the wallet. */
async function judgeInsufficient(context: Context): Promise<Finding[]> {
  const { driver, fixtures } = context;
  const body = driver.emptyWallet ?? fixtures.bodyFor('payout', { until: 'SUCCESS' });
  // In any other currency, payouts of other checks need the money.
  const drained = driver.emptyWallet && fixtures.drain(String(body['currency']));
  // The wallet of a service that can't be emptied is tried as it is.
  const refill = await drained?.catch(() => undefined);
  try {
    return await judgeBeyond(context, body);
  } finally {
    await refill?.();
  }
}

/** Judges a payout of the amount of the body more than the wallet holds. */
async function judgeBeyond(context: Context, body: JsonObject): Promise<Finding[]> {
  const { contract, fixtures, send, receiver, orderId } = context;
  const clause = specified('8', contract.operation(PAYOUT_PATH).pointer);
  const currency = String(body['currency']);
  const before = await steadyWallet(context, currency);
  // A pending amount can become available at any time.
  const amount = before.total + Number(body['amount']);
  const operation = contract.operation(PAYOUT_PATH);
  const call = {
    operation,
    body: { ...body, amount, merchant_order_id: orderId(), callback_url: receiver.endpoint().url },
  };
  const creation = await send(call);
  if (!isSuccess(operation, creation)) {
    const declines = assumption(contract.bundle, 'declines');
    return [
      {
        at: 'status',
        expected: 'a payout that is declined',
        found: foundStatus(creation),
        clause: declines,
        exchange: creation,
      },
    ];
  }
  const id = textOf(creation.body, 'transaction_id') ?? '';
  const tracked = {
    ...{ kind: 'payout' as const, id, call, creation, endpoint: receiver.endpoint() },
    reads: [],
    actions: [],
    pagesPaid: 0,
  };
  // The driver would simulate what the service has to do.
  await fixtures.follow(tracked, { until: 'FAILED' }).catch(() => undefined);
  const seen = lastSeen(tracked);
  const reason = textOf(seen, 'decline_reason');
  if (statusOf(tracked) === 'FAILED' && ['INVALID_AMOUNT', 'LIMIT_EXCEEDED'].includes(reason ?? '')) {
    const remedy = 'let the driver empty a wallet: set emptyWallet and drainWallet';
    throw new NotReached(`the payout became FAILED with ${reason} first`, remedy);
  }
  const last = tracked.reads.at(-1) ?? creation;
  if (statusOf(tracked) !== 'FAILED' || reason !== 'INSUFFICIENT_BALANCE') {
    const found = `${statusOf(tracked)}${reason ? ` with ${reason}` : ''}, ${before.total} available and pending for ${amount}`;
    // A code outside of the tables is tolerated (source 7.3).
    const isUnknown =
      statusOf(tracked) === 'FAILED' && !KINDS.some((kind) => declineReasons(contract, kind).includes(reason ?? ''));
    const own = isUnknown ? assumption(contract.bundle, 'enums-open') : clause;
    return [{ at: 'body /status', expected: 'FAILED with INSUFFICIENT_BALANCE', found, clause: own, exchange: last }];
  }
  const after = await walletOnceTotalIs(context, currency, before.total);
  return judgeTotal(context, { before, after, expected: before.total, amount: 0, clause });
}

async function judgeCollected(context: Context): Promise<Finding[]> {
  const { fixtures } = context;
  const body = fixtures.bodyFor('payment', COLLECTED);
  const before = await steadyWallet(context, String(body['currency']));
  return judgeGain(context, before, await fixtures.newPayment(COLLECTED));
}

/** The wallet has gained what was paid, once. `before` is the wallet before the payment. */
export async function judgeGain(context: Context, before: ShownWallet, tracked: Tracked): Promise<Finding[]> {
  const paid = Number(memberOf(lastSeen(tracked), 'amount_paid'));
  const expected = before.total + paid;
  const after = await walletOnceTotalIs(context, String(memberOf(tracked.call.body, 'currency')), expected);
  const clause = assumption(context.contract.bundle, 'pending');
  return judgeTotal(context, { before, after, expected, amount: paid, clause });
}

/** Every balance that the run has read. */
function judgeBalances({ contract, journal }: Context): Finding[] {
  const id = OPERATION_NAMES.payout.create;
  const overdrawn = specified('8', contract.operation(id).pointer);
  const own = specified('2.4', '/components/schemas/Balance');
  const reads = journal.exchanges.filter(({ call, status }) => call.operation.id === 'getBalance' && status === 200);
  if (reads.length === 0) throw new NotReached('no balance was read', 'correct what replay/getBalance reports');
  return reads
    .flatMap((exchange): Finding[] => {
      const list = memberOf(exchange.body, 'balances');
      const entries = Array.isArray(list) ? list : [];
      const currencies = entries.map((entry) => String(memberOf(entry, 'currency')));
      const twice = currencies.find((currency, index) => currencies.indexOf(currency) !== index);
      const negative = entries.findIndex((entry) => Number(memberOf(entry, 'available')) < 0);
      return [
        ...(twice === undefined
          ? []
          : [
              {
                at: 'body /balances',
                expected: 'one entry for each currency',
                found: `two for ${twice}`,
                clause: own,
                exchange,
              },
            ]),
        ...(negative < 0
          ? []
          : [
              {
                at: `body /balances/${negative}/available`,
                expected: 'at least 0',
                found: formatValue(memberOf(entries[negative], 'available')),
                clause: overdrawn,
                exchange,
              },
            ]),
      ];
    })
    .slice(0, 1);
}
