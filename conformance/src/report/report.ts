/**
 * The report of a run as data. Every form of it (terminal, HTML, JUnit and the others) is made from this, and `--json`
 * writes it unchanged. Within a format version, members are only added.
 */

import type { CheckSelection } from '../checks/index.ts';
import { DECLARED_KINDS } from '../core/check.ts';
import type { NamedVerdict } from '../core/finding.ts';
import { LEVELS, type Level, PROFILES, type Profile } from '../core/settings.ts';
import type { Basis } from '../document/contract.ts';
import type { Exemption, FailureCause, LevelResult, RunOutcome } from '../run/assess.ts';
import type { KnownFailure } from '../run/known-failures.ts';

export const FORMAT = 2;

export interface Report {
  readonly format: typeof FORMAT;
  /** Version of the kit. */
  readonly kit: string;
  /** Version of the document that the kit checks against, and of the requirements that count. */
  readonly contract: string;
  /** `sha256:` and the hex digest of that document's bundle. */
  readonly contractDigest: string;
  readonly requirements: string;
  /** Base URL of the service. */
  readonly service: string;
  /** The service's name, as it was given. */
  readonly name?: string;
  readonly driver: string;
  readonly startedAt: string;
  readonly ms: number;
  readonly requests: number;
  readonly webhooks: number;
  /** Repeats the random walks with `--seed`. */
  readonly seed: number;
  /** Number of random walks. */
  readonly walks: number;
  /** Options that left out checks. Empty if all checks of the claimed levels ran. */
  readonly selection: CheckSelection;
  /** Statements that bind. */
  readonly profile: Profile;
  readonly outcome: RunOutcome;
  /** Number of checks that fail and are listed as known failures or as flaky. */
  readonly knownFailures: number;
  readonly exitCode: number;
  /** Reasons why the run fails. */
  readonly failures: readonly string[];
  readonly notes: readonly string[];
  readonly levels: readonly LevelResult[];
  readonly counts: Readonly<Record<NamedVerdict, number>>;
  /** Problems by cause. The first is the one to fix first. */
  readonly groups: readonly CauseGroup[];
  readonly checks: readonly ReportedCheck[];
  /** Fields of successful responses that the contract doesn't declare. They are allowed. */
  readonly undeclared: readonly UndeclaredField[];
  readonly coverage: Coverage;
}

const TEXTS = [
  'kit',
  'contract',
  'contractDigest',
  'requirements',
  'service',
  'driver',
  'startedAt',
  'outcome',
] as const;
const NUMBERS = ['ms', 'seed', 'walks', 'knownFailures', 'exitCode'] as const;

/** Whether the value has the members of a report that commands read. */
export function isReport(value: unknown): value is Report {
  const report = asObject(value);
  const { name = '', profile, failures, levels, checks, counts, selection } = report;
  const has = (one: unknown, ...texts: string[]) => texts.every((text) => typeof asObject(one)[text] === 'string');
  return (
    report['format'] === FORMAT &&
    typeof name === 'string' &&
    has(report, ...TEXTS) &&
    NUMBERS.every((one) => Number.isSafeInteger(report[one])) &&
    PROFILES.some((one) => one === profile) &&
    isList(failures, (one) => typeof one === 'string') &&
    isList(levels, (one) => LEVELS.includes(asObject(one)['level'] as Level) && has(one, 'outcome')) &&
    isList(
      checks,
      (one) => has(one, 'id', 'verdict') && isList(asObject(one)['findings'], (each) => has(each, 'at')),
    ) &&
    typeof asObject(counts)['conforming'] === 'number' &&
    Object.values(asObject(selection)).every((words) => isList(words, (word) => typeof word === 'string'))
  );
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isList(value: unknown, fits: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}

export interface ReportedClause {
  /** JSON pointer into the document. */
  readonly pointer: string;
  readonly basis: Basis;
  /** `source 4.1`, or `assumption order-id`. */
  readonly rests: string;
  /** The clause in the document's words. */
  readonly text: string;
  /** Its place in the reference. */
  readonly link: string;
}

export interface ReportedFinding {
  readonly at: string;
  readonly expected: string;
  readonly found: string;
  readonly clause: ReportedClause;
  /** Violating whatever the clause rests on. */
  readonly binds?: boolean;
  /** The run ended with it. */
  readonly endsRun?: boolean;
  readonly evidence?: Evidence;
}

/** Evidence of a finding. Keys and secrets are masked. */
export interface Evidence {
  /** The requests before that one as command lines, if it takes several. */
  readonly steps?: readonly string[];
  /** The request as a command line. */
  readonly curl?: string;
  /** Status line, headers and body: of the response, or of the webhook that the service sent. */
  readonly message: string;
  readonly kind: 'response' | 'webhook';
  /** Id of the check that sent the request. */
  readonly check?: string;
  /** Number of the exchange or of the webhook, by the order in the run. */
  readonly number: number;
}

export interface ReportedCheck {
  readonly id: string;
  readonly title: string;
  readonly verdict: NamedVerdict;
  readonly clause: ReportedClause;
  readonly operation?: string;
  readonly levels: readonly Level[];
  readonly partOf: readonly Level[];
  readonly ms: number;
  readonly findings: readonly ReportedFinding[];
  readonly reason?: string;
  readonly remedy?: string;
  readonly exemption?: Exemption;
  readonly known?: KnownFailure;
  readonly failure?: FailureCause;
}

/** One cause, with every check in which it was found. */
export interface CauseGroup {
  readonly verdict: Exclude<NamedVerdict, 'conforming'>;
  /** Whether it fails the run. */
  readonly fails: boolean;
  readonly checks: readonly string[];
  /** The reason why none of the checks counts, if none does. */
  readonly exemption?: Exemption;
  /** Title of the first check. */
  readonly title: string;
  /** The first finding; absent for unreached checks and faults. */
  readonly finding?: ReportedFinding;
  readonly reason?: string;
  readonly remedy?: string;
}

export interface UndeclaredField {
  readonly operation: string;
  readonly status: string;
  /** JSON pointer into the body; `*` stands for any index. */
  readonly pointer: string;
  readonly count: number;
}

export interface CoverageItem {
  readonly name: string;
  /** Number of checks that exercised it; `checks` has the first of them. */
  readonly count: number;
  readonly checks: readonly string[];
}

/** Parts of the contract by kind, with the checks that covered them. */
export type Coverage = Readonly<Record<CoverageKind, readonly CoverageItem[]>>;

export const COVERAGE_KINDS = [
  'operations',
  'responses',
  'statuses',
  'transitions',
  'decline reasons',
  'webhooks',
  ...DECLARED_KINDS,
  'assumptions',
] as const;
export type CoverageKind = (typeof COVERAGE_KINDS)[number];
