/** Intercepts deliveries before they are sent, for the sandbox's webhook faults. A live gateway has no interceptor. */
import type { Bundle } from '../../../contract/src/model.ts';
import type { Timers } from '../platform/timers.ts';
import type { SentMessage } from './message.ts';
import type { Delivery } from './outbox.ts';
import type { DeliveryServices, Sender } from './sender.ts';
import type { KeyCache } from './signer.ts';

export interface InterceptedAttempt {
  readonly sent: SentMessage;
  /** Called once the attempt has ended: sends the event again. If one copy is delivered, the event is. */
  readonly sendFurther?: (() => Promise<readonly SentMessage[]>) | undefined;
}

export interface DeliveryInterceptor {
  /**
   * The merchant's time until which a claimed delivery is postponed, or undefined to attempt it now. Returns a promise
   * only if it must query the database.
   */
  heldUntil(delivery: Delivery): Promise<number | undefined> | undefined;
  /** Sends a delivery that isn't postponed. Returns undefined if it is to be sent without faults. */
  send(delivery: Delivery): Promise<InterceptedAttempt> | undefined;
}

/** Parts of the delivery that an interceptor uses. */
export interface InterceptorParts extends Pick<DeliveryServices, 'store' | 'time' | 'ids' | 'tracer'> {
  readonly bundle: Bundle;
  readonly keys: KeyCache;
  readonly connections: Pick<Sender, 'send'>;
  readonly timers: Timers;
}
