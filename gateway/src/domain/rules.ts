/**
 * Business rules whose violation declines a transaction, each with its reason (contract: both decline tables). Reasons
 * that only a bank, a provider or a risk team can know come from the channel instead.
 */
import type { PaymentDeclineReason, PayoutDeclineReason } from '../../../generated/types.ts';
import type { PaymentEvent } from './events.ts';
import { findMethod, type Method, type Methods } from './methods.ts';
import type { Payment, Payout, Transaction } from './transaction.ts';

type Rule<T extends Transaction, R> = readonly [reason: R, broken: (transaction: T, method: Method) => boolean];

const PAYMENT_RULES: readonly Rule<Payment, PaymentDeclineReason>[] = [
  ['CURRENCY_NOT_SUPPORTED', (payment, method) => !method.currencies.includes(payment.currency)],
  ['INVALID_AMOUNT', outsideLimits],
  ['INVALID_CUSTOMER_DETAILS', (payment, method) => missing(payment, method.requires)],
];

const PAYOUT_RULES: readonly Rule<Payout, PayoutDeclineReason>[] = [
  ['CURRENCY_NOT_SUPPORTED', (payout, method) => !method.currencies.includes(payout.currency)],
  ['INVALID_AMOUNT', outsideLimits],
  ['INVALID_ACCOUNT_DETAILS', (payout, method) => missing(payout, method.requires)],
  ['INVALID_ACCOUNT_DETAILS', (payout, method) => !hasForm(method, payout.customer.account_number)],
  ['CURRENCY_NOT_SUPPORTED', (payout) => payout.fundsHold === 'absent'],
  ['INSUFFICIENT_BALANCE', (payout) => payout.fundsHold !== 'held'],
];

/**
 * Outcomes determined in advance by test data. A transaction with a plan has complete data: only the plan's channel
 * asks for more.
 */
export interface Plan {
  /** The reason for its decline, which takes precedence over all other reasons. */
  readonly decline?: string;
  /** Returns the event that asks for its channel's data before the call; the payment then begins in that status. */
  readonly opening?: (payment: Payment) => PaymentEvent;
}

/**
 * The reason for which the gateway itself declines the transaction, or undefined if the channel may get it. The
 * customer's limits are not among the rules: they are checked when the usage is written, see usage.ts.
 */
export function declineByRules(methods: Methods, transaction: Transaction, plan?: Plan): string | undefined {
  if (plan?.decline !== undefined) return plan.decline;
  const method = findMethod(methods, transaction.kind, transaction.method);
  // The merchant's settings, by which a transaction gets no channel, may have changed since.
  if (!method || transaction.channel === '') return 'METHOD_NOT_SUPPORTED';
  const { limits = method.limits } = transaction;
  const asked: Method = { ...method, limits, ...(plan && { requires: [] }) };
  return transaction.kind === 'payment'
    ? PAYMENT_RULES.find(([, broken]) => broken(transaction, asked))?.[0]
    : PAYOUT_RULES.find(([, broken]) => broken(transaction, asked))?.[0];
}

/** Whether the customer's account has the format of the method's accounts. */
export function hasForm(method: Method, account: string | undefined): boolean {
  return account === undefined || !method.account || method.account.test(account);
}

function outsideLimits({ amount }: Transaction, { limits }: Method): boolean {
  return amount < limits.min || amount > limits.max;
}

function missing({ customer }: Transaction, items: readonly string[]): boolean {
  return lackingItems(items, { ...customer }).length > 0;
}

/** Names of the awaited items that these data lack. */
export function lackingItems(
  wanted: readonly string[] | undefined,
  given: Readonly<Record<string, string | undefined>>,
): string[] {
  return (wanted ?? []).filter((item) => given[item] === undefined);
}
