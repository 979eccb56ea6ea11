/** The services of the functions in this folder, which the management API, commands and the sandbox call. */

import type { Database } from '../database/store.ts';
import type { OperatorChange } from '../operators/operators.ts';
import type { KeyRing } from '../platform/key-ring.ts';
import type { Services } from '../transactions/services.ts';

export interface AdministrationServices extends Pick<Services, 'store' | 'clock' | 'time' | 'ids'> {
  /** Encrypt the signing secrets. */
  readonly secretKeys: KeyRing;
  /** Signals that events are waiting. No-op in a process without deliveries. */
  readonly wake: () => void;
  readonly deliveries: {
    /** The merchant's secrets have changed. */
    readonly forgetKeys: (merchantId: number) => void;
  };
}

/** Records a change in the unit of work that makes it. */
export type Recorder = (db: Database, change: Omit<OperatorChange, 'action'>) => Promise<void>;

/** For changes of a merchant's own. */
export const UNRECORDED: Recorder = async () => undefined;
