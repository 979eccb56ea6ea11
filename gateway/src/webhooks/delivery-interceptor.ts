/**
 * Interception of deliveries before they are sent, such as by the webhook faults of a sandbox. A gateway with LIVE has no
 * interceptor. It is made of the parts of the delivery, which know nothing of it.
 */
import type { Bundle } from '../../../contract/src/model.ts';
import type { Services } from '../operations/operation.ts';
import type { KeyRing } from '../platform/key-ring.ts';
import type { Timers } from '../platform/timers.ts';
import type { Delivery } from '../store/outbox/outbox.ts';
import type { RememberedKeys } from './keys.ts';
import type { SentMessage } from './message.ts';
import type { Sender } from './sender.ts';

/** An attempt. */
export interface InterceptedAttempt {
  readonly sent: SentMessage;
  /** Called once the lane is left: sends the event further times. If one of them is delivered, the event is. */
  readonly sendFurther?: (() => Promise<readonly SentMessage[]>) | undefined;
}

export interface DeliveryInterceptor {
  /**
   * The merchant's time until which a claimed delivery goes back unattempted. Undefined if it is attempted now, without a
   * promise where that costs nothing to find out.
   */
  heldUntil(delivery: Delivery): Promise<number | undefined> | undefined;
  /** Sends a delivery that isn't held; undefined if it is sent directly. */
  send(delivery: Delivery): Promise<InterceptedAttempt> | undefined;
}

/** Parts of the delivery that an interceptor is made of. */
export interface InterceptorParts extends Pick<Services, 'store' | 'time' | 'ids' | 'tracer'> {
  readonly bundle: Bundle;
  /** Decrypt the signing secrets. */
  readonly secretKeys: KeyRing;
  readonly keys: RememberedKeys;
  readonly connections: Pick<Sender, 'send'>;
  readonly timers: Timers;
}
