/** Examines the driver: whether it serves the claimed levels and sends valid bodies. */
import type { JsonObject } from '../../../contract/src/model.ts';
import { requiredGoals } from '../checks/states.ts';
import type { Level } from '../core/settings.ts';
import { creationBody, OPERATION_NAMES } from '../core/tracked.ts';
import { boundedDriver } from '../drivers/bounded.ts';
import type { Driver, PaymentGoal, PayoutGoal } from '../drivers/driver.ts';
import { chooseDriver } from '../run/preflight.ts';
import { Problem } from './examination.ts';
import type { Setup } from './setup.ts';

type Goal = PaymentGoal | PayoutGoal;

/** Abilities that no level needs, with the checks that each makes possible. */
const ABILITIES: readonly (readonly [keyof Driver, string])[] = [
  ['pay', 'payments by redirect'],
  ['cancel', 'payments that their customer cancels'],
  ['returnAddress', 'the way back to the shop'],
  ['move', 'single transitions'],
  ['disturb', 'responses such as 429 and 503'],
  ['emptyWallet', 'a payout without funds'],
  ['drainWallet', 'wallets with too large a balance'],
];

export async function takeDriverStep(setup: Setup): Promise<void> {
  const { examination, chosen } = setup;
  if (chosen === null) return;
  await examination.take('Driver', ['Service'], async () => {
    const found = await chooseDriver(setup.connection, setup.probes, chosen);
    const driver = boundedDriver(found, setup.settings.timeoutMs);
    setup.driver = driver;
    if (driver.followsPrefer) return `${driver.name}, since it follows the Prefer header, as a mock does.`;
    requireBodies(setup, driver);
    const lacking = ABILITIES.filter(([name]) => driver[name] === undefined);
    const given = chosen === undefined ? `${driver.name}, by default.` : `${driver.name}.`;
    if (lacking.length === 0) return given;
    return `${given} It lacks ${lacking.map(([name, checks]) => `\`${name}\` (${checks})`).join(', ')}.`;
  });
}

/** Throws a Problem if the driver has no body for a goal of a claimed level, or an invalid one. */
function requireBodies({ contract, settings, unsupported }: Setup, driver: Driver): void {
  const goals = requiredGoals(contract).filter(({ level }) => settings.levels.includes(level));
  const lacking: { level: Level; goal: Goal }[] = [];
  for (const { level, goal } of goals) {
    const body = createBody(driver, goal);
    if (body === undefined) {
      lacking.push({ level, goal });
      continue;
    }
    const { request } = contract.operation(OPERATION_NAMES['flow' in goal ? 'payment' : 'payout'].create);
    const sent = creationBody(body, 'order-1', 'http://127.0.0.1/webhooks');
    const [mistake] = request ? contract.mistakes(request.schema, sent) : [];
    if (!mistake) continue;
    const text = `The body for ${inWords(goal)} isn't one of the contract: ${mistake.pointer} expects ${mistake.expected}.`;
    throw new Problem(text, `Correct it in ${readMethod(goal)} of the driver.`);
  }
  const [first] = lacking;
  if (!first) return;
  for (const { level } of lacking) unsupported.add(level);
  throw new Problem(
    `${driver.name} has no body for: ${lacking.map(({ goal }) => inWords(goal)).join('; ')}.`,
    `Add them to ${readMethod(first.goal)} of the driver, or don't claim ${[...unsupported].join(', ')}, see --level.`,
  );
}

/** The driver's body; undefined if it has none. Throws a Problem if the driver fails. */
export function createBody(driver: Driver, goal: Goal): JsonObject | undefined {
  try {
    return 'flow' in goal ? driver.payment(goal) : driver.payout(goal);
  } catch (error) {
    const call = `${readMethod(goal)} threw for ${JSON.stringify(goal)}`;
    throw new Problem(`${call}: ${(error as Error).message}`, 'Correct the driver.');
  }
}

function readMethod(goal: Goal): string {
  return 'flow' in goal ? '`payment`' : '`payout`';
}

function inWords(goal: Goal): string {
  const kind = 'flow' in goal ? `${goal.flow === 'h2h' ? 'H2H' : 'redirect'} payment` : 'payout';
  return `${kind} to ${goal.until}`;
}
