/** Runs a command of the gateway inside this process, with an environment of its own. */
import { runGateway } from '../../../gateway/src/commands/program.ts';
import type { TestDatabase } from '../harness.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Run = (...args: string[]) => Promise<Ran>;

/** A function that runs commands with the variables, and no others. */
export function commandsWith(env: Readonly<Record<string, string>>): Run {
  return async (...args) => {
    let [stdout, stderr] = ['', ''];
    const terminal = {
      out: (text: string) => {
        stdout += text;
      },
      err: (text: string) => {
        stderr += text;
      },
    };
    const code = await runGateway(args, { env, terminal });
    return { code, stdout, stderr };
  };
}

/** The variables that lead to a database. */
export function environmentOf({ kind, address }: Pick<TestDatabase, 'kind' | 'address'>): Record<string, string> {
  return kind === 'sqlite' ? { DATABASE_FILE: address } : { DATABASE_URL: address };
}
