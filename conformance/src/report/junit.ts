/** JUnit XML for CI systems: a suite for each family of checks. */
import { escapeXml } from './html-page.ts';
import type { Report, ReportedCheck } from './report.ts';
import { findingText } from './words.ts';

const NAME = 'payments-conformance';

export function junitReport({ checks, ms, startedAt, service }: Report): string {
  const families = Map.groupBy(checks, ({ id }) => id.split('/')[0] ?? id);
  const suites = [...families].map(([family, members]) => {
    const total = members.reduce((sum, check) => sum + check.ms, 0);
    const cases = members.map(testCase).join('');
    return `<testsuite name="${escapeXml(family)}" ${counts(members)} time="${seconds(total)}" timestamp="${startedAt}" hostname="${escapeXml(new URL(service).host)}">\n${cases}</testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${NAME}" ${counts(checks)} time="${seconds(ms)}">\n${suites.join('')}</testsuites>\n`;
}

type Kind = 'failure' | 'error' | 'skipped';

/** The element in the test case. A check that neither conforms nor fails the run is skipped, not passed. */
function toKind({ verdict, failure }: ReportedCheck): Kind | undefined {
  if (verdict === 'fault') return 'error';
  if (failure !== undefined) return 'failure';
  return verdict === 'conforming' ? undefined : 'skipped';
}

function testCase(check: ReportedCheck): string {
  const { id, title, ms, verdict, findings, reason = '', remedy = '' } = check;
  const open = `<testcase classname="${escapeXml(id)}" name="${escapeXml(title)}" time="${seconds(ms)}"`;
  const kind = toKind(check);
  if (!kind) return `${open}/>\n`;
  const text =
    findings.length > 0 ? findings.map(findingText).join('\n\n') : [reason, remedy].filter(Boolean).join('\n');
  const message = escapeXml(`${check.failure ?? check.exemption ?? verdict}: ${text.split('\n')[0]}`);
  const type = kind === 'skipped' ? '' : ` type="${escapeXml(check.failure ?? verdict)}"`;
  return `${open}><${kind} message="${message}"${type}>${escapeXml(text)}</${kind}></testcase>\n`;
}

function counts(checks: readonly ReportedCheck[]): string {
  const count = (kind: Kind) => checks.filter((check) => toKind(check) === kind).length;
  return `tests="${checks.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
