/** Events with their types. A body names no event: what it is about and its status tell which one it is. */
import type { WebhookName, WebhookPayloads } from '../../../generated/types.ts';
import { kindOf, webhookName, type webhookNames } from '../../../generated/webhooks.ts';
import { WebhookError } from './errors.ts';

type Names = typeof webhookNames;
export type EventKind = keyof Names;

type EventOf<K extends EventKind, N extends WebhookName> = N extends WebhookName
  ? {
      readonly kind: K;
      /** The event's name in the contract, such as `paymentSucceeded`. */
      readonly name: N;
      readonly status: WebhookPayloads[N]['status'];
      /** The same in all deliveries of this event. */
      readonly id: string;
      /** Time of this delivery, if the scheme carries one. */
      readonly sentAt: Date | undefined;
      /** The status endpoint's body at the time of the event. */
      readonly data: WebhookPayloads[N];
    }
  : never;

export type PaymentEvent = EventOf<'payment', Names['payment'][keyof Names['payment']]>;
export type PayoutEvent = EventOf<'payout', Names['payout'][keyof Names['payout']]>;
/** A verified event: `name`, or `kind` and `status`, narrow `data`. */
export type WebhookEvent = PaymentEvent | PayoutEvent;

/** Reads a body whose signature has been verified. An event without an id of its own gets one made of its transaction and status. */
export function readEvent(body: Uint8Array, id: string | undefined, sentAt: Date | undefined): WebhookEvent {
  const data = parse(body);
  const { status, transaction_id: transaction } = data;
  const kind = kindOf(data);
  const name = webhookName(data);
  if (typeof transaction !== 'string' || !name) {
    throw new WebhookError('UNKNOWN_EVENT', `A ${kind} in status ${status} is not a known event`);
  }
  return { kind, name, status, id: id ?? `${transaction}.${status}`, sentAt, data } as unknown as WebhookEvent;
}

function parse(body: Uint8Array): Record<string, unknown> {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch (error) {
    throw new WebhookError('BODY_NOT_JSON', (error as Error).message);
  }
}
