/** GitHub Actions: an annotation for each cause, and a summary of the job. */
import { table } from '../../../contract/src/markdown.ts';
import type { CauseGroup, Report } from './report.ts';
import { describeCoverage, outcomeSentence } from './words.ts';

/** GitHub shows 10 of each kind for a step. */
const ANNOTATIONS_MAX = 10;
const GROUPS_MAX = 50;

/** Workflow commands, one a line. */
export function githubAnnotations({ groups }: Report): string[] {
  return groups.slice(0, ANNOTATIONS_MAX).map((group) => {
    const kind =
      group.fails || group.verdict === 'fault'
        ? 'error'
        : ['violating', 'violating, assumed', 'differs'].includes(group.verdict)
          ? 'warning'
          : 'notice';
    return `::${kind} title=${escapeProperty(`${group.verdict}: ${group.checks[0]}`)}::${escapeData(sentence(group))}`;
  });
}

/** Markdown for the page of the job. */
export function githubSummary(report: Report): string {
  const { failures, notes, levels, groups, checks, ms, coverage } = report;
  const rows = groups
    .slice(0, GROUPS_MAX)
    .map((group) => [
      group.verdict,
      `\`${group.checks[0]}\`${group.checks.length > 1 ? ` and ${group.checks.length - 1} more` : ''}`,
      cell(sentence(group)),
      group.finding ? `[${group.finding.clause.rests}](${group.finding.clause.link})` : '',
    ]);
  return [
    `## ${outcomeSentence(report)}`,
    ...failures,
    ...notes,
    table(
      ['Level', 'Outcome'],
      levels.map(({ level, outcome }) => [level, outcome]),
    ),
    ...(rows.length > 0 ? [table(['Verdict', 'Check', 'What', 'Clause'], rows)] : []),
    `${checks.length} checks in ${(ms / 1_000).toFixed(1)} s. Coverage: ${describeCoverage(coverage)}.`,
    '',
  ].join('\n\n');
}

function sentence({ finding, title, reason = '', remedy }: CauseGroup): string {
  if (finding) return `${title}. ${finding.at}: expected ${finding.expected}, found ${finding.found}`;
  return `${title}: ${reason}${remedy ? `; ${remedy}` : ''}`;
}

/** Escapes text for a table cell: values of the service and the user must not become markup. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>]/g, '\\$&');
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
