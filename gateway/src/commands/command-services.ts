/** Services for commands that do what the management API does, on a database whose gateways may run elsewhere. */
import { hostname, userInfo } from 'node:os';
import type { Store } from '../database/store.ts';
import { createRecorder, type Recorder } from '../management/operation.ts';
import { type OperatorName, operatorForUser } from '../operators/operators.ts';
import type { Clock } from '../platform/clock.ts';
import { randomIds } from '../platform/ids.ts';

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
  return { operator, clock, record: createRecorder(operator, { action, reason }, { clock, ids: randomIds }) };
}

/** Records what was done, if anything was. */
export async function recordIf(change: Promise<boolean>, record: () => Promise<unknown>): Promise<boolean> {
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
