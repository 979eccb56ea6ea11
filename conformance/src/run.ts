/** Runs the checks in this process, one after the other: a replay takes the transactions of its creations further. */
import { type Check, type Result, runCheck } from './check.ts';

/** Runs the checks and calls `onResult` after each. A check that throws is a fault of this kit: the error names it. */
export async function runChecks(checks: readonly Check[], onResult: () => void = () => undefined): Promise<Result[]> {
  const results: Result[] = [];
  for (const check of checks) {
    results.push(
      await runCheck(check).catch((cause: unknown) => {
        throw new Error(`the check '${check.title}' broke, which is a fault of this kit and not of the service`, {
          cause,
        });
      }),
    );
    onResult();
  }
  return results;
}
