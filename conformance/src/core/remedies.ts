/** Next steps for a reader whose service didn't bring a transaction to its goal. */
import type { Driver, PaymentGoal, PayoutGoal } from '../drivers/driver.ts';
import { driverRemedy } from '../drivers/remedy.ts';
import { actionIn, askedItems, statusOf, type Tracked } from './tracked.ts';

/** The next step if a transaction stays in a status that is not its goal. */
export function stepRemedy(driver: Driver, tracked: Tracked, goal: PaymentGoal | PayoutGoal): string {
  if (!actionIn(statusOf(tracked))) return bodyRemedy(driver, tracked, goal);
  const items = askedItems(tracked).join(', ');
  return driverRemedy(driver, `let \`items\` of the driver return values that the service takes for ${items}`);
}

/** The next step if a transaction takes another way. */
export function bodyRemedy(driver: Driver, { kind }: Tracked, { until }: PaymentGoal | PayoutGoal): string {
  const step = `let \`${kind}\` of the driver return a body that goes to ${until}, or \`move\` bring it there`;
  return driverRemedy(driver, step);
}
