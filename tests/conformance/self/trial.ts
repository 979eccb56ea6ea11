/** One trial: the kit verifies a service with a known defect, or a valid service that differs from the gateway. */

import type { Result } from '../../../conformance/src/core/check.ts';
import type { ConformanceOptions } from '../../../conformance/src/core/settings.ts';
import { verifyService } from '../../../conformance/src/run/verify.ts';
import { UserError } from '../../../contract/src/cli.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import type { Alteration } from './alteration.ts';
import { startProxy } from './proxy.ts';
import { type OpenStore, type ReferenceGateway, startReference } from './reference.ts';

interface Trial {
  /** Begins with its area, such as `money/`, or with `valid/`. */
  readonly id: string;
  readonly alter: () => Alteration;
  readonly options?: TrialOptions;
}

/** A fault of a service. */
export interface Defect extends Trial {
  /** Id of the intended check, or the beginning of its id. Empty if any check may find it; then the whole kit runs. */
  readonly foundBy: string;
  /**
   * The check's verdict. `not reached` counts where a level needs the check, since the run fails then. By default, any
   * verdict that fails the run.
   */
  readonly verdict?: 'violating' | 'differs' | 'not reached';
}

/** A difference from the gateway that the contract allows. */
export interface Variation extends Trial {
  /** Checks that may differ, by the beginnings of their ids, where the variation is about an assumption. */
  readonly differs?: readonly string[];
}

export type TrialOptions = Partial<ConformanceOptions>;

export interface Outcome {
  readonly id: string;
  /** Reported, if it is a defect; passed, if it is a variation. */
  readonly passed: boolean;
  /** The deciding checks, or the problem. */
  readonly because: string;
  readonly ms: number;
}

export interface Bench {
  readonly open: OpenStore;
  /** Shared by all trials with the default settlement. */
  readonly shared: ReferenceGateway;
  /** Runs every check for defects, instead of only the intended ones. */
  readonly allChecks?: boolean;
}

/** Much longer than a gateway in the same process takes, for machines that do other work too. */
const TIMEOUT_MS = 10_000;
/** For runs of every check, many at a time on the same machine. */
const WHOLE_TIMEOUT_MS = 30_000;
const FAILING_MAX_S = 600;
const WALKS = 2;
const SEED = 7;
const NAMED_MAX = 2;
const DETAIL_LENGTH_MAX = 120;

export function tryDefect(defect: Defect, bench: Bench): Promise<Outcome> {
  const isWhole = bench.allChecks || defect.foundBy === '';
  const only = isWhole ? undefined : selectChecks(defect.foundBy);
  const whole = { stopAtFirst: !bench.allChecks, timeoutMs: WHOLE_TIMEOUT_MS };
  const options = { ...(isWhole && whole), ...defect.options };
  return timed(defect.id, async () => {
    const alteration = defect.alter();
    const results = await verify({ alter: () => alteration, options }, bench, only);
    if (alteration.tookEffect?.() !== false) return judgeDefect(defect, results);
    return { passed: true, because: `${NOT_EXERCISED}: the reference service never shows what it would alter` };
  });
}

export function tryVariation(variation: Variation, bench: Bench, only?: readonly string[]): Promise<Outcome> {
  return timed(variation.id, async () => {
    // Every check runs, although a difference from an assumption fails the run.
    const options = { timeoutMs: WHOLE_TIMEOUT_MS, maxTimeFailing: FAILING_MAX_S, ...variation.options };
    return judgeVariation(variation, await verify({ ...variation, options }, bench, only));
  });
}

export const NOT_EXERCISED = 'not exercised';

/** Before the checks, a run finds out whether the service is there at all. */
const PREFLIGHT = 'preflight';
const READ_AGAIN = ['consistency/payment/read-again', 'consistency/payout/read-again'];

/** Checks of what others did, by the beginnings of their ids, each with those others. */
const JUDGES: Readonly<Record<string, readonly string[]>> = {
  consistency: [...READ_AGAIN, 'state/payment', 'state/payout', 'lookup'],
  'money/balance': ['replay/getBalance', 'wallet/EGP', 'wallet/MAD'],
  'money/last-updated': ['state/payment/h2h/SUCCESS'],
  'webhook/arrives': [],
  'webhook/every-status': ['state/payout'],
  'webhook/retry-timestamp': ['webhook/retry/500'],
  'webhook/retry': [],
  'webhook/same-as-status': [...READ_AGAIN, 'webhook/retry/500', 'webhook/arrives'],
  'webhook/signature': ['webhook/arrives', 'text/createPayment/emoji'],
  webhook: [...READ_AGAIN, 'webhook/arrives', 'lookup/three-ways'],
};

/** The intended check, with the checks whose requests and webhooks it judges. */
function selectChecks(check: string): readonly string[] {
  if (check === PREFLIGHT) return ['replay'];
  const [group, operation] = check.split('/');
  if (group === 'response') return [check, `replay/${operation}`, `access/${operation}`, 'lookup'];
  const judge = Object.keys(JUDGES).find((prefix) => isUnder(check, prefix)) ?? '';
  return [check, ...(JUDGES[judge] ?? [])];
}

const FAILING: readonly string[] = ['violating', 'differs'];

/** A machine that does other work can cause these findings. */
const LATE = /^(no response within|the service stopped responding|no webhook came here|\d+ webhooks? came here)/;

/** Whether the result fails a run, for another reason than the time. */
function isConclusive({ verdict, findings }: Result): boolean {
  return FAILING.includes(verdict) && findings.some(({ found }) => !LATE.test(found));
}

type Judgement = Pick<Outcome, 'passed' | 'because'>;

function judgeDefect({ foundBy, verdict }: Defect, results: readonly Result[] | UserError): Judgement {
  if (results instanceof UserError) return { passed: foundBy === PREFLIGHT, because: results.message };
  const faults = results.filter((result) => result.verdict === 'fault');
  if (faults.length > 0) return { passed: false, because: `the kit failed: ${describe(faults)}` };
  const reporting = results.filter(
    (result) =>
      isUnder(result.id, foundBy) &&
      (verdict === undefined ? isConclusive(result) : result.verdict === verdict) &&
      (verdict !== 'not reached' || result.levels.length > 0),
  );
  const tooHard = verdict === 'differs' ? results.filter((result) => result.verdict === 'violating') : [];
  if (tooHard.length > 0) return { passed: false, because: `violating instead of differs: ${describe(tooHard)}` };
  if (reporting.length > 0) return { passed: true, because: describe(reporting) };
  const others = results.filter((result) => result.verdict !== 'conforming');
  return { passed: false, because: others.length > 0 ? `only ${describe(others)}` : 'every check conforms' };
}

function judgeVariation({ differs = [] }: Variation, results: readonly Result[] | UserError): Judgement {
  if (results instanceof UserError) return { passed: false, because: results.message };
  const objections = results.filter(({ id, verdict, levels }) => {
    if (verdict === 'conforming') return false;
    if (verdict === 'differs') return !differs.some((prefix) => isUnder(id, prefix));
    return verdict !== 'not reached' || levels.length > 0;
  });
  if (objections.length > 0) return { passed: false, because: describe(objections) };
  return {
    passed: true,
    because: `${results.filter(({ verdict }) => verdict === 'conforming').length} checks conform`,
  };
}

function isUnder(id: string, prefix: string): boolean {
  return prefix === '' || id === prefix || id.startsWith(`${prefix}/`);
}

function describe(results: readonly Result[]): string {
  const named = results.slice(0, NAMED_MAX).map(({ id, verdict, reason, findings: [first] }) => {
    const detail = first ? `${first.at}: expected ${first.expected}, found ${first.found}` : (reason ?? '');
    return `${verdict} ${id} (${shorten(detail)})`;
  });
  const more = results.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

function shorten(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > DETAIL_LENGTH_MAX ? `${line.slice(0, DETAIL_LENGTH_MAX)}…` : line;
}

async function verify(
  { alter, options = {} }: Pick<Defect, 'alter' | 'options'>,
  bench: Bench,
  only: readonly string[] | undefined,
): Promise<readonly Result[] | UserError> {
  const settings = {
    driver: 'gateway',
    timeoutMs: TIMEOUT_MS,
    walks: WALKS,
    seed: SEED,
    ...(only && { only }),
    ...options,
  };
  return onAltered(alter(), bench, (service) => verifyService({ ...service, ...settings })).then(
    ({ results }) => results,
    (error: unknown) => {
      if (error instanceof UserError) return error;
      throw error;
    },
  );
}

/** Runs it on a reference service with the alteration, for two new merchants. */
export async function onAltered<T>(
  alteration: Alteration,
  { shared, open }: Bench,
  run: (service: Pick<ConformanceOptions, 'baseUrl' | 'key' | 'secondKey' | 'secret' | 'secondSecret'>) => Promise<T>,
): Promise<T> {
  const { settlementMs } = alteration;
  const methods = settlementMs !== undefined && sandboxMethods.map((method) => ({ ...method, settlementMs }));
  const own = methods ? await startReference(open, { sandbox: true, methods }) : undefined;
  const reference = await (own ?? shared).merchants();
  const proxy = await startProxy(reference, alteration);
  const { key, secondKey, secret, secondSecret } = reference;
  const second = secondSecret === undefined ? {} : { secondSecret };
  return run({ baseUrl: proxy.url, key, secondKey, secret, ...second }).finally(async () => {
    await proxy.close();
    await own?.close();
  });
}

async function timed(id: string, judge: () => Promise<Judgement>): Promise<Outcome> {
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  try {
    return { id, ...(await judge()), ms: ms() };
  } catch (error) {
    return { id, passed: false, because: (error as Error).stack ?? String(error), ms: ms() };
  }
}
