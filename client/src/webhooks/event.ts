/** Typed events. The kind of transaction and the status identify an event, since bodies have no event field. */
import type { WebhookName, WebhookPayloads } from '../../../generated/types.ts';
import { kindOf, webhookName, type webhookNames } from '../../../generated/webhooks.ts';
import { WebhookError } from './errors.ts';
import { describeContent } from './judge-state.ts';

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

/** Parses a verified body. Without an event ID, the transaction, its status and the requested items identify the event. */
export function readEvent(body: Uint8Array, id: string | undefined, sentAt: Date | undefined): WebhookEvent {
  const data = parse(body);
  const { status, transaction_id: transaction } = data;
  const kind = kindOf(data);
  const name = webhookName(data);
  if (typeof transaction !== 'string' || !name) {
    throw new WebhookError('UNKNOWN_EVENT', `A ${kind} in status ${status} is not a known event`);
  }
  const event = { kind, name, status, sentAt, data } as unknown as WebhookEvent;
  return { ...event, id: id ?? `${transaction}.${describeContent(event.data)}` };
}

function parse(body: Uint8Array): Record<string, unknown> {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    // The parser's message quotes the body, which has data of customers.
    throw new WebhookError('BODY_NOT_JSON', 'The body is not JSON in UTF-8');
  }
}
