/** Assesses a run: whether it fails, why, and which of the claimed levels are met. */
import type { Result } from '../core/check.ts';
import { type NamedVerdict, nameVerdict } from '../core/finding.ts';
import type { Level, Profile } from '../core/settings.ts';
import { isExpired, type KnownFailure, type KnownFailures, NO_KNOWN_FAILURES } from './known-failures.ts';

/**
 * `met`; `not met`, if a check is violated; `differs`, if only assumptions are and the profile is `source`; `not shown`, if
 * not enough was reached.
 */
export type LevelOutcome = 'met' | 'not met' | 'differs' | 'not shown';

export interface LevelResult {
  readonly level: Level;
  readonly outcome: LevelOutcome;
  /** The checks behind the outcome: the failed ones, or the ones not reached or left out. */
  readonly checks: readonly string[];
}

/** The reason why a check doesn't count: it is newer than the requirements, or on one of the lists. */
export type Exemption = 'not scored' | 'known failure' | 'flaky';

export type FailureCause = 'violating' | 'violating, assumed' | 'not reached' | 'unexpected pass' | 'expired';

/**
 * The outcome of a run. `conforms except for known failures` if a check fails that the list of known failures or flaky
 * checks names; `not shown` if a claimed level was not reached and no check failed.
 */
export type RunOutcome = 'conforms' | 'conforms except for known failures' | "doesn't conform" | 'not shown';

export const EXIT_CODES: Readonly<Record<RunOutcome | 'fault', number>> = {
  conforms: 0,
  'conforms except for known failures': 0,
  "doesn't conform": 1,
  fault: 2,
  'not shown': 3,
};

export interface Assessed extends Omit<Result, 'verdict'> {
  readonly verdict: NamedVerdict;
  readonly exemption?: Exemption;
  readonly known?: KnownFailure;
  /** Absent if the check doesn't fail the run. */
  readonly failure?: FailureCause;
}

export interface Assessment {
  readonly results: readonly Assessed[];
  readonly levels: readonly LevelResult[];
  readonly outcome: RunOutcome;
  /** Number of checks that fail and are listed as known failures or as flaky. */
  readonly knownFailures: number;
  /** Sentences that say why the run fails, for the reader. */
  readonly failures: readonly string[];
  /** Sentences that don't fail the run, such as an outdated list of known failures. */
  readonly notes: readonly string[];
  readonly profile: Profile;
  readonly exitCode: number;
}

export interface Rules {
  /** Defaults to `document`. */
  readonly profile?: Profile;
  /** Whether a known failure that passes fails the run. */
  readonly strictKnownFailures?: boolean;
  readonly known?: KnownFailures;
  /** Ids of the checks that count. Defaults to all. */
  readonly scored?: ReadonlySet<string>;
  readonly now?: Date;
}

/** The judged parts of a verification. */
interface Assessable {
  readonly results: readonly Result[];
  readonly plan: readonly Part[];
  readonly settings: { readonly levels: readonly Level[] };
}

export function assess({ results, plan, settings }: Assessable, rules: Rules = {}): Assessment {
  const assessed = results.map((result) => assessResult(result, settings.levels, rules));
  const ran = new Set(results.map(({ id }) => id));
  const leftOut = plan.filter(({ id }) => !ran.has(id));
  const isFaulty = assessed.some(({ verdict }) => verdict === 'fault');
  const knownFailures = results.filter((result, index) => {
    const { exemption = 'not scored' } = assessed[index] ?? {};
    return exemption !== 'not scored' && findFailure(nameResult(result, rules), settings.levels) !== undefined;
  }).length;
  const outcome = decideOutcome(assessed, knownFailures);
  const outdated = assessed.filter(({ verdict, known }) => known && verdict === 'conforming').length;
  const failures = [...listFailures(assessed), ...(isFaulty ? [FAULT] : [])];
  const end = outcome !== "doesn't conform" && isFaulty ? 'fault' : outcome;
  return {
    results: assessed,
    levels: settings.levels.map((level) => assessLevel(level, assessed, leftOut, rules)),
    ...{ outcome, knownFailures, failures, profile: rules.profile ?? 'document' },
    notes: outdated > 0 && !rules.strictKnownFailures ? [sentence(outdated, SUMMARIES['unexpected pass'])] : [],
    exitCode: EXIT_CODES[end] === 0 && failures.length > 0 ? 1 : EXIT_CODES[end],
  };
}

/** Whether this result alone fails the service. An outdated list doesn't. */
export function failsService({ failure }: Assessed): boolean {
  return failure === 'violating' || failure === 'violating, assumed' || failure === 'expired';
}

function decideOutcome(assessed: readonly Assessed[], knownFailures: number): RunOutcome {
  if (assessed.some(failsService)) return "doesn't conform";
  if (assessed.some(({ failure }) => failure === 'not reached') || !showsAnything(assessed)) return 'not shown';
  return knownFailures > 0 ? 'conforms except for known failures' : 'conforms';
}

function showsAnything(assessed: readonly Assessed[]): boolean {
  return assessed.some(({ verdict }) => verdict === 'conforming');
}

const FAULT = 'The kit itself failed in some checks. This is not the fault of the service; please report it.';

export function assessResult(given: Result, levels: readonly Level[], rules: Rules): Assessed {
  const { known = NO_KNOWN_FAILURES, scored, now = new Date(), strictKnownFailures = false } = rules;
  const result = nameResult(given, rules);
  const entry = known.failures.find(({ check }) => check === result.id);
  if (known.flaky.some(({ check }) => check === result.id)) return { ...result, exemption: 'flaky' };
  if (entry) {
    const passes = result.verdict === 'conforming';
    const failure = passes ? strictKnownFailures && 'unexpected pass' : isExpired(entry, now) && 'expired';
    return { ...result, exemption: 'known failure', known: entry, ...(failure && { failure }) };
  }
  if (scored && !scored.has(result.id)) return { ...result, exemption: 'not scored' };
  const failure = findFailure(result, levels);
  return { ...result, ...(failure !== undefined && { failure }) };
}

function nameResult(result: Result, { profile }: Rules): Assessed {
  return { ...result, verdict: nameVerdict(result.verdict, profile) };
}

/** The reason why a check that counts fails the run; undefined if it doesn't. */
function findFailure({ verdict, levels: needing }: Assessed, levels: readonly Level[]): FailureCause | undefined {
  if (verdict === 'violating' || verdict === 'violating, assumed') return verdict;
  return verdict === 'not reached' && needing.some((level) => levels.includes(level)) ? verdict : undefined;
}

/** Summaries of the failures, for one check and for several. */
const SUMMARIES: Readonly<Record<FailureCause, readonly [one: string, more: string]>> = {
  violating: ['check violates the contract.', 'checks violate the contract.'],
  'violating, assumed': [
    'check violates an assumption of the contract.',
    'checks violate assumptions of the contract.',
  ],
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

function listFailures(assessed: readonly Assessed[]): string[] {
  const failures = Object.entries(SUMMARIES).flatMap(([reason, summary]) => {
    const count = assessed.filter(({ failure }) => failure === reason).length;
    return count === 0 ? [] : [sentence(count, summary)];
  });
  return !showsAnything(assessed) ? [...failures, 'No check shows that the service conforms.'] : failures;
}

function sentence(count: number, [one, more]: (typeof SUMMARIES)[FailureCause]): string {
  return `${count} ${count === 1 ? one : more}`;
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
  { scored }: Rules,
): LevelResult {
  const counts = (part: Part) => concerns(level, part) && (scored?.has(part.id) ?? true);
  const own = assessed.filter(counts);
  const withVerdict = (...verdicts: NamedVerdict[]) =>
    own.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
  const broken = withVerdict('violating', 'violating, assumed');
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
