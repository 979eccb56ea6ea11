/** Steps that bring one small transaction of each claimed kind to SUCCESS, and look at a webhook. */
import { describeReceived, isLocal } from '../checks/webhooks/delivery.ts';
import { CreationRefused } from '../core/creation-options.ts';
import { findEvent } from '../core/events.ts';
import { NotReached } from '../core/finding.ts';
import type { Fixtures } from '../core/fixtures.ts';
import type { Level } from '../core/settings.ts';
import { sharedFixtures } from '../core/shared-fixtures.ts';
import { readStatus, type TrackedTransaction } from '../core/tracked.ts';
import type { Driver, PaymentGoal, PayoutGoal } from '../drivers/driver.ts';
import { driverRemedy } from '../drivers/remedy.ts';
import { knownMistake, signatureMistakes } from '../receiver/signature.ts';
import { createTools } from '../run/run.ts';
import { readMember, readString } from '../service/exchange.ts';
import type { ReceivedDelivery } from '../service/journal.ts';
import { createBody } from './driver-step.ts';
import { asSentence, Problem, Skipped } from './examination.ts';
import { DOCTOR, readableDuration, type Setup } from './setup.ts';

type Goal = PaymentGoal | PayoutGoal;

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
