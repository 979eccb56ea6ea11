/** Output of `payments-conformance receiver`. */
import { printable } from '../../../contract/src/printable.ts';
import { nameVerdict, toBreach } from '../core/finding.ts';
import type { Profile } from '../core/settings.ts';
import type { Contract } from '../document/contract.ts';
import { reportClause } from '../report/clause-text.ts';
import { type CauseKey, groupByCause, shapeOfFinding } from '../report/groups.ts';
import { painter } from '../report/paint.ts';
import type { ReportedCheck, ReportedFinding } from '../report/report.ts';
import { groupLines } from '../report/terminal.ts';
import type { Assessed, Assessment } from '../run/assess.ts';
import type { ReceiverFinding, ReceiverResult } from './check.ts';

export interface ReceiverReport {
  readonly url: string;
  readonly results: readonly ReceiverResult[];
  readonly assessment: Assessment;
  readonly isColored: boolean;
}

/** The causes in the order to fix them, with the delivery of each, and the outcome. */
export function printReceiver(contract: Contract, { url, results, assessment, isColored }: ReceiverReport): string {
  const { profile, outcome } = assessment;
  const checks = results.map((result, index) => reported(contract, url, result, profile, assessment.results[index]));
  const paint = painter(isColored);
  const groups = groupByCause(checks, profile, toCauseKey(results));
  return [
    ...groups.map((group, index) =>
      groupLines(group, index + 1, paint)
        .map((line) => printable(line))
        .join('\n'),
    ),
    count(results, profile),
    outcome === 'not shown' ? `It is not shown that ${url} conforms.` : `${url} ${outcome}.`,
  ].join('\n\n');
}

function reported(
  contract: Contract,
  url: string,
  result: ReceiverResult,
  profile: Profile,
  assessed: Assessed | undefined,
): ReportedCheck {
  const { id, title, clause, findings, reason, remedy } = result;
  const verdict = nameVerdict(result.verdict, profile);
  return {
    // The report ends the sentence.
    ...{ id, title: title.replace(/\.$/, ''), verdict, levels: [], partOf: [], ms: 0 },
    clause: reportClause(contract, clause),
    findings: findings.map((finding): ReportedFinding => {
      const { at, expected, found, clause: own } = finding;
      const evidence = { curl: curl(url, finding), message: '', kind: 'response', number: 0 } as const;
      // Comes first: without a response, later findings prove little.
      const endsRun = !STATUS.test(found);
      return { at, expected, found, clause: reportClause(contract, own), endsRun, evidence };
    }),
    ...(reason !== undefined && { reason }),
    ...(remedy !== undefined && { remedy }),
    ...(assessed?.failure !== undefined && { failure: assessed.failure }),
  };
}

const STATUS = /^\d{3}(,|$)/;

/** Forgeries of one kind have one cause, and so has whatever makes the endpoint fail. */
function toCauseKey(results: readonly ReceiverResult[]): CauseKey {
  const flaws = new Map(results.map(({ id, flaw = '' }) => [id, flaw]));
  return (finding, { id }) => {
    const isStatus = STATUS.test(finding.found) && !finding.found.startsWith('5');
    const parts = isStatus ? [toBreach(finding), flaws.get(id), shapeOfFinding(finding)] : [finding.found];
    return parts.join(' | ');
  };
}

function count(results: readonly ReceiverResult[], profile: Profile): string {
  const groups = Map.groupBy(results, ({ verdict }) => nameVerdict(verdict, profile));
  const counts = [...groups].map(([verdict, { length }]) => `${length} ${verdict}`);
  return `${results.length} checks: ${counts.join('; ')}`;
}

/** The request as a command. Timestamps are part of the signature, so it shows the same for 5 minutes. */
function curl(url: string, { sent }: ReceiverFinding): string {
  const headers = Object.entries(sent.headers).map(([name, value]) => `-H ${quote(headerText(name, value))}`);
  return ['curl -i', ...headers, `--data-binary ${quote(sent.body)}`, quote(url)].join(' ');
}

/** curl sends an empty header only if it ends with a semicolon. */
function headerText(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
