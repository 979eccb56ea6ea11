/** What a run means: whether it fails, why, and which of the claimed levels are met. */
import type { Result } from '../core/check.ts';
import type { Verdict } from '../core/finding.ts';
import type { Level } from '../core/settings.ts';
import { isExpired, type KnownFailure, type KnownFailures, NO_KNOWN_FAILURES } from './known-failures.ts';
import type { Verification } from './verify.ts';

/** `met`; `not met`, if a check is violated; `differs`, if only assumptions are; `not shown`, if not enough was reached. */
export type LevelOutcome = 'met' | 'not met' | 'differs' | 'not shown';

export interface LevelResult {
  readonly level: Level;
  readonly outcome: LevelOutcome;
  /** Checks that show it: those that fail, or those that were not reached or left out. */
  readonly checks: readonly string[];
}

/** Why a check doesn't count, if it doesn't: it is newer than the requirements, or on one of the lists. */
export type Exemption = 'not scored' | 'known failure' | 'flaky';

/** Why a check fails the run. */
export type Failure = 'violating' | 'differing' | 'not reached' | 'unexpected pass' | 'expired';

export interface Assessed extends Result {
  readonly exemption?: Exemption;
  readonly known?: KnownFailure;
  /** Absent if the check doesn't fail the run. */
  readonly failure?: Failure;
}

export interface Assessment {
  readonly results: readonly Assessed[];
  readonly levels: readonly LevelResult[];
  /** Sentences that say why the run fails, for the reader. */
  readonly failures: readonly string[];
  /** Whether a difference from an assumption fails the run. */
  readonly strict: boolean;
  /** 0, 1 or 2: conforms, doesn't, or the kit itself failed. */
  readonly exitCode: number;
}

export interface Rules {
  readonly strict?: boolean;
  readonly known?: KnownFailures;
  /** Ids of the checks that count. Defaults to all. */
  readonly scored?: ReadonlySet<string>;
  readonly now?: Date;
}

type Assessable = Pick<Verification, 'results' | 'plan'> & { readonly settings: { readonly levels: readonly Level[] } };

/** Judges a whole run by the rules. */
export function assess({ results, plan, settings }: Assessable, rules: Rules = {}): Assessment {
  const assessed = results.map((result) => assessResult(result, settings.levels, rules));
  const ran = new Set(results.map(({ id }) => id));
  const leftOut = plan.filter(({ id }) => !ran.has(id));
  const failures = failuresOf(assessed);
  const isFaulty = assessed.some(({ verdict }) => verdict === 'fault');
  return {
    results: assessed,
    levels: settings.levels.map((level) => assessLevel(level, assessed, leftOut, rules)),
    strict: rules.strict ?? false,
    failures: isFaulty ? [...failures, FAULT] : failures,
    exitCode: failures.length > 0 ? 1 : isFaulty ? 2 : 0,
  };
}

const FAULT = 'The kit itself failed in some checks. This is not the fault of the service; please report it.';

/** Judges one result. */
export function assessResult(result: Result, levels: readonly Level[], rules: Rules): Assessed {
  const { known = NO_KNOWN_FAILURES, scored, now = new Date() } = rules;
  const entry = known.failures.find(({ check }) => check === result.id);
  if (known.flaky.some(({ check }) => check === result.id)) return { ...result, exemption: 'flaky' };
  if (entry) {
    const failure = result.verdict === 'conforming' ? 'unexpected pass' : isExpired(entry, now) ? 'expired' : undefined;
    return { ...result, exemption: 'known failure', known: entry, ...(failure !== undefined && { failure }) };
  }
  if (scored && !scored.has(result.id)) return { ...result, exemption: 'not scored' };
  const failure = failureOf(result, levels, rules);
  return { ...result, ...(failure !== undefined && { failure }) };
}

/** Why a check that counts fails the run. */
function failureOf(result: Result, levels: readonly Level[], { strict = false }: Rules): Failure | undefined {
  if (result.verdict === 'violating') return 'violating';
  if (result.verdict === 'differs' && strict) return 'differing';
  const isRequired = result.levels.some((level) => levels.includes(level));
  return result.verdict === 'not reached' && isRequired ? 'not reached' : undefined;
}

/** What is said of one check, or of several, that fail for a reason. */
const SUMMARIES: Readonly<Record<Failure, readonly [one: string, more: string]>> = {
  violating: ['check violates the contract.', 'checks violate the contract.'],
  differing: ['check differs from an assumption (strict).', 'checks differ from assumptions (strict).'],
  'not reached': [
    'check that a claimed level needs was not reached.',
    'checks that claimed levels need were not reached.',
  ],
  'unexpected pass': [
    'known failure passes: remove it from the list.',
    'known failures pass: remove them from the list.',
  ],
  expired: ['known failure has expired.', 'known failures have expired.'],
};

function failuresOf(assessed: readonly Assessed[]): string[] {
  const failures = Object.entries(SUMMARIES).flatMap(([reason, [one, more]]) => {
    const count = assessed.filter(({ failure }) => failure === reason).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];
  });
  const nothing = !assessed.some(({ verdict }) => verdict === 'conforming');
  return nothing ? [...failures, 'No check shows that the service conforms.'] : failures;
}

type Part = Pick<Result, 'id' | 'levels' | 'partOf'>;

/** A check without levels is one of every service, so that no level is met without it. */
function concerns(level: Level, { levels, partOf }: Part): boolean {
  return levels.includes(level) || partOf.includes(level) || (levels.length === 0 && partOf.length === 0);
}

function assessLevel(
  level: Level,
  assessed: readonly Assessed[],
  leftOut: readonly Part[],
  { strict = false, scored }: Rules,
): LevelResult {
  const counts = (part: Part) => concerns(level, part) && (scored?.has(part.id) ?? true);
  const own = assessed.filter(counts);
  const withVerdict = (...verdicts: Verdict[]) =>
    own.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
  const broken = withVerdict('violating', ...(strict ? (['differs'] as const) : []));
  if (broken.length > 0) return { level, outcome: 'not met', checks: broken };
  const open = [
    ...own.filter(({ verdict, levels }) => verdict === 'not reached' && levels.includes(level)).map(({ id }) => id),
    ...withVerdict('fault'),
    ...leftOut.filter(counts).map(({ id }) => id),
  ];
  const ofLevel = own.filter(({ levels, partOf }) => levels.includes(level) || partOf.includes(level));
  const isShown = open.length === 0 && ofLevel.some(({ verdict }) => verdict === 'conforming' || verdict === 'differs');
  if (!isShown) return { level, outcome: 'not shown', checks: open };
  const differing = withVerdict('differs');
  return { level, outcome: differing.length > 0 ? 'differs' : 'met', checks: differing };
}
