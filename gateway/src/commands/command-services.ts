/** Services for commands that run management operations on a database whose gateways may run elsewhere. */
import { hostname, userInfo } from 'node:os';
import { UserError } from '../../../contract/src/cli.ts';
import type { Store } from '../database/store.ts';
import { ProblemError } from '../http/problems.ts';
import { findOperatorKey } from '../management/lookups.ts';
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

/** The database on which a command makes a change, and who runs the command. */
export interface AuthoredDatabase {
  readonly store: Store;
  readonly clock: Clock;
  /** From `OPERATOR_KEY`. Without it, the system's user is the author. */
  readonly operatorKey?: string | undefined;
}

/** Records changes in the operators' audit log. Throws a UserError for a key that isn't valid. */
export async function createAuthor(
  { store, clock, operatorKey }: AuthoredDatabase,
  action: string,
  reason: string | undefined,
): Promise<Author> {
  const operator = operatorKey
    ? await requireOperator({ store, clock }, operatorKey)
    : await store.unit((db) => operatorForUser(db, systemUser(), clock.now()));
  return { operator, clock, record: createRecorder(operator, { action, reason }, { clock, ids: randomIds }) };
}

const WITHOUT_KEY =
  "To record the change under the name of the system's user instead, remove OPERATOR_KEY: unset OPERATOR_KEY";

async function requireOperator(
  { store, clock }: Pick<AuthoredDatabase, 'store' | 'clock'>,
  key: string,
): Promise<OperatorName> {
  const valid = await findOperatorKey(store, key, clock.now()).catch((error: unknown) => {
    throw error instanceof ProblemError ? new UserError(`${error.message}\n${WITHOUT_KEY}`) : error;
  });
  if (valid) return valid.operator;
  throw new UserError(
    `This database has no valid key …${key.slice(-4)}, which is OPERATOR_KEY. Correct it.\n${WITHOUT_KEY}`,
  );
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
