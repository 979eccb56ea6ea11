/** Runs a command of the gateway inside this process, with its own environment. */
import { runGateway } from '../../../gateway/src/commands/program.ts';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import type { Ran } from '../../../scripts/tools/process.ts';
import { collect } from '../../tools/collect.ts';
import type { TestDatabase } from '../harness.ts';

export type Run = (...args: string[]) => Promise<Ran>;

/** Creates a function that runs commands with only these variables. */
export function createRunner(env: Readonly<Record<string, string>>): Run {
  return (...args) => collect((terminal) => runGateway(args, { env, terminal }));
}

/** The commands on a new database with its tables. */
export async function administer(
  database: () => Promise<TestDatabase>,
): Promise<{ readonly admin: Run; readonly store: Store; readonly env: Readonly<Record<string, string>> }> {
  const made = await database();
  const store = made.connect();
  await migrate(store);
  const env = toEnvironment(made);
  return { admin: createRunner(env), store, env };
}

/** The variables that select a database. */
export function toEnvironment({ kind, address }: Pick<TestDatabase, 'kind' | 'address'>): Record<string, string> {
  return kind === 'sqlite' ? { DATABASE_FILE: address } : { DATABASE_URL: address };
}
