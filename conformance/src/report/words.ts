/** Texts shared by all forms of the report: the outcome, the next step, and the coverage. */
import type { NamedVerdict } from '../core/finding.ts';
import type { LevelOutcome, RunOutcome } from '../run/assess.ts';
import { COVERAGE_KINDS, type Coverage, type CoverageItem, type Report, type ReportedFinding } from './report.ts';

export type Tone = 'good' | 'bad' | 'partly' | 'open';

/** How a verdict, the outcome of a level or the outcome of a run looks. */
export const TONES: Readonly<Record<NamedVerdict | LevelOutcome | RunOutcome | 'not claimed', Tone>> = {
  conforming: 'good',
  violating: 'bad',
  'violating, assumed': 'bad',
  differs: 'partly',
  'not reached': 'open',
  fault: 'bad',
  met: 'good',
  'not met': 'bad',
  'not shown': 'open',
  'not claimed': 'open',
  conforms: 'good',
  'conforms except for known failures': 'partly',
  "doesn't conform": 'bad',
};

export function outcomeSentence(report: Report): string {
  const { service, outcome } = report;
  if (outcome === 'not shown') return `It is not shown that ${service} conforms`;
  return `${service} ${outcomePhrase(report)}${isOutdated(report) ? ', and the list of known failures is out of date' : ''}`;
}

/** The outcome with the number of known failures. */
export function outcomePhrase({ outcome, knownFailures }: Pick<Report, 'outcome' | 'knownFailures'>): string {
  if (outcome !== 'conforms except for known failures') return outcome;
  return `conforms except for ${knownFailures} known ${knownFailures === 1 ? 'failure' : 'failures'}`;
}

/** Whether the only failure is a known failure that passes. */
function isOutdated({ outcome, notes, exitCode }: Report): boolean {
  return outcome.startsWith('conforms') && (notes.length > 0 || exitCode === 1);
}

/** The next step for who runs the kit. */
export function nextStep(report: Report): string | undefined {
  const { outcome, groups } = report;
  if (outcome === "doesn't conform") return 'Next: correct the first finding above, and run it again.';
  if (outcome === 'not shown') {
    const remedy = groups.find(({ verdict, remedy: known }) => verdict === 'not reached' && known)?.remedy;
    return `Next: ${remedy ?? 'select checks that the service can pass, see --list'}. Or claim fewer levels with --level.`;
  }
  if (isOutdated(report)) return 'Next: bring the list of known failures up to date, with --init-known-failures.';
  return undefined;
}

export function describeCoverage(coverage: Coverage): string {
  return COVERAGE_KINDS.filter((kind) => coverage[kind].length > 0)
    .map((kind) => `${kind} ${formatShare(coverage[kind])}`)
    .join(', ');
}

/** The share of covered items, such as `7/9`. */
export function formatShare(items: readonly CoverageItem[]): string {
  return `${items.filter(({ count }) => count > 0).length}/${items.length}`;
}

export function findingText({ at, expected, found, clause, evidence }: ReportedFinding): string {
  return [
    `${at}: expected ${expected}, found ${found}`,
    `${clause.rests}: ${clause.text}`,
    clause.link,
    ...(evidence?.curl ? [`$ ${evidence.curl}`] : []),
    // Quoted, since GitHub Actions would take a line that begins with `::` for a workflow command.
    ...(evidence ? [evidence.message.replaceAll(/^/gm, '> ')] : []),
  ].join('\n');
}
