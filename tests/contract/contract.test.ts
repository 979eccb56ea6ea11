/** One test for each operation and named example, and for each refusal, made from the bundle. */
import { describe, expect, inject, test } from 'vitest';
import { runCheck } from '../../scripts/verify/check.ts';
import { loadContract } from '../../scripts/verify/contract.ts';
import { planChecks } from '../../scripts/verify/plan.ts';

const settings = inject('verify');
if (!settings) throw new Error('there is no service to verify; run: npm run verify -- BASE_URL');
const checks = planChecks(loadContract(), settings);

for (const operation of new Set(checks.map((check) => check.operation))) {
  describe(operation, () => {
    for (const check of checks.filter((one) => one.operation === operation)) {
      test(check.title, async ({ task, skip }) => {
        const result = await runCheck(check);
        task.meta.result = result;
        if (result.state === 'not reached') skip(result.reason);
        expect(result.problems).toEqual([]);
      });
    }
  });
}
