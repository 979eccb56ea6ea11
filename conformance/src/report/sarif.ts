/** SARIF 2.1.0, for code scanning. A rule is a check. A result is shown at one file of the implementer, and names the clause. */
import type { Report, ReportedCheck, ReportedClause, ReportedFinding } from './report.ts';
import { findingText } from './words.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

export function sarifReport(
  { checks, kit, contract, exitCode, startedAt, ms, groups }: Report,
  alerts: string,
): string {
  const shown = checks.filter(({ verdict }) => verdict !== 'conforming' && verdict !== 'fault');
  const rules = shown.map(({ id, title, clause }) => ({
    id,
    shortDescription: { text: title },
    fullDescription: { text: `${clause.rests}: ${clause.text}` },
    helpUri: clause.link,
  }));
  const endedAt = new Date(Date.parse(startedAt) + ms).toISOString();
  const faults = groups.filter(({ verdict }) => verdict === 'fault');
  const run = {
    tool: { driver: { name: 'payments-conformance', version: kit, semanticVersion: kit, rules } },
    invocations: [
      {
        executionSuccessful: exitCode !== 2,
        ...{ exitCode, startTimeUtc: startedAt, endTimeUtc: endedAt },
        toolExecutionNotifications: faults.map(({ checks: ids, reason = '' }) => ({
          level: 'error',
          message: { text: `The kit itself failed in ${ids.join(', ')}: ${reason}` },
        })),
      },
    ],
    properties: { contract },
    results: shown.flatMap((check, index) => listResults(check, index, alerts)),
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function listResults(check: ReportedCheck, ruleIndex: number, alerts: string): object[] {
  const { id, title, findings, reason = '', remedy, clause } = check;
  const base = { ruleId: id, ruleIndex, level: toSarifLevel(check), ...listSuppressions(check) };
  if (findings.length === 0) {
    const text = `${title}: not reached, because ${reason}${remedy ? `. To reach it: ${remedy}` : ''}.`;
    const partialFingerprints = { 'check/v1': id };
    return [{ ...base, message: { text }, locations: [locate(clause, alerts)], partialFingerprints }];
  }
  return findings.map((finding: ReportedFinding) => ({
    ...base,
    message: { text: findingText(finding) },
    locations: [locate(finding.clause, alerts)],
    partialFingerprints: { 'check/v1': `${id} ${finding.at}` },
  }));
}

/** The result's level. A check that doesn't fail the run is at most a warning. */
function toSarifLevel({ failure, verdict }: ReportedCheck): 'error' | 'warning' | 'note' {
  if (failure !== undefined) return 'error';
  return verdict === 'not reached' ? 'note' : 'warning';
}

function listSuppressions({ exemption, known }: ReportedCheck): object {
  if (exemption === undefined) return {};
  return { suppressions: [{ kind: 'external', justification: known?.reason ?? exemption }] };
}

/** Code scanning needs a file of the repository that it scans. The contract's files are in another repository. */
function locate({ pointer }: ReportedClause, alerts: string): object {
  return {
    physicalLocation: { artifactLocation: { uri: encodeURI(alerts) }, region: { startLine: 1 } },
    logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }],
  };
}
