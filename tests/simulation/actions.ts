/** Random actions of a step, chosen by weight: a merchant or customer acts, or a component fails. */
import type { TransactionKind } from '../../contract/src/reference-model.ts';
import type { Random } from '../tools/random.ts';
import type { Mood } from './network.ts';
import type { SimulatedSystem } from './simulated-system.ts';

const CUSTOMERS = ['customer-1', 'customer-2'];
const PAYMENT_AMOUNTS = [50, 500, 25_000, 4_000_000, 6_000_000, 9_990_000, 10_000_000];
const PAYOUT_AMOUNTS = [500, 1_000, 75_000, 5_000_000, 12_000_000, 20_000_000];
const JUMPS_MS = [300, 2_000, 7_000, 30_000, 61_000, 16 * 60_000, 3 * 3_600_000];
const MOODS: readonly Mood[] = ['well', 'well', 'well', 'failing', 'failing', 'hanging', 'hanging', 'gone'];
const FAULTS = ['before', 'commit', 'after', 'read'] as const;

const FINAL = ['SUCCESS', 'FAILED'];
const DATA = { name: 'Asha Rao', phone: '+919876543210' };
const ASKED = 'PAY_CONFIRMATION_NEEDED';
const TRANSFERRED_IN = [ASKED, ASKED, 'VERIFYING', 'CREATED', 'EXTRA_DATA_NEEDED'];

type Act = (system: SimulatedSystem, random: Random) => void;

const ACTIONS: readonly (readonly [weight: number, act: Act])[] = [
  [14, createPayment],
  [6, createPayout],
  // Repeats a creation.
  [5, ({ callers }, random) => callers.orders.length > 0 && callers.create(random.of(callers.orders))],
  [2, reuseOrderId],
  [7, clarify],
  [12, confirm],
  [12, transfer],
  [5, actOnPage],
  [5, read],
  [14, () => undefined],
  [4, (system, random) => end(system, random, 'crash', [0, 10, 2_000, 20_000])],
  [1, (system, random) => end(system, random, 'stop', [0, 2_000])],
  [4, ({ faults }, random) => faults.set(`gateway ${random.whole(1, 2)}`, random.of(FAULTS))],
  [2, breakProvider],
  [3, contradict],
  [3, breakReceiver],
  [3, changeWeather],
  [6, passTime],
  [6, setClock],
];

const TOTAL = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);

/** Runs a random action. */
export function actAtRandom(system: SimulatedSystem): void {
  const { random } = system.scheduler;
  let left = random.next() * TOTAL;
  const chosen = ACTIONS.find(([weight]) => {
    left -= weight;
    return left < 0;
  });
  chosen?.[1](system, random);
}

function createPayment(system: SimulatedSystem, random: Random): void {
  const customer = {
    id: random.of(CUSTOMERS),
    ...(random.chance(0.8) && DATA),
    ...(random.chance(0.2) && { kyc_level: 'TRUSTED' as const }),
  };
  create(system, 'payment', random.of(PAYMENT_AMOUNTS), {
    customer,
    payment_method_type: 'UPI_IN',
    ...(random.chance(0.3) && { return_url: 'https://shop.example/return' }),
  });
}

function createPayout(system: SimulatedSystem, random: Random): void {
  create(system, 'payout', random.of(PAYOUT_AMOUNTS), {
    customer: { id: random.of(CUSTOMERS), name: 'Asha Rao', account_number: '123456789012', bank_code: 'HDFC0001234' },
    payment_method_type: 'IMPS_IN',
  });
}

function create(system: SimulatedSystem, kind: TransactionKind, amount: number, rest: object): void {
  const { callers, merchants, scheduler } = system;
  const merchant = scheduler.random.of(merchants);
  const body = {
    amount,
    currency: 'INR',
    // Named by the step, so that it stays the same when other steps are removed.
    merchant_order_id: `order-${system.step}`,
    callback_url: callbackUrl(merchant.id, scheduler.random),
    ...rest,
  };
  const order = { kind, merchant, body: body as Parameters<typeof callers.create>[1] & object };
  callers.orders.push(order);
  callers.create(order);
  if (scheduler.random.chance(0.1)) callers.create(order);
}

function callbackUrl(merchantId: number, random: Random): string {
  return `https://shop-${merchantId}.example/hooks/${random.whole(1, 2)}`;
}

function reuseOrderId({ callers }: SimulatedSystem, random: Random): void {
  if (callers.orders.length === 0) return;
  const order = random.of(callers.orders);
  callers.create(order, { ...order.body, amount: order.body.amount + 1 });
}

function clarify(system: SimulatedSystem): void {
  const payment = pick(system, 'payment', 'EXTRA_DATA_NEEDED');
  if (payment) system.callers.act('clarifyPayment', payment.merchant, payment.one.id, { clarify_data: DATA });
}

function confirm(system: SimulatedSystem, random: Random): void {
  const payment = pick(system, 'payment', 'PAY_CONFIRMATION_NEEDED');
  if (!payment) return;
  const [amount = payment.one.amount] = payment.offered;
  const data = { amount: String(random.of([amount, ...payment.offered])), tid: 'T1' };
  system.callers.act('confirmPayment', payment.merchant, payment.one.id, { confirm_data: data });
}

/** The customer transfers one of the offered amounts, or the amount requested by the channel. */
function transfer(system: SimulatedSystem, random: Random): void {
  const payment = pick(system, 'payment', random.of(TRANSFERRED_IN));
  if (!payment) return;
  const { one, offered, channel, redirects } = payment;
  const amount = redirects || offered.length === 0 ? one.amount : random.of(offered);
  if (system.provider.transfer(one.id, channel, amount))
    system.note(() => `the customer transfers ${amount} for ${one.id}`);
}

function actOnPage(system: SimulatedSystem, random: Random): void {
  const payment = pick(system, 'payment', 'CREATED');
  if (payment?.token) system.callers.onPage(random.chance(0.8) ? 'pay' : 'cancel', payment.token);
}

function read(system: SimulatedSystem, random: Random): void {
  const found = pick(system, random.of(['payment', 'payout']));
  if (!found) return;
  const { one, merchant } = found;
  system.callers.read(one.kind, merchant, one.id, random.chance(0.3) ? one.orderId : undefined);
}

function end(system: SimulatedSystem, random: Random, how: 'crash' | 'stop', restartsAfter: readonly number[]): void {
  if (system.processes.length === 0) return;
  const process = random.of(system.processes);
  system.note(() => `${process.life.name}: ${how}`);
  system[how](process, random.of(restartsAfter));
}

function breakProvider(system: SimulatedSystem): void {
  system.provider.down = !system.provider.down;
  system.note(() => `the channels are ${system.provider.down ? 'down' : 'up'}`);
}

/** The provider contradicts its result of a final transaction, as after a late transfer. */
function contradict(system: SimulatedSystem, random: Random): void {
  const found = pick(system, random.of(['payment', 'payout']), random.of(FINAL));
  if (!found || !FINAL.includes(found.one.statuses.at(-1) ?? '')) return;
  const { one, channel } = found;
  const says = system.provider.contradict(one.id, channel, one.amount, random);
  if (says !== undefined) system.note(() => `the provider says ${says} of ${one.id}`);
}

function breakReceiver({ receivers, merchants }: SimulatedSystem, random: Random): void {
  const url = callbackUrl(random.of(merchants).id, random);
  if (receivers.moods.get(url) !== 'gone') receivers.moods.set(url, random.of(MOODS));
}

function changeWeather({ network }: SimulatedSystem, random: Random): void {
  network.weather = { lost: random.of([0, 0.05, 0.3]), slow: random.of([0, 0.1, 0.4]), twice: random.of([0, 0.2]) };
}

function passTime(system: SimulatedSystem, random: Random): void {
  const ms = random.of(JUMPS_MS);
  system.scheduler.advance(ms);
  system.note(() => `the clock moves by ${ms} ms`);
}

/** A merchant of the sandbox freezes, advances or releases its own clock. */
function setClock({ hasSandbox, callers, merchants }: SimulatedSystem, random: Random): void {
  if (!hasSandbox) return;
  const merchant = random.of(merchants);
  const what = random.of(['advance', 'advance', 'freeze', 'release', 'release'] as const);
  callers.setClock(merchant, what === 'release' ? { what } : { what, ms: random.of([0, ...JUMPS_MS]) });
}

/** Picks a transaction, usually in this status, with its merchant's and customer's knowledge of it. */
function pick({ model, merchants, disk, scheduler }: SimulatedSystem, kind: TransactionKind, status?: string) {
  const { random } = scheduler;
  const all = [...model.transactions.values()].filter((one) => one.kind === kind);
  const fitting = random.chance(0.9) && status ? all.filter((one) => one.statuses.at(-1) === status) : all;
  if (fitting.length === 0) return undefined;
  const one = random.of(fitting);
  const merchant = merchants.find(({ id }) => id === one.merchantId);
  if (!merchant) return undefined;
  const [row] = disk.rows('select state, checkout_token as token from transactions where id = ?', one.id);
  const { payData, channel, flow } = JSON.parse(String(row?.['state'])) as {
    payData?: { available_amounts: number[] };
    channel: string;
    flow?: string;
  };
  const token = row?.['token'] as string | null;
  return { one, merchant, channel, token, offered: payData?.available_amounts ?? [], redirects: flow === 'redirect' };
}
