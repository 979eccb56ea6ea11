/** Tools and findings that the steps of an examination share. */
import type { Level, Settings } from '../core/settings.ts';
import type { TrackedTransaction } from '../core/tracked.ts';
import type { Contract } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { ConformanceOptions } from '../run/options.ts';
import type { ServiceConnection } from '../service/connection.ts';
import type { Exchange, ServiceCall } from '../service/exchange.ts';
import type { Journal } from '../service/journal.ts';
import type { Examination } from './examination.ts';

export interface Setup {
  readonly contract: Contract;
  readonly settings: Settings;
  /** The chosen driver; `null` if it can't be loaded. */
  readonly chosen: ConformanceOptions['driver'] | null;
  readonly journal: Journal;
  readonly connection: ServiceConnection;
  readonly receiver: Receiver;
  readonly examination: Examination;
  /** Responses to the first requests. */
  probes: readonly Exchange[];
  driver?: Driver;
  /** Claimed levels for which the driver has no body. */
  readonly unsupported: Set<Level>;
  /** Transactions that the service created, whether or not they reached their goals. */
  readonly created: TrackedTransaction[];
}

/** The name under which the requests are in the journal. */
export const DOCTOR = 'doctor';

export function sendAsDoctor({ connection }: Setup, call: ServiceCall): Promise<Exchange> {
  return connection.send(call, DOCTOR);
}

/** Milliseconds as a reader takes them in: `35 ms`, `1.2 s`. */
export function readableDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
