/** Webhooks: each declared event arrives signed, equals the status endpoint's response, and is retried. */

import { isObject } from '../../../../contract/src/model.ts';
import type { Check } from '../../core/check.ts';
import { findEvent, listEvents, type ReportedStatus } from '../../core/events.ts';
import { formatValue } from '../../core/finding.ts';
import type { Contract } from '../../document/contract.ts';
import { readMember, readString } from '../../service/exchange.ts';
import type { ReceivedDelivery } from '../../service/journal.ts';
import { createGoal, KIND_LEVELS } from '../levels.ts';
import { describeMissing, judgeDelivery, webhookCheck } from './delivery.ts';
import { retryChecks } from './retries.ts';
import { secretCheck } from './secrets.ts';

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
      if (!delivery)
        return [
          {
            at: 'webhook',
            expected: `${operation.id} at ${tracked.endpoint.url}`,
            found: describeMissing(context, tracked, status),
            clause,
          },
        ];
      return judgeDelivery(contract, event, delivery);
    },
  });
}

/** Whether the delivery is the event but for its status, which no event has. */
function isMisnamed(contract: Contract, { kind, status, schema }: ReportedStatus, { body }: ReceivedDelivery): boolean {
  if (!isObject(body)) return false;
  const isKnown = findEvent(contract, kind, readString(body, 'status')) !== undefined;
  return !isKnown && contract.mistakes(schema, { ...body, status }).length === 0;
}
