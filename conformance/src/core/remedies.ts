/** Remedies for transactions that miss their goals. */
import type { Driver, PaymentGoal, PayoutGoal } from '../drivers/driver.ts';
import { driverRemedy } from '../drivers/remedy.ts';
import { askedItems, findAction, readStatus, type TrackedTransaction } from './tracked.ts';

/** The remedy for a transaction that stays in another status. */
export function stepRemedy(driver: Driver, tracked: TrackedTransaction, goal: PaymentGoal | PayoutGoal): string {
  if (!findAction(readStatus(tracked))) return bodyRemedy(driver, tracked, goal);
  const items = askedItems(tracked).join(', ');
  return driverRemedy(driver, `let \`items\` of the driver return values that the service takes for ${items}`);
}

/** The remedy for a transaction that reaches another status. */
export function bodyRemedy(driver: Driver, { kind }: TrackedTransaction, { until }: PaymentGoal | PayoutGoal): string {
  const step = `let \`${kind}\` of the driver return a body that goes to ${until}, or \`move\` bring it there`;
  return driverRemedy(driver, step);
}
