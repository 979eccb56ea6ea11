/** Services for commands that do what the management API does, on a database whose gateways may run elsewhere. */
import { hostname, userInfo } from 'node:os';
import { UserError } from '../../../contract/src/cli.ts';
import type { Store } from '../database/store.ts';
import { ProblemError } from '../http/problems.ts';
import type { AdministrationServices, Recorder } from '../management/administration-services.ts';
import { type OperatorName, operatorForUser, recordOperatorChange } from '../operators/operators.ts';
import type { Clock } from '../platform/clock.ts';
import { randomIds } from '../platform/ids.ts';
import { type KeyRing, NO_KEYS } from '../platform/key-ring.ts';
import { storeTime } from '../platform/merchant-time.ts';

/** Runs an action and converts its problems to user errors. */
export async function explainProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProblemError ? new UserError(error.message) : error;
  }
}

export function commandServices(store: Store, clock: Clock, secretKeys: KeyRing = NO_KEYS): AdministrationServices {
  return {
    ...{ store, secretKeys, clock, time: storeTime(clock), ids: randomIds },
    // Gateways poll for waiting events and reload secrets within a second.
    wake: () => undefined,
    deliveries: { forgetKeys: () => undefined },
  };
}

/** The author of a change by a command, and the record of it. */
export interface Author {
  readonly operator: OperatorName;
  readonly record: Recorder;
  /** The database's clock. */
  readonly clock: Clock;
}

/** Records changes in the operators' audit log under the name of the system user. */
export async function createAuthor(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  action: string,
  reason: string | undefined,
): Promise<Author> {
  const operator = await store.unit((db) => operatorForUser(db, systemUser(), clock.now()));
  return {
    operator,
    clock,
    async record(db, change) {
      await recordOperatorChange(db, operator, { ...change, action, reason }, { now: clock.now(), ids: randomIds });
    },
  };
}

/** Records what was done, if anything was. */
export async function recordIf(change: Promise<boolean>, record: () => Promise<void>): Promise<boolean> {
  const done = await change;
  if (done) await record();
  return done;
}

/** A user without a name, as in a container, has a number. */
function systemUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return `${process.getuid?.() ?? 'user'}@${hostname()}`;
  }
}
