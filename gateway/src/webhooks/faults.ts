/** What goes wrong with deliveries on purpose. Only gateways with a sandbox have any. */
import type { Delivery } from '../store/outbox.ts';

/** A fault of a single attempt. */
export type AttemptFault =
  | 'duplicate'
  | 'drop'
  | 'wrong_signature'
  | 'missing_signature'
  | 'stale_timestamp'
  | 'rotated_secret';

export interface DeliveryPlan {
  /** The delivery goes back until this time of the store. */
  readonly waitUntil?: number | undefined;
  readonly faults: readonly AttemptFault[];
  /** Called when the endpoint has responded, or hasn't in time. */
  readonly onSent?: (() => Promise<void>) | undefined;
}

export interface DeliveryFaults {
  /** The plan for a claimed delivery; undefined where nothing goes wrong, which costs nothing to find out. */
  planOf(delivery: Delivery): Promise<DeliveryPlan> | undefined;
}
