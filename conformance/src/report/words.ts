/** Words for the outcome of a run, its next step and its verdicts, the same in every form of the report. */
import type { Verdict } from '../core/finding.ts';
import type { Profile } from '../core/settings.ts';
import type { Report } from './report.ts';

/** The verdict as the profile has it: where the whole document binds, a difference from an assumption violates it. */
export function verdictLabel(verdict: Verdict, profile: Profile): string {
  return verdict === 'differs' && profile === 'document' ? 'violating, assumed' : verdict;
}

export function outcomeSentence(report: Report): string {
  const { service, outcome } = report;
  if (outcome === 'not shown') return `It is not shown that ${service} conforms`;
  return `${service} ${outcome}${isOutdated(report) ? ', and the list of known failures is out of date' : ''}`;
}

/** Whether a known failure passes, and nothing else is wrong. */
function isOutdated({ outcome, notes, exitCode }: Report): boolean {
  return outcome === 'conforms' && (notes.length > 0 || exitCode === 1);
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
