/** The opening of a transaction, shared by payments and payouts. */
import { findMethod, type Methods, selectChannel } from './methods.ts';
import type { Plan } from './rules.ts';
import type { MethodLimits, Order, Payment, Payout, Transaction } from './transaction.ts';

export interface Opening<T extends Transaction> {
  readonly methods: Methods;
  readonly id: string;
  readonly merchantId: number;
  readonly order: Order<T>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The merchant's limits of the method, if they aren't the method's. */
  readonly limits?: MethodLimits | undefined;
  /** Of its test data. */
  readonly plan?: Plan | undefined;
}

/** Common members of a new transaction. Its first step writes version 1. */
export function newTransactionFields(kind: Transaction['kind'], opening: Opening<Payment> | Opening<Payout>) {
  const { methods, id, merchantId, order, now, plan, limits } = opening;
  const channel = selectChannel(findMethod(methods, kind, order.method), order.customer);
  return {
    id,
    merchantId,
    createdAt: now,
    channel,
    version: 0,
    ...(limits && { limits }),
    ...(plan && { unlimited: true as const }),
  };
}
