/** Runs the contract tests in vitest: one test for each check, with the settings handed to the tests. */
import { fileURLToPath } from 'node:url';
import { type Reporter, startVitest, type TestCase } from 'vitest/node';
import { ROOT } from '../tools/process.ts';
import type { Result } from './check.ts';
import type { Settings } from './settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    verify: Settings;
  }
  interface TaskMeta {
    result?: Result;
  }
}

const CONFIG = fileURLToPath(new URL('../../tests/contract/vitest.config.ts', import.meta.url));

/** Runs the tests and calls `onResult` after each. Throws when they could not run. */
export async function runContractTests(settings: Settings, onResult: () => void): Promise<Result[]> {
  const results: Result[] = [];
  const crashes: string[] = [];
  const reporter: Reporter = {
    onTestCaseResult: (test) => {
      const { result } = test.meta();
      if (result) results.push(result);
      else crashes.push(...messagesOf(test));
      onResult();
    },
    onTestRunEnd: (modules, errors) => {
      const failed = modules.flatMap((module) => module.errors());
      crashes.push(...[...failed, ...errors].map(({ message, stack }) => stack ?? message));
    },
  };
  const vitest = await startVitest('test', [], {
    config: CONFIG,
    root: ROOT,
    watch: false,
    reporters: [reporter],
    provide: { verify: settings },
  });
  await vitest.close();
  if (crashes.length > 0) throw new Error(`the contract tests broke:\n${crashes.join('\n')}`);
  return results;
}

function messagesOf(test: TestCase): string[] {
  const errors = test.result().errors ?? [];
  return errors.length > 0 ? errors.map(({ message }) => `${test.name}: ${message}`) : [`${test.name}: did not run`];
}
