import type { Store } from '../database/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { MerchantTime } from '../platform/merchant-time.ts';
import type { Tracer } from '../platform/tracing.ts';

/** Services of the delivery. */
export interface DeliveryServices {
  readonly tracer?: Tracer | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly time: MerchantTime;
  readonly ids: Ids;
}
