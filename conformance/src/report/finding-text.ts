/** A finding as plain text, for formats with a single field. */
import type { ReportedFinding } from './report.ts';

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
