/** Orders: requests for transactions, in the terms of the domain, and their repetition. */
import { toPointer } from '../../../contract/src/pointer.ts';
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../../generated/types.ts';
import type { Channels } from '../channels/channels.ts';
import type { Store } from '../database/store.ts';
import { applySettings, findMethod, findSetting, selectChannel } from '../domain/methods.ts';
import type { Plan } from '../domain/rules.ts';
import {
  type Flow,
  ID_PREFIXES,
  type Order,
  type Payment,
  type Payout,
  type Transaction,
} from '../domain/transaction.ts';
import { invalid, ProblemError } from '../http/problems.ts';
import type { Merchant } from '../merchants/merchants.ts';
import { type OfKind, transactionByOrderId } from './rows.ts';
import type { Services } from './services.ts';

/** The most differences that a problem lists (contract: Problem.differences). */
const DIFFERENCES_MAX = 20;

const RISK = { payment: 'the customer could otherwise pay twice', payout: 'the money could otherwise be sent twice' };

/** Returns the order of a payment. */
export function paymentOrder(body: CreatePaymentRequest): Order<Payment> {
  const { return_url: returnUrl, customer } = body;
  return { ...commonFields(body), customer, ...(returnUrl !== undefined && { returnUrl }) };
}

/** Returns the order of a payout. */
export function payoutOrder(body: CreatePayoutRequest): Order<Payout> {
  return { ...commonFields(body), customer: body.customer };
}

function commonFields(body: CreatePaymentRequest | CreatePayoutRequest) {
  const { merchant_order_id: orderId, amount, currency, payment_method_type: method, callback_url: callbackUrl } = body;
  return { orderId, amount, currency, method, callbackUrl };
}

/** Restores the request that created the transaction. */
export function restoreRequest(transaction: Transaction): CreatePaymentRequest | CreatePayoutRequest {
  const { amount, currency, orderId, customer, method, callbackUrl } = transaction;
  return {
    amount,
    currency,
    merchant_order_id: orderId,
    customer,
    payment_method_type: method,
    callback_url: callbackUrl,
    ...(transaction.kind === 'payment' && transaction.returnUrl !== undefined && { return_url: transaction.returnUrl }),
  };
}

/**
 * Throws a problem that names the members that aren't usable URLs. `format: uri` accepts more than a URL parser, and no
 * request could be sent to such a URL.
 */
export function requireUsableUrls(body: {
  readonly callback_url: string;
  readonly return_url?: string | undefined;
}): void {
  const unusable = (['callback_url', 'return_url'] as const).filter(
    (name) => body[name] !== undefined && !URL.canParse(body[name]),
  );
  if (unusable.length === 0) return;
  throw invalid(
    unusable.map((name) => ({ pointer: toPointer(name), message: 'must be a complete URL, as a URL parser reads it' })),
  );
}

/** Returns the outcomes that test data determine in advance, if the transaction's channel has test data. */
export function findPlan(
  channels: Channels,
  transaction: Pick<Transaction, 'kind' | 'channel' | 'customer'>,
): Plan | undefined {
  return channels.find(transaction.channel)?.testData?.plan(transaction);
}

/** Returns the opening of an order at the merchant's present time. Throws a problem for test data that can't take effect. */
export function createOpening<O extends Order<Payment> | Order<Payout>>(
  { methods: all, channels, time, ids }: Services,
  { id: merchantId, methods: settings }: Merchant,
  { kind, order, flow }: { readonly kind: Transaction['kind']; readonly order: O; readonly flow: Flow },
) {
  const { orderId, method, customer } = order;
  const methods = applySettings(all, settings);
  const used = findMethod(methods, kind, method);
  const limits = used && findSetting(settings, used)?.limits && used.limits;
  const { testData } = channels.find(selectChannel(used, customer)) ?? {};
  const mistake = testData?.mistake({ kind, customer }, flow);
  if (mistake) throw invalid([mistake]);
  const { now } = time.at(merchantId);
  const id = ids.newId(ID_PREFIXES[kind], now, merchantId, orderId);
  return { methods, id, merchantId, order, now, limits, plan: testData?.plan({ kind, customer }) };
}

/**
 * Returns the transaction created by an earlier request with the same order id and an equal body (contract: `order-id`).
 * Throws the problem `order-id-reused` if the bodies differ.
 */
export async function createdBefore<K extends Transaction['kind']>(
  { read }: Store,
  { merchantId, kind, orderId }: { readonly merchantId: number; readonly kind: K; readonly orderId: string },
  request: object,
): Promise<OfKind<K>> {
  const existing = await transactionByOrderId(read, merchantId, kind, orderId);
  if (!existing) throw new Error(`order id ${orderId} is taken, but not found`);
  const differences = listDifferences(restoreRequest(existing), request);
  if (differences.length > 0) throw orderIdReused(existing, differences.slice(0, DIFFERENCES_MAX));
  return existing;
}

/** Warns against a new order id, since a caller that lost the first response would then pay twice. */
function orderIdReused({ kind, id, orderId }: Transaction, differences: readonly string[]): ProblemError {
  const names = differences.map((pointer) => pointer.slice(1).replaceAll('/', '.')).join(', ');
  const detail = `A ${kind} with the merchant_order_id ${orderId} exists, created with another ${names}. To repeat it, send the first request unchanged. Use a new merchant_order_id only once that ${kind} is known to have failed, because ${RISK[kind]}.`;
  return new ProblemError('order-id-reused', detail, { members: { transaction_id: id, differences } });
}

/** JSON pointers to the values that differ, ignoring the order of members. Empty if the values are equal. */
function listDifferences(a: unknown, b: unknown, path: readonly string[] = []): string[] {
  const areObjects = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null;
  if (!areObjects || Array.isArray(a) !== Array.isArray(b)) return a === b ? [] : [toPointer(...path)];
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
    Object.hasOwn(left, name) === Object.hasOwn(right, name)
      ? listDifferences(left[name], right[name], [...path, name])
      : [toPointer(...path, name)],
  );
}
