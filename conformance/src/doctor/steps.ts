/** Steps of the doctor: the address, keys, wallet, clock and limits of the service, its driver, and its transactions. */
import type { Json, JsonObject } from '../../../contract/src/model.ts';
import { requiredGoals } from '../checks/states.ts';
import { describeReceived, isLocal } from '../checks/webhooks/delivery.ts';
import { CreationRefused } from '../core/creation-options.ts';
import { findEvent } from '../core/events.ts';
import { NotReached } from '../core/finding.ts';
import { type Fixtures, sharedFixtures } from '../core/fixtures.ts';
import { foundStatus } from '../core/judge.ts';
import type { Level } from '../core/settings.ts';
import { creationBody, isSuccess, OPERATION_NAMES, readStatus, type TrackedTransaction } from '../core/tracked.ts';
import { boundedDriver, type Driver, type PaymentGoal, type PayoutGoal } from '../drivers/driver.ts';
import { driverRemedy } from '../drivers/gateway.ts';
import { knownMistake, signatureMistakes } from '../receiver/signature.ts';
import { addressObjection, chooseDriver, keyObjection, probeService } from '../run/preflight.ts';
import { createTools } from '../run/run.ts';
import { type Exchange, readMember, readString, UNKNOWN_KEY } from '../service/exchange.ts';
import type { ReceivedDelivery } from '../service/journal.ts';
import { asSentence, DOCTOR, Problem, readableDuration, type Setup, Skipped, sendAsDoctor } from './examination.ts';

/** The service responds at the address. */
export async function takeAddressStep(setup: Setup): Promise<void> {
  await setup.examination.take('Service', [], () => examineService(setup));
}

/** The service knows the keys, and shows the wallet. */
export async function takeAccessSteps(setup: Setup): Promise<void> {
  const { examination, settings } = setup;
  await examination.take('API key', ['Service'], () => examineKey(setup));
  await examination.take('Second key', ['API key'], () => examineSecondKey(setup));
  await examination.take('Balance', ['API key'], async () => {
    const { balances } = await readBalance(setup, settings.key);
    return balances.map(({ currency, available }) => `${currency} ${available}`).join(', ');
  });
}

/** Taken last, when there are more responses to look at. */
export async function takeTrafficSteps(setup: Setup): Promise<void> {
  await setup.examination.take('Clock', ['Service'], async () => examineClock(setup));
  await setup.examination.take('Rate limit', ['Service'], async () => examineRateLimit(setup));
}

async function examineService(setup: Setup): Promise<string> {
  const { contract, connection, settings } = setup;
  setup.probes = await probeService(contract, connection, settings.baseUrl);
  const objection = addressObjection(settings.baseUrl, setup.probes);
  if (objection !== undefined) throw new Problem(objection, '');
  const { startedAt, endedAt } = await sendAsDoctor(setup, { operation: contract.operation('getBalance') });
  return `${settings.baseUrl} responds in ${readableDuration(endedAt - startedAt)}.`;
}

async function examineKey(setup: Setup): Promise<string> {
  const { contract, settings, probes, driver } = setup;
  const objection = keyObjection(settings.baseUrl, probes);
  if (objection !== undefined) throw new Problem(objection, '');
  if (driver?.followsPrefer) throw new Skipped('A mock takes any key.');
  const { status } = await sendAsDoctor(setup, { operation: contract.operation('getBalance'), key: UNKNOWN_KEY });
  if (status === 401 || status === 403) return `Accepted. A wrong key gets ${status}.`;
  throw new Problem(
    `A wrong key gets ${status}, as if it were right.`,
    'Respond with 401 to a key that you don’t know.',
  );
}

async function examineSecondKey(setup: Setup): Promise<string> {
  const { key, secondKey } = setup.settings;
  if (secondKey === undefined) {
    throw new Skipped('None, so no check shows that merchants are kept apart.', 'Set --second-key or SECOND_API_KEY.');
  }
  const own = await readBalance(setup, key);
  const other = await readBalance(setup, secondKey);
  if (own.merchant === undefined || own.merchant !== other.merchant) return 'Belongs to another merchant.';
  throw new Problem(
    `It belongs to the same merchant as the first, merchant_id ${JSON.stringify(own.merchant)}.`,
    'Set --second-key to an API key of another merchant.',
  );
}

interface Balances {
  readonly merchant: Json | undefined;
  readonly balances: readonly { currency: string; available: number }[];
}

async function readBalance(setup: Setup, key: string): Promise<Balances> {
  const operation = setup.contract.operation('getBalance');
  const exchange = await sendAsDoctor(setup, { operation, key });
  const list = readMember(exchange.body, 'balances');
  const named = `${operation.method.toUpperCase()} ${operation.path}`;
  if (!isSuccess(operation, exchange)) {
    throw new Problem(`${named} returned ${foundStatus(exchange)}.`, 'Return the balance of each currency with 200.');
  }
  const balances = (Array.isArray(list) ? list : []).map((one) => ({
    currency: String(readMember(one, 'currency')),
    available: Number(readMember(one, 'available')),
    pending: Number(readMember(one, 'pending')),
  }));
  if (balances.length === 0 || balances.some(({ available, pending }) => Number.isNaN(available + pending))) {
    const next = 'Return `balances`, each with `available`, `pending` and `currency`. See: --only replay/getBalance.';
    throw new Problem(`${named} returned no balances.`, next);
  }
  return { merchant: readMember(exchange.body, 'merchant_id'), balances };
}

/** Signatures of webhooks are valid for this long (assumption signature). */
const CLOCK_MS_MAX = 300_000;
/** The header Date has whole seconds. */
const CLOCK_MS_EQUAL = 2_000;

function examineClock({ journal }: Setup): string {
  const dated = journal.exchanges.filter(({ headers }) => !Number.isNaN(Date.parse(headers.get('date') ?? '')));
  const quickest = dated.toSorted((one, other) => tookMs(one) - tookMs(other))[0];
  if (!quickest) throw new Skipped('No response has a Date header.');
  const aheadMs = Date.parse(quickest.headers.get('date') ?? '') - (quickest.startedAt + tookMs(quickest) / 2);
  if (Math.abs(aheadMs) <= CLOCK_MS_EQUAL) return 'The same as on this machine.';
  const text = `The service's clock is ${readableDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`;
  if (Math.abs(aheadMs) < CLOCK_MS_MAX) return text;
  throw new Problem(text, 'Set both clocks by NTP. A signature is valid for 5 minutes.');
}

function tookMs({ startedAt, endedAt }: Exchange): number {
  return endedAt - startedAt;
}

function examineRateLimit({ journal: { exchanges } }: Setup): string {
  const stated = exchanges.flatMap(({ headers }) =>
    [...headers].filter(([name]) => /^(x-)?ratelimit(-limit|-policy)?$/.test(name)).map((pair) => pair.join(': ')),
  );
  const busy = exchanges.filter(({ status }) => status === 429).length;
  const seen = busy > 0 ? `${busy} of ${exchanges.length} responses were a 429, which a run waits out.` : '';
  const policy = stated.find((line) => line.includes('policy')) ?? stated[0];
  const parts = [policy && `${policy}.`, seen].filter(Boolean);
  return parts.length === 0 ? `None seen in ${exchanges.length} requests.` : parts.join(' ');
}

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

/** The step that shows a level. */
export const LEVEL_STEPS: Readonly<Partial<Record<Level, string>>> = {
  'payments-h2h': 'H2H payment',
  'payments-redirect': 'Redirect payment',
  payouts: 'Payout',
  webhooks: 'Webhook',
};

const GOALS: readonly (readonly [Level, Goal])[] = [
  ['payments-h2h', { flow: 'h2h', until: 'SUCCESS' }],
  ['payments-redirect', { flow: 'redirect', until: 'SUCCESS' }],
  ['payouts', { until: 'SUCCESS' }],
];

export async function takeTransactionSteps(setup: Setup): Promise<void> {
  const { examination, settings, driver } = setup;
  if (driver?.followsPrefer) return;
  // One that lacks something can still do the rest.
  const needs = ['API key', ...(driver ? [] : ['Driver'])];
  for (const [level, goal] of GOALS) {
    if (!settings.levels.includes(level)) continue;
    await examination.take(LEVEL_STEPS[level] ?? level, needs, () => bring(setup, goal));
  }
  if (!settings.levels.includes('webhooks')) return;
  let delivery: ReceivedDelivery | undefined;
  await examination.take('Webhook', needs, async () => {
    delivery = await firstWebhook(setup);
    return `${readString(delivery.body, 'status')} arrived at ${setup.receiver.url}.`;
  });
  await examination.take('Signature', ['Webhook'], () => examineSignature(setup, delivery));
}

async function bring(setup: Setup, goal: Goal): Promise<string> {
  const { fixtures, driver } = createStepTools(setup);
  const startedAt = performance.now();
  const kind = 'flow' in goal ? 'payment' : 'payout';
  try {
    const body = createBody(driver, goal);
    if (!body) throw new Skipped('The driver has no body for it.');
    if (kind === 'payout') await fixtures.funded(String(body['currency']), Number(body['amount']));
    const tracked = await fixtures.create(kind, body);
    setup.created.push(tracked);
    await fixtures.drive(tracked, goal);
  } catch (error) {
    throw explained(setup, error as Error);
  }
  return `${goal.until} after ${readableDuration(performance.now() - startedAt)}.`;
}

function createStepTools(setup: Setup): { fixtures: Fixtures; driver: Driver } {
  const { contract, settings, connection, receiver, journal, driver } = setup;
  if (!driver) throw new Error('there is no driver');
  return createTools({ contract, settings, connection, receiver, journal, driver }, DOCTOR, sharedFixtures(settings));
}

/** The reason why the transaction stopped, with the most likely remedy. */
function explained(setup: Setup, error: Error): Error {
  if (!(error instanceof NotReached)) return error;
  const violations = error instanceof CreationRefused ? listViolations(error) : [];
  const text = asSentence([error.message, ...violations].join('; '));
  if (violations.some((violation) => violation.includes('callback_url'))) {
    const next = `Let the service send webhooks to ${setup.receiver.url}, or name an address that it takes with --webhook-url.`;
    return new Problem(text, next);
  }
  if (error instanceof CreationRefused && setup.driver) {
    return new Problem(text, asSentence(driverRemedy(setup.driver, 'correct the body in the driver, or the service')));
  }
  return new Problem(text, asSentence(error.remedy));
}

function listViolations({ creation }: CreationRefused): string[] {
  const list = readMember(creation.body, 'violations');
  return (Array.isArray(list) ? list : []).map((one) =>
    [readMember(one, 'pointer'), readMember(one, 'message')].join(' '),
  );
}

/** The webhook about a status of the transaction, or a Problem that lists the received ones. */
async function firstWebhook(setup: Setup): Promise<ReceivedDelivery> {
  const { contract, created, settings } = setup;
  const notified = created.find((tracked) => findEvent(contract, tracked.kind, readStatus(tracked)));
  if (!notified) throw new Skipped('No transaction reached a status of which a webhook is sent.');
  const status = readStatus(notified);
  const found = await notified.endpoint.find(({ body }) => readString(body, 'status') === status, settings.timeoutMs);
  if (found) return found;
  const text = `The webhook ${status} of the ${notified.kind} didn't arrive within ${readableDuration(settings.timeoutMs)}`;
  throw new Problem(`${text}: ${whatElse(setup, notified)}.`, addressAdvice(setup, notified));
}

function whatElse({ journal, receiver }: Setup, { endpoint }: TrackedTransaction): string {
  if (endpoint.deliveries.length > 0) return describeReceived(endpoint);
  if (receiver.strays.length > 0) return `${receiver.strays[0]} came instead`;
  return journal.deliveries.length > 0 ? 'others came to the addresses of other transactions' : 'nothing came at all';
}

function addressAdvice({ receiver, settings, journal }: Setup, { endpoint }: TrackedTransaction): string {
  if (journal.deliveries.length > 0 || receiver.strays.length > 0) {
    return 'Send each event by POST to the `callback_url` of its transaction, unchanged.';
  }
  if (isLocal(receiver.url) && !isLocal(settings.baseUrl)) {
    return `${new URL(settings.baseUrl).hostname} can't reach ${receiver.url}. Listen with --webhook-host 0.0.0.0, and name this machine's address, or that of a tunnel, with --webhook-url.`;
  }
  const inContainer =
    'If it runs in a container, use --webhook-host 0.0.0.0 --webhook-url http://host.docker.internal:PORT';
  return `Let the service send a POST to ${endpoint.url}. ${inContainer}.`;
}

async function examineSignature(
  { settings: { secret }, contract }: Setup,
  delivery: ReceivedDelivery | undefined,
): Promise<string> {
  if (secret === undefined)
    throw new Skipped('There is no secret to verify it with.', 'Set --secret or WEBHOOK_SECRET.');
  const [mistake] = delivery ? await signatureMistakes(delivery, secret) : [];
  if (!delivery || !mistake) return 'Right for the id, the timestamp and the body.';
  const { header, expected, found = 'nothing' } = mistake;
  const known = knownMistake(contract.bundle, delivery, secret, found);
  throw new Problem(
    [`${header}: expected ${expected}; found ${found}.`, known].filter(Boolean).join(' '),
    'Sign with the secret of --secret, as Standard Webhooks does.',
  );
}
