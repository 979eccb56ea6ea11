/** Events as the document describes them. */
import type { DeliveryState, EventSummary } from '../../../generated/sandbox/types.ts';
import { timestamp } from '../contract/view.ts';
import type { StoredEvent } from '../store/merchant-events.ts';
import { timeOf } from './settings.ts';
import type { World } from './world.ts';

/** An event of the merchant. */
export function summarizeEvent(event: StoredEvent, world: World, merchantId: number): EventSummary {
  const { id, transactionId, url, createdAt, attempts, nextAt, lastResult } = event;
  const next = nextAt === undefined ? undefined : timeOf(nextAt, world.of(merchantId).clock, world.storeNow());
  return {
    id,
    transaction_id: transactionId,
    kind: transactionId.startsWith('pay_') ? 'payment' : 'payout',
    status: statusIn(event.body),
    url,
    created_at: timestamp(createdAt),
    state: stateOf(event),
    attempts,
    ...(next !== undefined && { next_attempt_at: timestamp(next) }),
    ...(lastResult !== undefined && { last_result: lastResult }),
  };
}

function stateOf({ nextAt, deliveredAt }: StoredEvent): DeliveryState {
  if (deliveredAt !== undefined) return 'delivered';
  return nextAt === undefined ? 'failed' : 'waiting';
}

function statusIn(body: string): string {
  return (JSON.parse(body) as { status: string }).status;
}
