/** Webhooks: each declared event arrives signed, equals the status endpoint's response, and is retried. */

import type { Check } from '../../core/check.ts';
import { listEvents, type ReportedStatus } from '../../core/events.ts';
import type { Contract } from '../../document/contract.ts';
import { claimedFlow, KIND_LEVELS } from '../levels.ts';
import { awaitDelivery, describeMissing, judgeDelivery, webhookCheck } from './delivery.ts';
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
      const tracked =
        kind === 'payment'
          ? await context.fixtures.payment({ flow: claimedFlow(context.settings), until: status })
          : await context.fixtures.payout({ until: status });
      const delivery = await awaitDelivery(context, tracked, status);
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
