/**
 * The boundary to a channel: passes it a view of a transaction, and validates its results. An invalid result is an
 * error of the channel.
 */
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import type { PayData } from '../../../generated/types.ts';
import type { ChannelCallName, Transaction } from '../domain/transaction.ts';
import {
  type Channel,
  type ChannelPayment,
  type ChannelPayout,
  type ChannelResponse,
  ChannelUnavailable,
  type StatementEntry,
} from './channel.ts';
import { describeValue, isListOf, isOneOf, type Member, OBJECT, type Shape, violations } from './shape.ts';

/** The result of a call, or its error, breaks the schema. The call may have had an effect. */
export class InvalidResult extends Error {
  override readonly name = 'InvalidResult';
  constructor(channel: string, call: string, problems: readonly string[]) {
    super(`${call} of the channel ${channel} returned an invalid result: ${problems.join('; ')}`);
  }
}

/** The events that each call may return. */
const EVENTS = {
  initiate: ['confirmation_needed', 'clarification_needed', 'found_paid', 'declined'],
  clarify: ['clarified', 'found_paid', 'declined'],
  verify: ['succeeded', 'declined'],
  cancel: ['cancelled', 'found_paid'],
  payOut: ['succeeded', 'declined'],
  verifyPayout: ['succeeded', 'declined'],
} as const satisfies Readonly<Record<ChannelCallName, readonly string[]>>;

type EventName = (typeof EVENTS)[ChannelCallName][number];

const LIST_LENGTH_MAX = 50;
/** Maximum number of reported problems of a statement. */
const PROBLEMS_MAX = 5;
/** Times in seconds or microseconds are outside this range. */
const ASK_AGAIN_MS_MAX = 366 * 24 * 60 * 60_000;

/** As allowed in a request, since channels return the customer's data. */
const isInput = (value: unknown) => typeof value === 'string' && /^[^\0]{1,255}$/u.test(value);
const isText = (value: unknown) => isInput(value) && !/[\p{Cc}\p{Cs}]/u.test(value as string);
const isAmount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;
const isSet = (value: unknown, isItem: (item: unknown) => boolean) => {
  const items = isListOf(value, isItem) ? (value as unknown[]) : [];
  return items.length > 0 && items.length <= LIST_LENGTH_MAX && new Set(items).size === items.length;
};
const isItems = (value: unknown) =>
  OBJECT[1](value) &&
  Object.keys(value as object).length <= LIST_LENGTH_MAX &&
  Object.values(value as object).every(isInput);

const TEXT: Member = ['1 to 255 characters without control characters', isText];
const ID: Member = ['a string', (value) => typeof value === 'string'];
const AMOUNT: Member = [`an integer from 1 to ${Number.MAX_SAFE_INTEGER}, in minor units`, isAmount];
const AMOUNTS: Member = [`1 to ${LIST_LENGTH_MAX} different amounts in minor units`, (value) => isSet(value, isAmount)];
const NAMES: Member = [`1 to ${LIST_LENGTH_MAX} different names of items`, (value) => isSet(value, isText)];
const ITEMS: Member = [`an object with up to ${LIST_LENGTH_MAX} strings of 1 to 255 characters`, isItems];
const CURRENCY: Member = ['a currency such as INR', (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value)];

const PAY_DATA: Shape<PayData> = { receiver_account: TEXT, available_amounts: AMOUNTS };
const ASKED = { payData: OBJECT, confirm: NAMES };
const BOOKING: Shape<StatementEntry> = {
  ...{ transactionId: TEXT, amount: AMOUNT, currency: CURRENCY },
  reference: [TEXT[0], TEXT[1], 'optional'],
};

const REASONS: Readonly<Record<Transaction['kind'], readonly string[]>> = {
  payment: Object.keys(paymentDeclineReasons),
  payout: Object.keys(payoutDeclineReasons),
};
const UNAVAILABLE: readonly ChannelUnavailable['reason'][] = ['CHANNEL_DOWN', 'CHANNEL_OVERLOADED'];

/**
 * Wraps the channel: it gets a view of each transaction, and its results are validated and copied. Throws
 * InvalidResult.
 */
export function withCheckedResults(channel: Channel): Channel {
  const { name, sandbox, testData, declineReasons } = channel;
  const optionalOf = (call: string, [allowed, isAllowed]: Member, value: unknown): string | undefined => {
    if (value === undefined || isAllowed(value)) return value as string | undefined;
    throw new InvalidResult(name, call, [`it must be ${allowed}, or undefined, not ${describeValue(value)}`]);
  };
  async function checked<E>(
    call: ChannelCallName,
    { kind }: Pick<Transaction, 'kind'>,
    now: number,
    ask: () => Promise<ChannelResponse<E>>,
  ): Promise<ChannelResponse<E>> {
    let result: unknown;
    try {
      result = await ask();
    } catch (error) {
      throw checkedError(name, call, error);
    }
    return checkedResponse(channel, call, kind, now, result) as ChannelResponse<E>;
  }
  return {
    name,
    sandbox,
    ...(testData && { testData }),
    ...(declineReasons && { declineReasons }),
    initiate: (payment, now, context) =>
      checked('initiate', payment, now, () => channel.initiate(viewPayment(payment), now, context)),
    clarify: (payment, items, now, context) =>
      checked('clarify', payment, now, () => channel.clarify(viewPayment(payment), items, now, context)),
    verify: (payment, now, context) =>
      checked('verify', payment, now, () => channel.verify(viewPayment(payment), now, context)),
    cancel: (payment, now, context) =>
      checked('cancel', payment, now, () => channel.cancel(viewPayment(payment), now, context)),
    payOut: (payout, now, context) =>
      checked('payOut', payout, now, () => channel.payOut(viewPayout(payout), now, context)),
    verifyPayout: (payout, now, context) =>
      checked('verifyPayout', payout, now, () => channel.verifyPayout(viewPayout(payout), now, context)),
    ...(channel.receiver && {
      receiver: (payment) => optionalOf('receiver', TEXT, channel.receiver?.(viewPayment(payment))),
    }),
    ...(channel.notification && {
      notification: (request) => optionalOf('notification', ID, channel.notification?.(request)),
    }),
    ...(channel.statement && { statement: (file) => checkedBookings(name, channel.statement?.(file)) }),
  };
}

function viewPayment(payment: ChannelPayment): ChannelPayment {
  const { flow, returnUrl, expiresAt, payData, confirm, supplied } = payment;
  return {
    ...sharedFields(payment),
    ...{ flow, expiresAt, supplied },
    ...(returnUrl !== undefined && { returnUrl }),
    ...(payData && { payData }),
    ...(confirm && { confirm }),
  };
}

function viewPayout(payout: ChannelPayout): ChannelPayout {
  return sharedFields(payout);
}

function sharedFields<T extends ChannelPayment | ChannelPayout>(transaction: T) {
  const { kind, id, merchantId, orderId, amount, currency, method, channel, customer, status } = transaction;
  const { createdAt, attempts } = transaction;
  return {
    ...{ kind, id, merchantId, orderId, amount, currency, method, channel, customer, status, createdAt },
    ...(attempts !== undefined && { attempts }),
  } as Pick<T, keyof ChannelPayout>;
}

/** An error of a call. If its reason becomes a decline reason, the reason is validated. */
function checkedError(channel: string, call: ChannelCallName, error: unknown): Error {
  if (!(error instanceof Error)) return new InvalidResult(channel, call, [`it threw ${describeValue(error)}`]);
  if (!(error instanceof ChannelUnavailable) || UNAVAILABLE.includes(error.reason)) return error;
  const problem = `the reason of ChannelUnavailable must be ${UNAVAILABLE.join(' or ')}`;
  return new InvalidResult(channel, call, [`${problem}, not ${describeValue(error.reason)}`]);
}

function checkedResponse(
  channel: Channel,
  call: ChannelCallName,
  kind: Transaction['kind'],
  now: number,
  result: unknown,
): unknown {
  let copy: unknown;
  try {
    copy = structuredClone(result);
  } catch {
    throw new InvalidResult(channel.name, call, ['it must be plain data']);
  }
  const isWaiting = OBJECT[1](copy) && 'askAgainAt' in (copy as object);
  const problems = isWaiting
    ? violations(copy, { askAgainAt: timeNear(now) }, 'the result', '')
    : eventViolations(channel, call, kind, copy);
  if (problems.length > 0) throw new InvalidResult(channel.name, call, problems);
  return copy;
}

function eventViolations(
  channel: Channel,
  call: ChannelCallName,
  kind: Transaction['kind'],
  result: unknown,
): string[] {
  const types: readonly string[] = EVENTS[call];
  const known: Member = [`one of ${types.join(', ')}`, isOneOf(types)];
  const outside = violations(result, { event: OBJECT }, 'the result', '');
  if (outside.length > 0) return outside;
  const { event } = result as { readonly event: { readonly type?: unknown; readonly payData?: unknown } };
  if (!known[1](event.type)) return violations({ type: event.type }, { type: known }, 'event');
  const members = listMembers(event.type as EventName, kind, [...REASONS[kind], ...(channel.declineReasons ?? [])]);
  const wrong = violations(event, { type: known, ...members }, 'event');
  return wrong.length === 0 && 'payData' in members ? violations(event.payData, PAY_DATA, 'event.payData') : wrong;
}

function listMembers(
  type: EventName,
  kind: Transaction['kind'],
  reasons: readonly string[],
): Readonly<Record<string, Member>> {
  switch (type) {
    case 'clarification_needed':
      return { items: NAMES };
    case 'confirmation_needed':
      return ASKED;
    case 'clarified':
      return { items: ITEMS, ...ASKED };
    case 'succeeded':
      return kind === 'payment' ? { amountPaid: AMOUNT } : {};
    case 'declined':
      return { reason: ["a decline reason of the contract, or one of the channel's declineReasons", isOneOf(reasons)] };
    case 'found_paid':
    case 'cancelled':
      return {};
  }
}

/** A plausible time for the next call. The past is allowed, since the gateway enforces a minimum delay. */
function timeNear(now: number): Member {
  const isNear = (value: unknown) =>
    Number.isSafeInteger(value) && Math.abs((value as number) - now) <= ASK_AGAIN_MS_MAX;
  return ['a time in milliseconds since 1970, within a year of the present, or undefined', isNear, 'optional'];
}

function checkedBookings(channel: string, bookings: unknown): readonly StatementEntry[] {
  const problems = Array.isArray(bookings)
    ? bookings.flatMap((booking, index) => violations(booking, BOOKING, `bookings[${index}]`, undefined))
    : [`it must be an array, not ${describeValue(bookings)}`];
  if (problems.length > 0) throw new InvalidResult(channel, 'statement', problems.slice(0, PROBLEMS_MAX));
  return bookings as readonly StatementEntry[];
}
