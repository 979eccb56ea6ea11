/** `payments-conformance/vitest`: each check as a test of your own suite. */
import { beforeAll, describe, expect, it } from 'vitest';
import { throwOnOldNode } from '../../contract/src/node-version.ts';
import conformancePackage from '../package.json' with { type: 'json' };
import { planChecks, selectChecks } from './checks/index.ts';
import type { Check, Result } from './core/check.ts';
import { type ConformanceOptions, toSettings } from './core/settings.ts';
import { loadContract } from './document/contract.ts';
import type { Driver } from './drivers/driver.ts';
import { gatewayDriver } from './drivers/gateway.ts';
import { reportCheck } from './report/build-report.ts';
import { createMask } from './report/mask.ts';
import { findingText } from './report/words.ts';
import { type Assessed, assess, assessResult } from './run/assess.ts';
import { namedDriver } from './run/preflight.ts';
import { createRules } from './run/rules.ts';

import { type Verification, verifyService } from './run/verify.ts';

/** Options that a test suite may only know once it has started the service. */
export type StartedService = Pick<ConformanceOptions, 'baseUrl'> &
  Pick<ConformanceOptions, 'key' | 'secondKey' | 'secret'>;

export interface SuiteOptions extends Omit<ConformanceOptions, 'baseUrl' | 'driver'> {
  /** Base URL of the service, or a function that starts it before the first test. */
  readonly baseUrl: string | (() => Promise<StartedService>);
  /** Defaults to `gateway`. It can't be detected, since tests are registered before the service runs. */
  readonly driver?: string | Driver;
}

/** The run has its own time limits. */
const WITHOUT_TIMEOUT = { timeout: 0 };
const LEFT_OUT = 'The run ended before, since the service fails. Raise `maxTimeFailing` for more.';

throwOnOldNode(conformancePackage);

/**
 * Registers a test for each check. All checks run side by side as soon as the first test starts, and each test waits
 * for its own. A test fails if its check fails the run; it is skipped, with the reason, if the check was not reached.
 */
export function describeConformance(options: SuiteOptions): void {
  const { baseUrl, driver: chosen = gatewayDriver, ...rest } = options;
  const contract = loadContract();
  const driver = typeof chosen === 'string' ? namedDriver(chosen) : chosen;
  const rules = createRules(contract, { ...rest, driver });
  const settings = toSettings({ ...rest, baseUrl: 'http://127.0.0.1' });
  const checks = selectChecks(contract, planChecks({ contract, settings, driver }), rest);
  const outcomes = new Map(checks.map(({ id }) => [id, Promise.withResolvers<Result | undefined>()]));
  let started: StartedService;
  let whole: Promise<Verification>;

  describe('conformance', () => {
    beforeAll(async () => {
      started = typeof baseUrl === 'string' ? { baseUrl } : await baseUrl();
      const onResult = (result: Result) => outcomes.get(result.id)?.resolve(result);
      whole = verifyService({ ...rest, ...started, driver, seed: settings.seed }, { onResult });
      const leaveOut = () => {
        for (const { resolve } of outcomes.values()) resolve(undefined);
      };
      whole.then(leaveOut, (error: unknown) => {
        for (const { promise, reject } of outcomes.values()) {
          promise.catch(() => undefined);
          reject(error);
        }
      });
    });

    for (const check of checks) {
      it(`${check.id}: ${check.title}`, WITHOUT_TIMEOUT, async ({ skip, annotate }) => {
        const result = await resultOf(check);
        if (!result) return skip(LEFT_OUT);
        const assessed = assessResult(result, settings.levels, rules);
        const text = textOf(assessed);
        if (assessed.failure !== undefined || result.verdict === 'fault') throw new Error(text);
        if (result.verdict === 'not reached') skip(text);
        else if (text !== '') await annotate(text, 'warning');
      });
    }

    it('shows that the service conforms', WITHOUT_TIMEOUT, async () => {
      expect(assess(await whole, rules).failures).toEqual([]);
    });
  });

  function resultOf({ id }: Check): Promise<Result | undefined> {
    return outcomes.get(id)?.promise ?? Promise.reject(new Error(`check not found: ${id}`));
  }

  function textOf(assessed: Assessed): string {
    const { verdict, exemption, known, failure, findings, reason, remedy } = reportCheck(
      contract,
      assessed,
      createMask({ ...settings, ...started }),
    );
    if (verdict === 'conforming' && failure === undefined) return '';
    const head = [failure ?? verdict, exemption, known?.reason].filter((part) => part !== undefined).join(', ');
    return [head, ...findings.map(findingText), ...[reason, remedy].filter((part) => part !== undefined)].join('\n\n');
  }
}
