/** Builds the report from a run and its assessment. */
import conformancePackage from '../../package.json' with { type: 'json' };
import type { Finding, NamedVerdict } from '../core/finding.ts';
import { defined } from '../core/settings.ts';
import { type Contract, contractDigest } from '../document/contract.ts';
import type { Assessed, Assessment } from '../run/assess.ts';
import type { Verification } from '../run/verify.ts';
import { reportClause } from './clause-text.ts';
import { countUndeclared, measureCoverage } from './coverage.ts';
import { collectEvidence } from './evidence.ts';
import { groupByCause } from './groups.ts';
import { createMask, type Mask } from './mask.ts';
import { FORMAT, type Report, type ReportedCheck, type ReportedFinding } from './report.ts';

/** The report of a run. `requirements` is the version of the contract whose checks count. */
export function buildReport(verification: Verification, assessment: Assessment, requirements: string): Report {
  const { contract, settings, driver, journal, startedAt, ms } = verification;
  const mask = createMask(settings);
  const { results, ...assessed } = assessment;
  const checks = results.map((result) => reportCheck(contract, result, mask));
  return {
    format: FORMAT,
    kit: conformancePackage.version,
    contract: contract.bundle.info.version,
    contractDigest: contractDigest(),
    requirements,
    service: settings.baseUrl,
    ...defined({ name: settings.name }),
    driver: driver.name,
    startedAt: new Date(startedAt).toISOString(),
    ms,
    requests: journal.exchanges.length,
    webhooks: journal.deliveries.length,
    ...{ seed: settings.seed, walks: settings.walks, selection: verification.selection },
    ...assessed,
    notes: [...assessment.notes, ...earlyEnd(verification)],
    counts: countVerdicts(results),
    groups: groupByCause(checks, assessment.profile),
    checks,
    undeclared: countUndeclared(verification).map((field) => ({ ...field, pointer: mask(field.pointer) })),
    coverage: measureCoverage(verification),
  };
}

/** Otherwise a report of few checks would look like one of all. */
function earlyEnd({ unfinished, ms }: Verification): string[] {
  if (unfinished === 0) return [];
  const checks = unfinished === 1 ? '1 check is' : `${unfinished} checks are`;
  const seconds = (ms / 1_000).toFixed(1);
  return [
    `The run ended after ${seconds} s, since the service fails; ${checks} left out. For more, raise --max-time-failing.`,
  ];
}

function countVerdicts(results: readonly Assessed[]): Record<NamedVerdict, number> {
  const counts = { conforming: 0, violating: 0, 'violating, assumed': 0, differs: 0, 'not reached': 0, fault: 0 };
  for (const { verdict } of results) counts[verdict] += 1;
  return counts;
}

export function reportCheck(contract: Contract, result: Assessed, mask: Mask): ReportedCheck {
  const { id, title, verdict, operation, levels, partOf, ms, reason, remedy, exemption, known, failure } = result;
  return {
    ...{ id, title, verdict, levels, partOf, ms },
    clause: reportClause(contract, result.clause, operation),
    findings: result.findings.map((finding) => reportFinding(contract, finding, operation, mask)),
    ...defined({ operation, reason: reason && mask(reason), remedy: remedy && mask(remedy) }),
    ...defined({ exemption, known, failure }),
  };
}

function reportFinding(
  contract: Contract,
  finding: Finding,
  operation: string | undefined,
  mask: Mask,
): ReportedFinding {
  const { at, expected, found, clause, binds, endsRun, exchange } = finding;
  const evidence = collectEvidence(finding, mask);
  return {
    ...{ at: mask(at), expected: mask(expected), found: mask(found) },
    clause: reportClause(contract, clause, exchange?.call.operation.id ?? operation),
    ...(binds && { binds }),
    ...(endsRun && { endsRun }),
    ...(evidence && { evidence }),
  };
}
