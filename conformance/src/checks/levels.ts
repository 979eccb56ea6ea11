/** The levels that an operation belongs to. A service that claims none of them may lack the operation. */

import type { Operation } from '../../../contract/src/model.ts';
import type { TransactionKind } from '../../../contract/src/reference-model.ts';
import type { Level, Settings } from '../core/settings.ts';
import type { Driver, PaymentGoal, PayoutGoal } from '../drivers/driver.ts';
import { readString } from '../service/exchange.ts';

/** The levels of payments and of payouts. */
export const KIND_LEVELS: Readonly<Record<TransactionKind, readonly Level[]>> = {
  payment: ['payments-h2h', 'payments-redirect'],
  payout: ['payouts'],
};

/** The levels of an operation. Empty if every service has it. */
export function listLevels({ id, path }: Operation): readonly Level[] {
  if (path.startsWith('/payouts')) return KIND_LEVELS.payout;
  if (id === 'clarifyPayment' || id === 'confirmPayment') return ['payments-h2h'];
  return path.startsWith('/payments') ? KIND_LEVELS.payment : [];
}

/** A claimed flow, for checks that work with either. */
export function claimedFlow({ levels }: Settings): PaymentGoal['flow'] {
  return levels.includes('payments-redirect') && !levels.includes('payments-h2h') ? 'redirect' : 'h2h';
}

/** The flows that the service claims. */
export function listFlows({ levels }: Settings): PaymentGoal['flow'][] {
  return (['h2h', 'redirect'] as const).filter((flow) => levels.includes(`payments-${flow}`));
}

/** A payment that waits for its customer, so no money moves. */
export function waitingGoal(settings: Settings): PaymentGoal {
  return createWaitingGoal(claimedFlow(settings));
}

export function createWaitingGoal(flow: PaymentGoal['flow']): PaymentGoal {
  return { flow, until: flow === 'h2h' ? 'PAY_CONFIRMATION_NEEDED' : 'CREATED' };
}

/** The wallet of the driver's transaction with the goal; undefined if it has none. */
export function readGoalCurrency(goal: PaymentGoal | PayoutGoal): (driver: Driver) => string | undefined {
  return (driver) => readString('flow' in goal ? driver.payment(goal) : driver.payout(goal), 'currency');
}
