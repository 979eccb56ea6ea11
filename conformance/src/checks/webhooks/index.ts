/** Webhooks: each declared event arrives signed, equals the status endpoint's response, and is retried. */
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
import { signatureMistakes } from '../../receiver/signature.ts';
import { type ReceivedDelivery, readString } from '../../service/exchange.ts';
import { secondKey } from '../access.ts';
import { claimedFlow, createGoal, KIND_LEVELS } from '../levels.ts';
import { deliveryClause, describeMissing, judgeDelivery, webhookCheck } from './delivery.ts';
import { retryChecks } from './retries.ts';

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

export function secretCheck(contract: Contract): Check {
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
