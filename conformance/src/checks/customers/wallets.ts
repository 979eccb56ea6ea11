/**
 * The wallet of each currency, to the minor unit: during verification, after a decline or a payment of another amount,
 * after settlement, and during a payout of the whole available balance.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type JsonObject, readMember } from '../../../../contract/src/model.ts';
import type { Check, Context, CoveredPart } from '../../core/check.ts';
import { type Finding, formatValue, ifReached, NotReached } from '../../core/finding.ts';
import {
  actionBody,
  fieldClause,
  InsufficientFunds,
  lastSeen,
  readOrderId,
  readStatus,
  type TrackedTransaction,
} from '../../core/transactions.ts';
import { FEE_PART_MAX, readWallet, type ShownWallet, steadyWallet } from '../../core/wallet.ts';
import { type Contract, specified } from '../../document/contract.ts';
import type { PaymentGoal } from '../../drivers/driver.ts';
import { poll } from '../../time/awake.ts';
import { KIND_LEVELS, listFlows } from '../levels.ts';
import { judgeDeclined } from '../money.ts';
import { findByOrder, listCurrencies, noBody } from './round-trip.ts';

const OF_PAYMENTS = [
  'while a payment is VERIFYING',
  'after a late decline of a payment',
  'after a payment',
  'after settlement',
] as const;
const OF_PAYOUTS = [
  'after a payout of one unit more than is available',
  'while a payout is in flight',
  'after a declined payout',
  'after a payout of all that is available',
] as const;

/** The part of the coverage for a wallet at a point in the life of a transaction. */
function walletPart(currency: string, when: (typeof OF_PAYMENTS | typeof OF_PAYOUTS)[number]): CoveredPart {
  return ['wallets', `${currency} ${when}`];
}

/** A payment of which the customer pays another amount than the requested one. */
const paidPart = (currency: string): CoveredPart => ['boundaries', `${currency} amount_paid other than amount`];

type Amounts = Pick<ShownWallet, 'available' | 'pending'>;

const PAUSES = { pauseMs: 60, pauseMsMax: 400 };
/** Odd amounts, which are unlikely elsewhere in the wallet. */
const REQUESTED_MORE = 1;
const PAID_LESS = 777;
/** A wallet with more payouts than this in it is not paid out. */
const PAYOUTS_MAX = 1_000;
const RACERS = 3;
/** A balance can be this much behind. */
const BEHIND_MS = 1_000;
const NO_FUNDS = 'INSUFFICIENT_BALANCE';

export function walletChecks(contract: Contract): Check[] {
  const currencies = listCurrencies(contract);
  const base = { phase: 'wallets', levels: [] } as const;
  return [
    ...currencies.map(
      (currency): Check => ({
        ...{ ...base, id: `wallet/${currency}/payments`, operation: 'createPayment', partOf: KIND_LEVELS.payment },
        title: `The ${currency} wallet gains the paid amount instead of the requested one, and only then`,
        clause: contract.assumption('pending'),
        walletOf: () => currency,
        covers: [['currencies', `payment ${currency}`]],
        mayCover: [...OF_PAYMENTS.map((when) => walletPart(currency, when)), paidPart(currency)],
        run: (context) => judgePayments(context, currency),
      }),
    ),
    ...currencies.map(
      (currency): Check => ({
        ...{ ...base, id: `wallet/${currency}/payouts`, operation: 'createPayout', partOf: KIND_LEVELS.payout },
        title: `The ${currency} wallet pays out its whole balance, once, and not one unit more`,
        clause: specified('4.6', contract.operation('createPayout').pointer),
        walletOf: () => currency,
        covers: [
          ['currencies', `payout ${currency}`],
          ['races', 'createPayout of several orders'],
        ],
        mayCover: OF_PAYOUTS.map((when) => walletPart(currency, when)),
        run: (context) => judgePayouts(context, currency),
      }),
    ),
  ];
}

/** Reasons to wait for a wallet. A missing settlement doesn't shorten the wait for a movement. */
type WaitReason = 'movement' | 'settlement';

/** The first figures that fit, or the last ones when the time is up. */
async function figuresOnce(
  context: Context,
  currency: string,
  fits: (now: Amounts) => boolean,
  reason: WaitReason = 'movement',
): Promise<ShownWallet> {
  const read = () => readWallet(context, currency);
  const { value } = await context.fixtures.timeouts.poll(`${reason} ${currency}`, read, fits, PAUSES);
  return value;
}

/** The steady wallet. Earlier amounts may settle in the wait, which doesn't change the total. */
async function quiet(context: Context, currency: string): Promise<ShownWallet> {
  const wallet = await steadyWallet(context, currency);
  if (!wallet.keptChanging) return wallet;
  throw new NotReached(`the ${currency} wallet kept changing`, 'use a merchant that nothing else uses');
}

function isEqual(one: Amounts, other: Amounts): boolean {
  return one.available === other.available && one.pending === other.pending;
}

function addFigures({ available, pending }: Amounts): number {
  return available + pending;
}

/**
 * Of several figures, any will do. If something was pending before, it can settle, and only the sum is judged. `moved` is
 * the amount, in minor units, that has reached or left the wallet for good: a wrong total then binds, unless it
 * lacks no more than a fee would take.
 */
function judgeFigures(
  context: Context,
  when: string,
  expected: readonly Amounts[],
  now: ShownWallet,
  moved?: number,
): Finding[] {
  const [first] = expected;
  if (!first || expected.some((one) => isEqual(one, now))) return [];
  const lacking = addFigures(first) - addFigures(now);
  if (lacking === 0 && first.pending > 0) return [];
  const text = expected.map(({ available, pending }) => `available ${available} and pending ${pending}`).join(', or ');
  const found = `available ${now.available} and pending ${now.pending}`;
  const binds = moved !== undefined && (lacking < 0 || lacking > moved * FEE_PART_MAX);
  const clause = context.contract.assumption('pending');
  return [{ at: 'body /balances', expected: `${text}, ${when}`, found, binds, clause, exchange: now.exchange }];
}

/** The driver's payment in the currency, by the first flow that has one. */
function findPaymentBody(context: Context, currency: string, goal: Omit<PaymentGoal, 'flow' | 'currency'>) {
  for (const flow of listFlows(context.settings)) {
    const own: PaymentGoal = { ...goal, flow, currency };
    const body = context.driver.payment(own);
    if (body?.['currency'] === currency) return { goal: own, body };
  }
  return undefined;
}

async function judgePayments(context: Context, currency: string): Promise<Finding[]> {
  if (!findPaymentBody(context, currency, { until: 'SUCCESS' })) throw noBody(context, 'payment', currency);
  const first = await quiet(context, currency);
  const unpaid = await Promise.all([
    leaveUnpaid(context, currency, { until: 'VERIFYING' }),
    leaveUnpaid(context, currency, { from: 'VERIFYING', until: 'FAILED' }),
  ]);
  const when = 'while one payment is VERIFYING and another has FAILED after that';
  const isPaid = unpaid.includes('SUCCESS');
  const unmoved = isPaid ? [] : judgeFigures(context, when, [first], await readWallet(context, currency));
  if (unmoved.length > 0) return unmoved;
  if (unpaid[0] === 'VERIFYING') context.cover(...walletPart(currency, 'while a payment is VERIFYING'));
  if (unpaid[1] === 'FAILED') context.cover(...walletPart(currency, 'after a late decline of a payment'));
  const before = isPaid ? await quiet(context, currency) : first;
  const { amount, paid, asked, tracked } = await collect(context, currency);
  // Later comparisons use amount_paid, so it is checked first.
  if (asked !== undefined && paid !== asked.amount) return [wrongPaid(context, tracked, asked)];
  if (paid !== amount) context.cover(...paidPart(currency));
  context.cover(...walletPart(currency, 'after a payment'));
  const { available, pending } = before;
  const total = available + pending + paid;
  const collected = await figuresOnce(context, currency, (now) => addFigures(now) === total);
  const paidOf = `after ${paid} were paid of the ${amount} requested`;
  const choices = [
    { available, pending: pending + paid },
    { available: available + paid, pending },
  ];
  const wrong = judgeFigures(context, paidOf, choices, collected, paid);
  if (wrong.length > 0) return wrong;
  // The pending amount is this one payment, which settles as a whole.
  const spent = pending === 0 ? await judgePending(context, currency, collected) : 'declined';
  if (spent !== 'declined') return spent;
  // The check of the payouts waits for the settlement of a wallet that is too full.
  if (isTooFull(context, currency, before)) return [];
  // Settlement can take days, which the contract leaves to the service.
  const settled = await figuresOnce(context, currency, (now) => now.pending === 0, 'settlement');
  if (settled.pending === 0) context.cover(...walletPart(currency, 'after settlement'));
  const end = settled.pending === 0 ? [{ available: total, pending: 0 }] : choices;
  return judgeFigures(context, `${paidOf}, and after settlement`, end, settled, paid);
}

/** Pending money can't be paid out. Proves nothing if it settled before the payout. */
async function judgePending(context: Context, currency: string, now: ShownWallet): Promise<Finding[] | 'declined'> {
  const { contract, driver, fixtures, settings } = context;
  const smallest = readSmallestPayout(context, currency);
  const amount = Math.max(now.available + 1, smallest);
  const isClaimed = settings.levels.includes('payouts');
  if (!isClaimed || Number.isNaN(smallest) || now.pending === 0 || amount > addFigures(now)) return 'declined';
  const body = driver.payout({ until: 'SUCCESS', currency });
  if (body?.['currency'] !== currency) return 'declined';
  const payout = await fixtures.create('payout', { ...body, amount });
  await ifReached(() => fixtures.follow(payout, { until: 'FAILED' }));
  if (readStatus(payout) === 'FAILED') return 'declined';
  await pause(BEHIND_MS);
  const after = await readWallet(context, currency);
  if (after.pending === 0) return [];
  const expected = `FAILED with ${NO_FUNDS}, since only ${now.available} are available and ${now.pending} are pending`;
  const found = `${readStatus(payout)} for ${amount}`;
  const clause = contract.assumption('pending');
  return [{ at: 'body /status', expected, found, clause, exchange: payout.reads.at(-1) ?? payout.creation }];
}

/** Drives a payment to an unpaid end. Returns its status: a driver may ignore the goal and have it paid. */
async function leaveUnpaid(context: Context, currency: string, goal: Omit<PaymentGoal, 'flow'>): Promise<string> {
  const { fixtures } = context;
  const made = findPaymentBody(context, currency, goal);
  if (!made) return '';
  const tracked = await fixtures.create('payment', made.body);
  await ifReached(() => fixtures.drive(tracked, made.goal));
  return readStatus(tracked);
}

interface CollectedPayment {
  readonly tracked: TrackedTransaction;
  readonly amount: number;
  readonly paid: number;
  /** The amount to pay and who chose it, if the kit or the driver did. */
  readonly asked?: { readonly amount: number; readonly by: string };
}

function wrongPaid(
  { contract }: Context,
  tracked: TrackedTransaction,
  { amount, by }: NonNullable<CollectedPayment['asked']>,
): Finding {
  const exchange = tracked.reads.at(-1) ?? tracked.creation;
  const found = formatValue(readMember(lastSeen(tracked), 'amount_paid'));
  const clause = fieldClause(contract, 'payment', 'amount_paid');
  return { at: 'body /amount_paid', expected: `${amount}, which ${by}`, found, clause, exchange };
}

/** Takes a payment to SUCCESS with another amount than the requested one, if the driver can. */
async function collect(context: Context, currency: string): Promise<CollectedPayment> {
  const { fixtures } = context;
  const plain = findPaymentBody(context, currency, { until: 'SUCCESS' });
  if (!plain) throw noBody(context, 'payment', currency);
  const amount = Number(plain.body['amount']) + REQUESTED_MORE;
  const isPage = plain.goal.flow === 'redirect';
  const other =
    isPage && findPaymentBody(context, currency, { from: 'VERIFYING', until: 'SUCCESS', paid: amount - PAID_LESS });
  let tracked: TrackedTransaction | undefined;
  let asked: CollectedPayment['asked'];
  if (other) {
    const made = await fixtures.create('payment', { ...other.body, amount });
    await ifReached(() => fixtures.drive(made, other.goal));
    // A driver that doesn't know the goal can have paid the requested amount.
    if (readStatus(made) === 'SUCCESS') tracked = made;
    const isKnown = Number(readMember(lastSeen(made), 'amount_paid')) !== amount;
    if (isKnown) asked = { amount: amount - PAID_LESS, by: 'the driver was asked to pay (`paid` of the goal)' };
  }
  if (!tracked) {
    tracked = await confirmOtherAmount(context, { ...plain.body, amount }, plain.goal);
    const chosen = readMember(readMember(tracked.actions.at(-1)?.call.body, 'confirm_data'), 'amount');
    if (chosen !== undefined) asked = { amount: Number(chosen), by: 'confirmPayment confirmed' };
  }
  await fixtures.read(tracked);
  // The rules over the whole run compare the results of all read operations.
  await findByOrder(context, readOrderId(tracked));
  const paid = Number(readMember(lastSeen(tracked), 'amount_paid'));
  return { tracked, amount, paid, ...(asked && { asked }) };
}

/** Confirms another amount than the requested one, if the service offers several. */
async function confirmOtherAmount(context: Context, body: JsonObject, goal: PaymentGoal): Promise<TrackedTransaction> {
  const { contract, driver, fixtures, send } = context;
  const tracked = await fixtures.create('payment', body);
  if (goal.flow === 'h2h') {
    await fixtures.drive(tracked, { ...goal, until: 'PAY_CONFIRMATION_NEEDED' });
    const items = { ...(actionBody(driver, tracked)?.['confirm_data'] as JsonObject) };
    const offered = readMember(readMember(lastSeen(tracked), 'pay_data'), 'available_amounts');
    const other = (Array.isArray(offered) ? offered : []).findLast((one) => one !== body['amount']);
    if ('amount' in items && other !== undefined) items['amount'] = String(other);
    const operation = contract.operation('confirmPayment');
    tracked.actions.push(
      await send({ operation, path: { transaction_id: tracked.id }, body: { confirm_data: items } }),
    );
  }
  await fixtures.drive(tracked, goal);
  return tracked;
}

/** Whether the wallet has more in it than may be paid out. */
function isTooFull({ driver, settings }: Context, currency: string, { available }: Amounts): boolean {
  return settings.levels.includes('payouts') && available > readSmallestPayout({ driver }, currency) * PAYOUTS_MAX;
}

/** The driver's payout in the currency. The service may not pay out less. */
function readSmallestPayout({ driver }: Pick<Context, 'driver'>, currency: string): number {
  return Number(driver.payout({ until: 'SUCCESS', currency })?.['amount']);
}

async function judgePayouts(context: Context, currency: string): Promise<Finding[]> {
  const { driver } = context;
  const body = driver.payout({ until: 'SUCCESS', currency });
  if (body?.['currency'] !== currency) throw noBody(context, 'payout', currency);
  const smallest = Number(body['amount']);
  const first = await readWallet(context, currency);
  const drains = isTooFull(context, currency, first);
  const refill = drains ? await context.fixtures.drain(currency) : undefined;
  try {
    if (drains && !refill) {
      throw new NotReached(
        `the wallet has ${first.available} ${currency}, more than ${PAYOUTS_MAX} payouts of the driver's ${smallest}`,
        'let `payout` of the driver pay out more at a time, use a merchant with less, or add `drainWallet`',
      );
    }
    const left = drains ? await readWallet(context, currency) : first;
    if (addFigures(left) < smallest) await collect(context, currency);
    const full = await figuresOnce(
      context,
      currency,
      ({ available, pending }) => pending === 0 && available >= smallest,
      'settlement',
    );
    if (full.pending === 0 && full.available < smallest) {
      throw new NotReached(
        `${full.available} ${currency} available, less than the driver's payout of ${smallest}`,
        'let `payout` of the driver pay out less than `payment` collects',
      );
    }
    if (full.pending !== 0) {
      throw new NotReached(
        `${full.available} ${currency} available and ${full.pending} still pending`,
        'let the sandbox settle at once, or raise --timeout',
      );
    }
    return await judgeAll(context, currency, full);
  } finally {
    await refill?.();
  }
}

/** Checks payouts of one unit more than the available balance, of the whole balance, and of the whole balance again. */
async function judgeAll(context: Context, currency: string, full: ShownWallet): Promise<Finding[]> {
  const { available } = full;
  const beyond = await payOut(context, currency, available + 1, 'SUCCESS');
  const found = `${available} available for ${available + 1}`;
  const wrong = await judgeDeclined(context, beyond, found, 'let the driver choose a payout without limits');
  if (wrong.length > 0) return wrong;
  context.cover(...walletPart(currency, 'after a payout of one unit more than is available'));
  const declined = await figuresOnce(context, currency, (now) => isEqual(now, full));
  const kept = judgeFigures(context, 'after a payout of one unit more was declined', [full], declined, available);
  return kept.length > 0 ? kept : judgeAtOnce(context, currency, full);
}

/** Concurrent orders for the same money: one succeeds. The amount is one unit less if the service returns it afterwards. */
async function judgeAtOnce(context: Context, currency: string, full: ShownWallet): Promise<Finding[]> {
  const { contract, driver, fixtures } = context;
  const { available } = full;
  const empty = { available: 0, pending: 0 };
  const until = driver.payout({ until: 'PROCESSING', currency }) ? 'PROCESSING' : 'SUCCESS';
  const isReturned = until === 'PROCESSING' && driver.move !== undefined;
  const amount = isReturned && available > readSmallestPayout(context, currency) ? available - 1 : available;
  const rest = { available: available - amount, pending: 0 };
  const racers = await Promise.all(Array.from({ length: RACERS }, () => payOut(context, currency, amount, until)));
  const losers = () => racers.filter((one) => readStatus(one) === 'FAILED');
  await poll(
    () => Promise.all(racers.map((one) => fixtures.read(one))),
    () => losers().length >= RACERS - 1,
    { ...PAUSES, limitMs: context.settings.timeoutMs },
  );
  const winners = racers.filter((one) => !losers().includes(one));
  const [winner] = winners;
  if (!winner || winners.length > 1) {
    const exchange = (winner ?? racers[0])?.reads.at(-1);
    const found = describeRacers(context, racers, amount);
    const clause = specified('8', contract.operation('createPayout').pointer);
    const expected = `one payout of the ${available} available`;
    return [{ at: 'body /status', expected, found, clause, exchange }];
  }
  const held = await figuresOnce(context, currency, (now) => isEqual(now, rest));
  const inFlight = judgeFigures(context, `while a payout of ${amount} is ${readStatus(winner)}`, [rest], held);
  if (readStatus(winner) === 'PROCESSING') context.cover(...walletPart(currency, 'while a payout is in flight'));
  if (inFlight.length > 0 || readStatus(winner) !== 'PROCESSING' || !driver.move) return inFlight;
  await ifReached(() => fixtures.drive(winner, { from: 'PROCESSING', until: 'FAILED', currency }));
  if (readStatus(winner) !== 'FAILED') return [];
  const returned = await figuresOnce(context, currency, (now) => isEqual(now, full));
  context.cover(...walletPart(currency, 'after a declined payout'));
  const back = judgeFigures(context, `after the payout of ${amount} was declined`, [full], returned, amount);
  if (back.length > 0) return back;
  const whole = await payOut(context, currency, available, 'SUCCESS');
  try {
    await fixtures.drive(whole, { until: 'SUCCESS', currency });
  } catch (error) {
    if (!(error instanceof InsufficientFunds)) throw error;
    const clause = contract.assumption('pending');
    const expected = `a payout of the ${available} available`;
    const exchange = whole.reads.at(-1) ?? whole.creation;
    return [{ at: 'body /status', expected, found: `FAILED with ${NO_FUNDS}`, clause, exchange }];
  }
  context.cover(...walletPart(currency, 'after a payout of all that is available'));
  const paid = await figuresOnce(context, currency, (now) => isEqual(now, empty));
  return judgeFigures(context, `after all ${available} were paid out`, [empty], paid, available);
}

/** The statuses of the payouts, such as `2 still PROCESSING after 10 s, 1 FAILED, of 500 each`. */
function describeRacers(
  { contract, settings }: Context,
  racers: readonly TrackedTransaction[],
  amount: number,
): string {
  const counts = [...Map.groupBy(racers, readStatus)].map(([status, { length }]) => {
    const isFinal = contract.machines.payout.states[status]?.final;
    return isFinal ? `${length} ${status}` : `${length} still ${status} after ${settings.timeoutMs / 1_000} s`;
  });
  return `${counts.join(', ')}, of ${amount} each`;
}

function payOut(
  { driver, fixtures }: Context,
  currency: string,
  amount: number,
  until: string,
): Promise<TrackedTransaction> {
  return fixtures.create('payout', { ...driver.payout({ until, currency }), amount });
}
