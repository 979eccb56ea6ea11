/** Random actions of a step, chosen by weight: a merchant or customer acts, or a component fails. */
import type { TransactionKind } from '../../contract/src/reference-model.ts';
import type { Tracked } from './model.ts';
import type { Mood } from './receivers.ts';
import type { World } from './world.ts';

const CUSTOMERS = ['customer-1', 'customer-2'];
const PAYMENT_AMOUNTS = [50, 500, 25_000, 4_000_000, 6_000_000, 9_990_000, 10_000_000];
const PAYOUT_AMOUNTS = [500, 1_000, 75_000, 5_000_000, 12_000_000, 20_000_000];
const JUMPS_MS = [300, 2_000, 7_000, 30_000, 61_000, 16 * 60_000, 3 * 3_600_000];
const MOODS: readonly Mood[] = ['well', 'well', 'well', 'failing', 'failing', 'hanging', 'hanging', 'gone'];
const FAULTS = ['before', 'commit', 'after', 'read'] as const;

const TRANSFERRED_IN = [
  'PAY_CONFIRMATION_NEEDED',
  'PAY_CONFIRMATION_NEEDED',
  'VERIFYING',
  'CREATED',
  'EXTRA_DATA_NEEDED',
];

type Act = (world: World) => void;

const ACTIONS: readonly (readonly [weight: number, act: Act])[] = [
  [14, createPayment],
  [6, createPayout],
  [5, repeatCreation],
  [2, reuseOrderId],
  [7, clarify],
  [12, confirm],
  [12, transfer],
  [5, actOnPage],
  [5, read],
  [14, () => undefined],
  [4, crash],
  [1, stop],
  [4, breakDisk],
  [2, breakProvider],
  [3, contradict],
  [3, breakReceiver],
  [3, changeWeather],
  [6, passTime],
  [6, setClock],
];

const TOTAL = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);

/** Runs a random action. */
export function actAtRandom(world: World): void {
  let left = world.scheduler.random.next() * TOTAL;
  const chosen = ACTIONS.find(([weight]) => {
    left -= weight;
    return left < 0;
  });
  chosen?.[1](world);
}

function createPayment(world: World): void {
  const { random } = world.scheduler;
  const customer = {
    id: random.of(CUSTOMERS),
    ...(random.chance(0.8) && { name: 'Asha Rao', phone: '+919876543210' }),
    ...(random.chance(0.2) && { kyc_level: 'TRUSTED' as const }),
  };
  create(world, 'payment', random.of(PAYMENT_AMOUNTS), {
    customer,
    payment_method_type: 'UPI_IN',
    ...(random.chance(0.3) && { return_url: 'https://shop.example/return' }),
  });
}

function createPayout(world: World): void {
  const { random } = world.scheduler;
  create(world, 'payout', random.of(PAYOUT_AMOUNTS), {
    customer: { id: random.of(CUSTOMERS), name: 'Asha Rao', account_number: '123456789012', bank_code: 'HDFC0001234' },
    payment_method_type: 'IMPS_IN',
  });
}

function create(world: World, kind: TransactionKind, amount: number, rest: object): void {
  const { callers, merchants, scheduler } = world;
  const merchant = scheduler.random.of(merchants);
  const body = {
    amount,
    currency: 'INR',
    // Named by the step, so that it stays the same when other steps are removed.
    merchant_order_id: `order-${world.step}`,
    callback_url: `https://shop-${merchant.id}.example/hooks/${scheduler.random.whole(1, 2)}`,
    ...rest,
  };
  const order = { kind, merchant, body: body as Parameters<typeof callers.create>[1] & object };
  callers.orders.push(order);
  callers.create(order);
  if (scheduler.random.chance(0.1)) callers.create(order);
}

function repeatCreation({ callers, scheduler }: World): void {
  if (callers.orders.length > 0) callers.create(scheduler.random.of(callers.orders));
}

function reuseOrderId({ callers, scheduler }: World): void {
  if (callers.orders.length === 0) return;
  const order = scheduler.random.of(callers.orders);
  callers.create(order, { ...order.body, amount: order.body.amount + 1 });
}

function clarify(world: World): void {
  const payment = pick(world, 'payment', 'EXTRA_DATA_NEEDED');
  if (!payment) return;
  const data = { name: 'Asha Rao', phone: '+919876543210' };
  world.callers.act('clarifyPayment', payment.merchant, payment.one.id, { clarify_data: data });
}

function confirm(world: World): void {
  const payment = pick(world, 'payment', 'PAY_CONFIRMATION_NEEDED');
  if (!payment) return;
  const [amount = payment.one.amount] = payment.offered;
  const data = { amount: String(world.scheduler.random.of([amount, ...payment.offered])), tid: 'T1' };
  world.callers.act('confirmPayment', payment.merchant, payment.one.id, { confirm_data: data });
}

/** The customer transfers one of the offered amounts, or the amount requested by the channel. */
function transfer(world: World): void {
  const { random } = world.scheduler;
  const payment = pick(world, 'payment', random.of(TRANSFERRED_IN));
  if (!payment) return;
  const { one, offered, channel, redirects } = payment;
  const amount = redirects || offered.length === 0 ? one.amount : random.of(offered);
  if (world.provider.transfer(one.id, channel, amount))
    world.note(() => `the customer transfers ${amount} for ${one.id}`);
}

function actOnPage(world: World): void {
  const payment = pick(world, 'payment', 'CREATED');
  if (payment?.token) world.callers.onPage(world.scheduler.random.chance(0.8) ? 'pay' : 'cancel', payment.token);
}

function read(world: World): void {
  const { random } = world.scheduler;
  const found = pick(world, random.of(['payment', 'payout']));
  if (!found) return;
  const { one, merchant } = found;
  world.callers.read(one.kind, merchant, one.id, random.chance(0.3) ? one.orderId : undefined);
}

function crash(world: World): void {
  const { random } = world.scheduler;
  if (world.processes.length === 0) return;
  const process = random.of(world.processes);
  world.note(() => `${process.life.name} crashes`);
  world.crash(process, random.of([0, 10, 2_000, 20_000]));
}

function stop(world: World): void {
  const { random } = world.scheduler;
  if (world.processes.length === 0) return;
  const process = random.of(world.processes);
  world.note(() => `${process.life.name} stops`);
  world.stop(process, random.of([0, 2_000]));
}

function breakDisk(world: World): void {
  const { random } = world.scheduler;
  world.faults.set(`gateway ${random.whole(1, 2)}`, random.of(FAULTS));
}

function breakProvider(world: World): void {
  world.provider.down = !world.provider.down;
  world.note(() => `the channels are ${world.provider.down ? 'down' : 'up'}`);
}

/** The provider contradicts its result of a final transaction, as after a late transfer. */
function contradict(world: World): void {
  const { random } = world.scheduler;
  const found = pick(world, random.of(['payment', 'payout']), random.of(['SUCCESS', 'FAILED']));
  if (!found || !['SUCCESS', 'FAILED'].includes(found.one.statuses.at(-1) ?? '')) return;
  const { one, channel } = found;
  const says = world.provider.contradict(one.id, channel, one.amount, random);
  if (says !== undefined) world.note(() => `the provider says ${says} of ${one.id}`);
}

function breakReceiver({ receivers, merchants, scheduler }: World): void {
  const { random } = scheduler;
  const url = `https://shop-${random.of(merchants).id}.example/hooks/${random.whole(1, 2)}`;
  if (receivers.moods.get(url) !== 'gone') receivers.moods.set(url, random.of(MOODS));
}

function changeWeather({ network, scheduler }: World): void {
  const { random } = scheduler;
  network.weather = { lost: random.of([0, 0.05, 0.3]), slow: random.of([0, 0.1, 0.4]), twice: random.of([0, 0.2]) };
}

function passTime(world: World): void {
  const ms = world.scheduler.random.of(JUMPS_MS);
  world.scheduler.advance(ms);
  world.note(() => `the clock moves by ${ms} ms`);
}

/** A merchant of the sandbox freezes, advances or releases its own clock. */
function setClock(world: World): void {
  if (!world.hasSandbox) return;
  const { random } = world.scheduler;
  const merchant = random.of(world.merchants);
  const what = random.of(['advance', 'advance', 'freeze', 'release', 'release'] as const);
  world.callers.setClock(merchant, what === 'release' ? { what } : { what, ms: random.of([0, ...JUMPS_MS]) });
}

interface Picked {
  readonly one: Tracked;
  readonly merchant: World['merchants'][number];
  readonly offered: readonly number[];
  readonly token: string | undefined;
  readonly channel: string;
  readonly redirects: boolean;
}

/** Picks a transaction, usually in this status, with its merchant's and customer's knowledge of it. */
function pick(
  { model, merchants, disk, scheduler }: World,
  kind: TransactionKind,
  status?: string,
): Picked | undefined {
  const { random } = scheduler;
  const all = [...model.transactions.values()].filter((one) => one.kind === kind);
  const fitting = random.chance(0.9) && status ? all.filter((one) => one.statuses.at(-1) === status) : all;
  if (fitting.length === 0) return undefined;
  const one = random.of(fitting);
  const [row] = disk.rows('select state, checkout_token from transactions where id = ?', one.id);
  const { payData, channel, flow } = JSON.parse(String(row?.['state'])) as {
    payData?: { available_amounts: number[] };
    channel: string;
    flow?: string;
  };
  const merchant = merchants.find(({ id }) => id === one.merchantId);
  if (!merchant) return undefined;
  const token = row?.['checkout_token'];
  return {
    one,
    merchant,
    channel,
    offered: payData?.available_amounts ?? [],
    token: typeof token === 'string' ? token : undefined,
    redirects: flow === 'redirect',
  };
}
