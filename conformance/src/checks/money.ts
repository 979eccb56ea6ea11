import { type Json, type JsonObject, readMember } from '../../../contract/src/model.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, formatValue, NotReached } from '../core/finding.ts';
import { SETTLED, UNSETTLED } from '../core/fixtures.ts';
import { settled } from '../core/judge.ts';
import {
  declineReasons,
  KINDS,
  lastSeen,
  OPERATION_NAMES,
  readStatus,
  type TrackedTransaction,
} from '../core/transactions.ts';
import { FEE_PART_MAX, readWallet, type ShownWallet, steadyWallet, walletOnceTotalIs } from '../core/wallet.ts';
import { type Clause, type Contract, specified } from '../document/contract.ts';
import { type Exchange, readString } from '../service/exchange.ts';
import { poll } from '../time/awake.ts';
import { createOrFinding, listCurrencies } from './customers/round-trip.ts';
import { judgeUpdated, UPDATED_AT } from './last-updated.ts';
import { claimedFlow, KIND_LEVELS, readGoalCurrency } from './levels.ts';

const PAYOUT_PATH = 'createPayout';
const NO_FUNDS = 'INSUFFICIENT_BALANCE';
/** Reasons for which a service can decline a payout before it looks at the wallet. */
const LIMITS = ['INVALID_AMOUNT', 'LIMIT_EXCEEDED'];
/** A service that reads several copies of its data can be this much behind. */
const BEHIND_MS = 1_000;
const POLL_MS = 250;
const BEYOND_ATTEMPTS = 3;
const COLLECTED = { flow: 'h2h', until: 'SUCCESS' } as const;

export function moneyChecks(contract: Contract): Check[] {
  const withdrawn = specified('4.6', contract.operation(PAYOUT_PATH).pointer);
  return [
    {
      ...phase('payout/withdrawn', 'A payout takes its amount from the wallet, once', withdrawn),
      walletOf: readGoalCurrency({ until: 'SUCCESS' }),
      run: (context) => judgeTwice(() => judgePayout(context, 'SUCCESS', withdrawn)),
    },
    {
      ...phase('payout/returned', 'A payout that failed takes nothing from the wallet', withdrawn),
      walletOf: readGoalCurrency({ until: 'FAILED' }),
      run: (context) => judgeTwice(() => judgePayout(context, 'FAILED', withdrawn)),
    },
    {
      ...phase(
        'payout/insufficient',
        'A payout beyond the balance is declined with INSUFFICIENT_BALANCE',
        specified('8', contract.operation(PAYOUT_PATH).pointer),
      ),
      levels: ['payouts'],
      walletOf: (driver) =>
        readString(driver.emptyWallet, 'currency') ?? readGoalCurrency({ until: 'SUCCESS' })(driver),
      run: (context) => judgeTwice(() => judgeInsufficient(context)),
    },
    {
      ...phase(
        'payment/collected',
        'A payment adds the paid amount to the wallet, once',
        contract.assumption('pending'),
      ),
      operation: 'createPayment',
      partOf: ['payments-h2h'],
      walletOf: readGoalCurrency(COLLECTED),
      run: (context) => judgeTwice(() => judgeCollected(context)),
    },
    {
      ...phase(
        'balance',
        'The balance keeps one entry for each currency, and none is negative',
        specified('2.4', '/components/schemas/Balance'),
      ),
      ...{ operation: 'getBalance', phase: 'end', partOf: [] },
      run: judgeBalances,
    },
    {
      ...phase('settlement', 'Money that is collected becomes available', contract.assumption('pending')),
      ...{ operation: 'getBalance', phase: 'end', levels: ['payouts'], needs: KIND_LEVELS.payment },
      run: judgeSettlement,
    },
    {
      ...phase('last-updated', 'The balance was last updated when it last changed', specified('2.4', UPDATED_AT)),
      ...{ operation: 'getBalance', phase: 'end', partOf: KIND_LEVELS.payment },
      run: (context) => settled(() => judgeUpdated(context)),
    },
  ];
}

function phase(id: string, title: string, clause: Clause): Omit<Check, 'run'> {
  return { id: `money/${id}`, title, clause, phase: 'money', operation: PAYOUT_PATH, levels: [], partOf: ['payouts'] };
}

/** Repeats a failed judgment once, since others may use the wallet at the same time. */
export async function judgeTwice(judge: () => Promise<Finding[]>): Promise<Finding[]> {
  const first = await judge();
  return first.length === 0 ? first : judge();
}

async function judgePayout(context: Context, until: string, clause: Clause): Promise<Finding[]> {
  const { fixtures } = context;
  const body = fixtures.bodyFor({ until });
  const [currency, amount] = [String(body['currency']), Number(body['amount'])];
  await fixtures.funded(currency, amount);
  const before = await steadyWallet(context, currency);
  // newPayout would fill an underfunded wallet, and change the compared balance.
  await fixtures.drive(await fixtures.create('payout', body), { until });
  const expected = until === 'SUCCESS' ? before.total - amount : before.total;
  // Only a successful payout can include a fee.
  return judgeTotal(context, currency, { before, expected, amount: until === 'SUCCESS' ? amount : 0, clause });
}

interface Movement {
  /** The wallet before it. */
  readonly before: ShownWallet;
  /** The total after it. */
  readonly expected: number;
  readonly amount: number;
  readonly clause: Clause;
}

/** Waits for the total. A fee is not in the contract, and not against the source either. */
export async function judgeTotal(
  context: Context,
  currency: string,
  { before, expected, amount, clause }: Movement,
): Promise<Finding[]> {
  const after = await walletOnceTotalIs(context, currency, expected);
  if (after.total === expected) return [];
  const missing = expected - after.total;
  const isFee = missing > 0 && missing < amount * FEE_PART_MAX;
  const hint = before.keptChanging ? '; it kept changing before, so use a merchant that nothing else uses' : '';
  const text = `available and pending together ${expected}, ${before.total} before${hint}`;
  const evidence = { at: 'body /balances', expected: text, found: String(after.total), exchange: after.exchange };
  return [
    { ...evidence, binds: after.total > expected, clause: isFee ? context.contract.assumption('pending') : clause },
  ];
}

/** Refills the wallet after the driver has drained it. */
async function judgeInsufficient(context: Context): Promise<Finding[]> {
  const { driver, fixtures } = context;
  const body = driver.emptyWallet ?? fixtures.bodyFor({ until: 'SUCCESS' });
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
async function judgeBeyond(context: Context, body: JsonObject, attempts = BEYOND_ATTEMPTS): Promise<Finding[]> {
  const { contract } = context;
  const clause = specified('8', contract.operation(PAYOUT_PATH).pointer);
  const currency = String(body['currency']);
  const before = await steadyWallet(context, currency);
  // A pending amount can become available at any time.
  const amount = before.total + Number(body['amount']);
  const declines = contract.assumption('declines');
  const tracked = await createOrFinding(context, 'payout', { ...body, amount }, {}, declines);
  if (Array.isArray(tracked)) return tracked.map((one) => ({ ...one, expected: 'a payout that is declined' }));
  const found = `${before.total} available and pending for ${amount}`;
  const remedy = 'let the driver empty a wallet: set emptyWallet and drainWallet';
  const wrong = await judgeDeclined(context, tracked, found, remedy);
  if (wrong.length === 0) return judgeTotal(context, currency, { before, expected: before.total, amount: 0, clause });
  // Money that came in after the wallet was read can have paid for it.
  const hasGained = (await steadyWallet(context, currency)).total > before.total;
  return hasGained && attempts > 1 ? judgeBeyond(context, body, attempts - 1) : wrong;
}

/**
 * A payout of more than the wallet holds is declined with INSUFFICIENT_BALANCE. Throws NotReached with the remedy if a limit
 * declines it first.
 */
export async function judgeDeclined(
  { contract, fixtures, settings }: Context,
  tracked: TrackedTransaction,
  held: string,
  remedy: string,
): Promise<Finding[]> {
  // `drive` would let the driver simulate the decline.
  await fixtures.follow(tracked, { until: 'FAILED' }).catch(() => undefined);
  const status = readStatus(tracked);
  const reason = readString(lastSeen(tracked), 'decline_reason') ?? '';
  if (status === 'FAILED' && reason === NO_FUNDS) return [];
  if (status === 'FAILED' && LIMITS.includes(reason)) {
    throw new NotReached(`the payout became FAILED with ${reason} first`, remedy);
  }
  const state = contract.machines.payout.states[status]?.final
    ? `${status}${reason && ` with ${reason}`}`
    : `still ${status} after ${settings.timeoutMs / 1_000} s`;
  // A code outside of the tables is tolerated (source 7.3).
  const isUnknown = status === 'FAILED' && !KINDS.some((kind) => declineReasons(contract, kind).includes(reason));
  const clause = isUnknown
    ? contract.assumption('enums-open')
    : specified('8', contract.operation(PAYOUT_PATH).pointer);
  const exchange = tracked.reads.at(-1) ?? tracked.creation;
  return [{ at: 'body /status', expected: `FAILED with ${NO_FUNDS}`, found: `${state}, ${held}`, clause, exchange }];
}

async function judgeCollected(context: Context): Promise<Finding[]> {
  const { fixtures } = context;
  const body = fixtures.bodyFor(COLLECTED);
  const currency = String(body['currency']);
  await fixtures.makeRoom(currency, Number(body['amount']));
  const before = await steadyWallet(context, currency);
  return judgeGain(context, before, await fixtures.reachNew(COLLECTED));
}

/** The wallet has gained the paid amount, once. `before` is the wallet before the payment. */
export async function judgeGain(
  context: Context,
  before: ShownWallet,
  tracked: TrackedTransaction,
): Promise<Finding[]> {
  const paid = Number(readMember(lastSeen(tracked), 'amount_paid'));
  const expected = before.total + paid;
  const clause = context.contract.assumption('pending');
  const currency = String(readMember(tracked.call.body, 'currency'));
  return judgeTotal(context, currency, { before, expected, amount: paid, clause });
}

/** Every balance that the run has read. */
async function judgeBalances({ contract, journal, send }: Context): Promise<Finding[]> {
  const last = await send({ operation: contract.operation('getBalance') });
  const overdrawn = specified('8', contract.operation(OPERATION_NAMES.payout.create).pointer);
  const own = specified('2.4', '/components/schemas/Balance');
  // An unknown path or another method isn't getBalance, even if the service responds.
  const reads = journal.exchanges.filter(
    ({ call, status }) => call.operation.id === 'getBalance' && !call.invalid && status === 200,
  );
  if (reads.length === 0) throw new NotReached('no balance was read', 'correct what replay/getBalance reports');
  const find = (exchange: Exchange): Finding[] => {
    const entries = readEntries(exchange);
    const currencies = entries.map((entry) => String(readMember(entry, 'currency')));
    const twice = currencies.find((currency, index) => currencies.indexOf(currency) !== index);
    const at = 'body /balances';
    const expected = 'one entry for each currency';
    return [
      ...(twice === undefined ? [] : [{ at, expected, found: `two for ${twice}`, clause: own, exchange }]),
      ...entries.flatMap((entry, index) =>
        (['available', 'pending'] as const)
          .filter((name) => Number(readMember(entry, name)) < 0)
          .map((name) => ({
            ...{ at: `body /balances/${index}/${name}`, expected: 'at least 0', exchange },
            ...{ found: formatValue(readMember(entry, name)), clause: name === 'available' ? overdrawn : own },
          })),
      ),
    ];
  };
  const wrong = reads.flatMap(find).slice(0, 1);
  return [...wrong, ...judgeMerchant(own, reads), ...judgeKept(own, reads, last)];
}

function readEntries({ body }: Exchange): Json[] {
  const list = readMember(body, 'balances');
  return Array.isArray(list) ? list : [];
}

/** Each key belongs to one merchant. */
function judgeMerchant(clause: Clause, reads: readonly Exchange[]): Finding[] {
  const [first, ...others] = reads.filter(({ call }) => call.key === undefined);
  const expected = readMember(first?.body, 'merchant_id');
  const other = others.find(({ body }) => readMember(body, 'merchant_id') !== expected);
  if (!other) return [];
  const found = formatValue(readMember(other.body, 'merchant_id'));
  return [{ at: 'body /merchant_id', expected: `${formatValue(expected)}, as before`, found, clause, exchange: other }];
}

/** A wallet may be created by its first use. Once returned, it is always returned, even if it is empty. */
function judgeKept(clause: Clause, reads: readonly Exchange[], last: Exchange): Finding[] {
  const shown = reads
    .filter(({ call, endedAt }) => call.key === undefined && endedAt < last.startedAt - BEHIND_MS)
    .flatMap((read) => readEntries(read).map((entry) => String(readMember(entry, 'currency'))));
  const left = new Set(readEntries(last).map((entry) => String(readMember(entry, 'currency'))));
  const lost = [...new Set(shown)].filter((currency) => !left.has(currency));
  if (last.status !== 200 || lost.length === 0) return [];
  const expected = `an entry for ${lost.join(', ')}, as before`;
  return [{ at: 'body /balances', expected, found: formatValue([...left]), clause, exchange: last }];
}

/** The service chooses the settlement time, so a pending amount is not a violation. */
async function judgeSettlement(context: Context): Promise<Finding[]> {
  const { contract, driver, fixtures, settings } = context;
  const goal = { flow: claimedFlow(settings), until: 'SUCCESS' };
  const { currency, amount } = fixtures.bodyFor(goal);
  await fixtures.makeRoom(String(currency), Number(amount));
  await fixtures.reach(goal);
  const currencies = listCurrencies(contract).filter((currency) => {
    return driver.payout({ until: 'SUCCESS', currency })?.['currency'] === currency;
  });
  const limitMs = fixtures.timeouts.limitMs(SETTLED);
  // A wallet can be too full for more.
  const isPending = ({ pending, total }: ShownWallet) => pending > 0 && Number.isSafeInteger(total);
  const { value: wallets, isFit } = await poll(
    () => Promise.all(currencies.map((currency) => readWallet(context, currency))),
    (all) => !all.some(isPending),
    { limitMs, pauseMs: POLL_MS },
  );
  if (isFit) return [];
  const index = wallets.findIndex(isPending);
  const still = `${wallets[index]?.pending} ${currencies[index]} still pending after ${limitMs / 1_000} s`;
  throw new NotReached(still, UNSETTLED);
}
