/** A whole run: from the options to the results. */
import { UserError } from '../../../contract/src/cli.ts';
import { type CheckSelection, planChecks, selectChecks } from '../checks/index.ts';
import type { Check, Result } from '../core/check.ts';
import { type ConformanceOptions, type Settings, toSettings } from '../core/settings.ts';
import { type Contract, loadContract } from '../document/contract.ts';
import { boundedDriver, type Driver } from '../drivers/driver.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { connectToService } from '../service/connection.ts';
import { type Journal, openJournal } from '../service/exchange.ts';
import { assessResult, failsService } from './assess.ts';
import { preflight } from './preflight.ts';
import { createRules } from './rules.ts';
import { type Observer, runChecks } from './run.ts';

/** A longer timer would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface Verification {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly driver: Driver;
  /** Every check of the claimed levels, before the options' selection. */
  readonly plan: readonly Check[];
  /** Options that left out some of them. */
  readonly selection: CheckSelection;
  readonly results: readonly Result[];
  /** Number of checks still unfinished when a failed run ended. */
  readonly unfinished: number;
  readonly journal: Journal;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
}

export interface RunObserver extends Observer {
  /** Called once, with the checks to run. */
  readonly onPlan?: (checks: readonly Check[]) => void;
}

/** Verifies a service. Rejects with a UserError if it can't be reached, refuses the key, or the options are wrong. */
export async function verifyService(options: ConformanceOptions, watching: RunObserver = {}): Promise<Verification> {
  const startedAt = Date.now();
  const contract = loadContract();
  const settings = toSettings(options);
  const journal = openJournal();
  const stopping = new AbortController();
  const connection = connectToService({ ...settings, stop: stopping.signal }, journal);
  const chosen = await preflight(contract, connection, settings, options.driver);
  const driver = boundedDriver(chosen, settings.timeoutMs);
  const plan = planChecks({ contract, settings, driver });
  const { only, skip } = options;
  const selection = { ...(only && { only }), ...(skip && { skip }) };
  const checks = selectChecks(contract, plan, selection);
  watching.onPlan?.(checks);
  const rules = createRules(contract, { ...options, driver });
  const receiver = await openReceiver(options, journal);
  let ending: NodeJS.Timeout | undefined;
  const endAfter = (time: number) => {
    ending ??= setTimeout(() => stopping.abort(), Math.min(Math.max(0, time - Date.now()), TIMER_MS_MAX));
  };
  try {
    const run = { contract, settings, driver, connection, receiver, journal, stop: stopping.signal };
    const onResult = (result: Result) => {
      watching.onResult?.(result);
      if (!failsService(assessResult(result, settings.levels, rules))) return;
      if (options.stopAtFirst) stopping.abort();
      else endAfter(startedAt + settings.maxTimeFailing * 1_000);
    };
    const results = await runChecks(run, checks, { ...watching, onResult });
    const unfinished = checks.length - results.length;
    const ms = Date.now() - startedAt;
    return { contract, settings, driver, plan, selection, results, unfinished, journal, startedAt, ms };
  } finally {
    clearTimeout(ending);
    await receiver.close();
  }
}

/** Listens for webhooks. Rejects with a UserError if the address can't be used. */
async function openReceiver({ webhook }: ConformanceOptions, journal: Journal): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, url } = webhook ?? {};
  try {
    return await startReceiver({ host, port, ...(url !== undefined && { url }) }, journal);
  } catch (error) {
    throw new UserError(`Can't listen for webhooks on ${host}:${port}: ${(error as Error).message}`, 2);
  }
}
