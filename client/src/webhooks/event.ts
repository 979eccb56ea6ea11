/** Events with their types. A body names no event: kind and status tell it. */
import { webhookStatuses } from '../../../generated/statuses.ts';
import type { PaymentWebhookPayload, PayoutWebhookPayload, WebhookPayload } from '../../../generated/types.ts';
import { kindOf } from '../transactions.ts';
import { WebhookError } from './errors.ts';

export type EventKind = 'payment' | 'payout';

type EventOf<K extends EventKind, D extends WebhookPayload> = D extends WebhookPayload
  ? {
      readonly kind: K;
      readonly status: D['status'];
      /** The same in all deliveries of this event. */
      readonly id: string;
      /** Time of this delivery, if the scheme carries one. */
      readonly sentAt: Date | undefined;
      /** What the status endpoint showed when the event was made. */
      readonly data: D;
    }
  : never;

export type PaymentEvent = EventOf<'payment', PaymentWebhookPayload>;
export type PayoutEvent = EventOf<'payout', PayoutWebhookPayload>;
/** A verified event: `kind` and `status` narrow `data`. */
export type WebhookEvent = PaymentEvent | PayoutEvent;

/** Reads a body whose signature has been verified. An event without an id of its own gets one from what it tells. */
export function readEvent(body: Uint8Array, id: string | undefined, sentAt: Date | undefined): WebhookEvent {
  const data = parse(body);
  const { status, transaction_id: transaction } = data;
  const kind = kindOf(data);
  if (typeof transaction !== 'string' || !(webhookStatuses[kind] as readonly unknown[]).includes(status)) {
    throw new WebhookError('UNKNOWN_EVENT', `A ${kind} in status ${status} is no known event`);
  }
  return { kind, status, id: id ?? `${transaction}.${status}`, sentAt, data } as unknown as WebhookEvent;
}

function parse(body: Uint8Array): Record<string, unknown> {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch (error) {
    throw new WebhookError('BODY_NOT_JSON', (error as Error).message);
  }
}
