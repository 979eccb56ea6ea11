/** A whole run: from the options to the results. */
import { UserError } from '../../../contract/src/cli.ts';
import { planChecks } from '../checks/index.ts';
import { type Contract, loadContract } from '../contract/contract.ts';
import type { Check, Result } from '../core/check.ts';
import type { Settings } from '../core/settings.ts';
import type { Driver } from '../drivers/driver.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { connect } from '../service/connection.ts';
import { type Journal, openJournal } from '../service/journal.ts';
import { type ConformanceOptions, DEFAULT_REQUESTS_MAX, settingsOf } from './options.ts';
import { preflight } from './preflight.ts';
import { runChecks } from './run.ts';

export interface Verification {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly driver: Driver;
  readonly results: readonly Result[];
  readonly journal: Journal;
  readonly ms: number;
}

export interface Watching {
  /** Called once, with the checks that are going to run. */
  readonly onPlan?: (checks: readonly Check[]) => void;
  readonly onResult?: (result: Result) => void;
}

/** Verifies a service. Rejects with a UserError if it can't be reached, refuses the key, or the options are wrong. */
export async function verifyService(options: ConformanceOptions, watching: Watching = {}): Promise<Verification> {
  const startedAt = performance.now();
  const contract = loadContract();
  const settings = settingsOf(options);
  const journal = openJournal();
  const connection = connect(
    {
      ...settings,
      headers: options.headers ?? {},
      requestsMax: options.maxRequests ?? DEFAULT_REQUESTS_MAX,
    },
    journal,
  );
  const driver = await preflight(contract, connection, settings.baseUrl, options.driver);
  const checks = selectChecks(planChecks({ contract, settings, driver }), options);
  watching.onPlan?.(checks);
  const receiver = await openReceiver(options, journal);
  try {
    const run = { contract, settings, driver, connection, receiver, journal };
    const results = await runChecks(run, checks, watching.onResult);
    return { contract, settings, driver, results, journal, ms: Math.round(performance.now() - startedAt) };
  } finally {
    await receiver.close();
  }
}

/** The checks that the options select by id, by the beginning of an id, or by operation. */
export function selectChecks(
  checks: readonly Check[],
  { only, skip = [] }: Pick<ConformanceOptions, 'only' | 'skip'>,
): Check[] {
  for (const word of [...(only ?? []), ...skip]) {
    if (checks.some((check) => isNamed(check, word))) continue;
    throw new UserError(
      `'${word}' selects no check. Use an id, the beginning of an id, or an operation; see --list.`,
      2,
    );
  }
  return checks.filter(
    (check) => (only?.some((word) => isNamed(check, word)) ?? true) && !skip.some((word) => isNamed(check, word)),
  );
}

function isNamed({ id, operation }: Check, word: string): boolean {
  return id === word || id.startsWith(`${word}/`) || operation === word;
}

async function openReceiver({ webhook }: ConformanceOptions, journal: Journal): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, url } = webhook ?? {};
  try {
    return await startReceiver({ host, port, ...(url !== undefined && { url }) }, journal);
  } catch (error) {
    throw new UserError(`Can't listen for webhooks on ${host}:${port}: ${(error as Error).message}`, 2);
  }
}
