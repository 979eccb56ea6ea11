/** Webhooks: each declared event arrives signed, equals the status endpoint's response, and is retried. */

import { setTimeout as pause } from 'node:timers/promises';
import { isObject, readMember } from '../../../../contract/src/model.ts';
import type { Check, Context } from '../../core/check.ts';
import { type Finding, formatValue, NotReached } from '../../core/finding.ts';
import { foundStatus } from '../../core/judge.ts';
import {
  creationBody,
  findEvent,
  isSuccess,
  listEvents,
  OPERATION_NAMES,
  type ReportedStatus,
} from '../../core/transactions.ts';
import { type Clause, type Contract, specified } from '../../document/contract.ts';
import type { PaymentGoal } from '../../drivers/driver.ts';
import { ID_HEADER, signatureMistakes, TIMESTAMP_HEADER } from '../../receiver/signature.ts';
import { type DeliveryReply, type ReceivedDelivery, readString } from '../../service/exchange.ts';
import { secondKey } from '../access.ts';
import { claimedFlow, createGoal, KIND_LEVELS } from '../levels.ts';
import {
  deliveryClause,
  describeMissing,
  describeReceived,
  judgeDelivery,
  notArrived,
  webhookCheck,
} from './delivery.ts';

/** Checks that wait for retries take the longest, so they come first. */
export function webhookChecks(contract: Contract): Check[] {
  return [
    ...retryChecks(contract),
    ...listEvents(contract).map((event) => arrivalCheck(contract, event)),
    secretCheck(contract),
  ];
}

/** Each event arrives after its state change, in the documented form. */
function arrivalCheck(contract: Contract, event: ReportedStatus): Check {
  const { operation, kind, status } = event;
  const { flows } = contract.machines[kind].states[status] ?? {};
  const clause = contract.clause(operation.pointer);
  return webhookCheck(`arrives/${operation.id}`, `${operation.id} is sent for a ${kind} in ${status}`, clause, {
    levels: ['webhooks'],
    needs: flows?.includes('redirect') || !flows ? KIND_LEVELS[kind] : ['payments-h2h'],
    async run(context) {
      const tracked = await context.fixtures.reach(createGoal(kind, context.settings, status));
      const delivery = await context.fixtures.timeouts.webhook(tracked, status);
      const misnamed = tracked.endpoint.deliveries.find((one) => isMisnamed(contract, event, one));
      if (!delivery && misnamed) {
        const found = formatValue(readMember(misnamed.body, 'status'));
        return [{ at: 'webhook body /status', expected: status, found, clause, delivery: misnamed }];
      }
      if (delivery) return judgeDelivery(contract, event, delivery);
      const expected = `${operation.id} at ${tracked.endpoint.url}`;
      return [{ at: 'webhook', expected, found: describeMissing(context, tracked, status), clause }];
    },
  });
}

/** Whether the delivery is the event but for its status, which no event has. */
function isMisnamed(contract: Contract, { kind, status, schema }: ReportedStatus, { body }: ReceivedDelivery): boolean {
  if (!isObject(body)) return false;
  const isKnown = findEvent(contract, kind, readString(body, 'status')) !== undefined;
  return !isKnown && contract.mistakes(schema, { ...body, status }).length === 0;
}

const ANY_HEADER = 'webhook-signature';

function secretCheck(contract: Contract): Check {
  const clause = specified('5', contract.webhooks[0]?.pointer ?? '');
  const title = "Another merchant's webhooks are signed with that merchant's secret";
  return webhookCheck('other-secret', title, clause, {
    needs: KIND_LEVELS.payment,
    run: (context) => judgeSecret(context, clause),
  });
}

async function judgeSecret(context: Context, clause: Clause): Promise<Finding[]> {
  const { contract, settings } = context;
  const { secret, secondSecret } = settings;
  const key = secondKey(context);
  if (secret === undefined) throw new NotReached('it needs the signing secret', 'set --secret');
  const delivery = await receiveWebhook(context, key);
  if (!('text' in delivery)) return [delivery];
  const at = 'webhook header signature';
  if ((await signatureMistakes(delivery, secret)).length === 0) {
    const expected = "a signature with the other merchant's secret";
    return [{ at, expected, found: "one with the first merchant's", clause, delivery }];
  }
  if (secondSecret === undefined) return [];
  const [mistake] = await signatureMistakes(delivery, secondSecret);
  if (!mistake) return [];
  const { expected, found } = mistake;
  return [{ at, expected, found: formatValue(found), clause: contract.assumption('signature'), delivery }];
}

/** The first webhook about a payment that the other merchant creates, or the finding that there is none. */
async function receiveWebhook(context: Context, key: string): Promise<ReceivedDelivery | Finding> {
  const { access, contract, driver, fixtures, journal, orderId, receiver, send, settings } = context;
  const flow = claimedFlow(settings);
  const goal: PaymentGoal = { flow, until: flow === 'h2h' ? 'PAY_CONFIRMATION_NEEDED' : 'FAILED' };
  const operation = contract.operation(OPERATION_NAMES.payment.create);
  const endpoint = receiver.endpoint();
  const body = creationBody(fixtures.bodyFor(goal), orderId(), endpoint.url);
  const creation = await send({ operation, body, key, unpaid: true });
  const id = readString(creation.body, 'transaction_id');
  if (!isSuccess(operation, creation) || id === undefined) {
    throw new NotReached(`createPayment returned ${foundStatus(creation)} to the second key`, 'correct --second-key');
  }
  await driver.move?.('payment', id, goal, { ...access, key }).catch(() => undefined);
  const awaitSigned = () => endpoint.find(({ headers }) => headers[ANY_HEADER] !== undefined, settings.timeoutMs);
  const delivery = await awaitSigned();
  if (delivery) return delivery;
  const exchange = await send({ operation: contract.operation('getPayment'), path: { transaction_id: id }, key });
  const event = findEvent(contract, 'payment', readString(exchange.body, 'status'));
  // The payment may have just reached the status.
  const late = event && (await awaitSigned());
  if (late) return late;
  // Without any webhook, the kit may be unreachable.
  if (event && endpoint.deliveries.length === 0 && journal.deliveries.length > 0) {
    const expected = `${event.operation.id} for the other merchant's payment ${id}`;
    const found = 'no webhook there';
    return { at: 'webhook', expected, found, clause: deliveryClause(contract), exchange };
  }
  throw new NotReached(`no signed webhook of the second key's payment came`, 'send it sooner, or raise --timeout');
}

const FAILED = 'FAILED';
const WAITING = 'PAY_CONFIRMATION_NEEDED';
/** A service that waits 15 s for a reply repeats the webhook after that. */
const REPLY_MS = 15_000;
const RETRY_MS = 6_000;
/** Times that even a quick service gets to send the next event, and to read the reply. */
const GONE_MS = 1_500;
const GONE_READ_MS = 1_000;

const FAILURES: readonly { name: string; title: string; reply: DeliveryReply; takesMs: number }[] = [
  { name: '500', title: 'a 500', reply: 500, takesMs: RETRY_MS },
  { name: 'redirect', title: 'a redirect', reply: 302, takesMs: RETRY_MS },
  { name: 'close', title: 'a closed connection', reply: 'close', takesMs: RETRY_MS },
  { name: 'no-reply', title: 'no reply', reply: 'hang', takesMs: REPLY_MS + RETRY_MS },
];

/** They take the longest, so they come first. */
function retryChecks(contract: Contract): Check[] {
  const clause = contract.assumption('retries');
  return [
    ...FAILURES.map((failure) =>
      webhookCheck(`retry/${failure.name}`, `A webhook comes again after ${failure.title}, with the same id`, clause, {
        phase: 'background',
        covers: [['deliveries', `again after ${failure.title}`]],
        run: (context) => judgeRetry(context, failure),
      }),
    ),
    webhookCheck('retry/gone', 'No webhook comes to an address that replied 410', clause, {
      phase: 'background',
      needs: ['payments-h2h'],
      covers: [['deliveries', 'after a 410']],
      run: judgeGone,
    }),
  ];
}

async function judgeRetry(context: Context, { title, reply, takesMs }: (typeof FAILURES)[number]): Promise<Finding[]> {
  const { contract, fixtures, settings } = context;
  const clause = contract.assumption('retries');
  if (settings.timeoutMs < takesMs) {
    throw new NotReached(`it takes up to ${takesMs} ms`, `set --timeout ${takesMs}`);
  }
  const tracked = await fixtures.reachNew({ flow: claimedFlow(settings), until: FAILED }, { status: FAILED, reply });
  const first = await fixtures.timeouts.webhook(tracked, FAILED);
  if (!first) throw notArrived(context, tracked, 'the first attempt');
  const isNext = (delivery: ReceivedDelivery) => delivery !== first && readString(delivery.body, 'status') === FAILED;
  const second = await tracked.endpoint.find(isNext, settings.timeoutMs);
  if (tracked.endpoint.wasLeft()) {
    const expected = 'no request to the address of the redirect, which is a failure';
    return [{ at: 'webhook address', expected, found: 'one that followed it', clause, delivery: first }];
  }
  if (!second) {
    const expected = `another attempt after ${title} within ${settings.timeoutMs / 1_000} s`;
    return [{ at: 'webhook', expected, found: describeReceived(tracked.endpoint), clause, delivery: first }];
  }
  const [before, after] = [first, second].map(({ headers }) => headers[ID_HEADER]);
  if (before === after) return [];
  const [expected, found] = [formatValue(before), formatValue(after)];
  return [{ at: `webhook header ${ID_HEADER}`, expected, found, clause, delivery: second }];
}

async function judgeGone(context: Context): Promise<Finding[]> {
  const { contract, fixtures } = context;
  const clause = contract.assumption('retries');
  // Its payment succeeds, which checks that compare wallets must not see.
  const { tracked, refused, known, tookMs } = await fixtures.moving(() => refuseForGood(context));
  const later = await tracked.endpoint.find(
    (delivery) => !known.has(delivery) && !wasInFlight(delivery, refused),
    fixtures.timeouts.unseenMs(GONE_MS, tookMs),
  );
  return later
    ? [{ at: 'webhook', expected: 'none after a 410', found: formatValue(later.body), clause, delivery: later }]
    : [];
}

/** Replies 410 to the first event of a payment, and drives the payment to a final status. */
async function refuseForGood(context: Context) {
  const { fixtures } = context;
  const tracked = await fixtures.reachNew({ flow: 'h2h', until: WAITING }, { status: WAITING, reply: 410 });
  const refused = await fixtures.timeouts.webhook(tracked, WAITING);
  if (!refused) throw notArrived(context, tracked, 'the first event');
  const { startedAt, endedAt } = tracked.creation;
  /** The time of a request, or of a webhook. */
  const tookMs = Math.max(endedAt - startedAt, refused.receivedAt - endedAt);
  // The service has to have read the reply before the next event is due.
  await pause(fixtures.timeouts.unseenMs(GONE_READ_MS, tookMs));
  const known = new Set(tracked.endpoint.deliveries);
  await fixtures.drive(tracked, { flow: 'h2h', until: 'SUCCESS' });
  return { tracked, refused, known, tookMs };
}

/** Seconds after the refused attempt in which another attempt of the same event can have been in flight. */
const IN_FLIGHT_S = 3;

/** Whether the service signed the attempt before it could read the reply. */
function wasInFlight({ headers, body }: ReceivedDelivery, refused: ReceivedDelivery): boolean {
  const later = Number(headers[TIMESTAMP_HEADER]) - Number(refused.headers[TIMESTAMP_HEADER]);
  return later <= 0 || (readString(body, 'status') === WAITING && later <= IN_FLIGHT_S);
}
