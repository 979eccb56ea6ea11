/** Traces each clause of the contract to the checks that a run brought to it, or to the reason why it has none. */
import { type CoveredParts, type JudgedRun, observeRun } from '../../conformance/src/report/coverage.ts';
import type { CoverageKind } from '../../conformance/src/report/report.ts';
import { table } from '../../contract/src/markdown.ts';

/** Every part of these has to have a check, or a reason why it can't. */
const CLAUSES: Readonly<Partial<Record<CoverageKind, string>>> = {
  operations: 'Operations',
  responses: 'Documented responses',
  statuses: 'Statuses',
  transitions: 'Transitions',
  'decline reasons': 'Decline reasons',
  webhooks: 'Webhooks',
  assumptions: 'Assumptions',
};

/** Clauses without a check. Some depend on time, so that a run can still reach them. */
export const EXCEPTIONS: readonly { kind: CoverageKind; names: RegExp; why: string }[] = [
  {
    kind: 'responses',
    names: /^(create|clarify|confirm)(Payment|Payout) 413$/,
    why: "How large a body may be is the service's choice. Where a 413 comes, it is judged.",
  },
  { kind: 'assumptions', names: /^brand$/, why: 'Any name of the signature header is accepted.' },
  {
    kind: 'assumptions',
    names: /^other-webhooks$/,
    why: "What isn't sent can't be checked; unknown events are accepted.",
  },
  { kind: 'assumptions', names: /^validity$/, why: 'The service decides when a payment expires.' },
  { kind: 'assumptions', names: /^versioning$/, why: 'It is about documents and not about what a service sends.' },
];

const CHECKS_SHOWN = 3;

/** Clauses with neither a check nor an exception. */
export function uncoveredClauses(run: JudgedRun): string[] {
  const exercised = observeRun(run);
  return listClauses(exercised).flatMap(({ kind, name, checks }) =>
    checks.size > 0 || findException(kind, name) ? [] : [`${kind}: ${name}`],
  );
}

/** The names of all clauses, by which a committed table is found to be out of date. */
export function clauseNames(run: JudgedRun): string[] {
  return listClauses(observeRun(run)).map(({ name }) => name);
}

export function traceabilityPage(run: JudgedRun): string {
  const exercised = observeRun(run);
  const sections = Object.entries(CLAUSES).map(([kind, title]) => {
    const rows = [...exercised[kind as CoverageKind]].map(([name, checks]) => [
      `\`${name}\``,
      checks.size > 0 ? String(checks.size) : '',
      checks.size > 0 ? describe(checks) : (findException(kind as CoverageKind, name)?.why ?? '**None**'),
    ]);
    return `## ${title}\n\n${table(['Clause', 'Checks', 'Such as'], rows)}`;
  });
  return `${INTRODUCTION}\n\n${sections.join('\n\n')}\n`;
}

const INTRODUCTION = `# Traceability

The checks of the conformance kit that exercise each clause of the contract. \`npm run conformance\` generates the table
from the exchanges of a run against the gateway. A clause without a check has the reason instead.`;

function listClauses(exercised: CoveredParts): { kind: CoverageKind; name: string; checks: ReadonlySet<string> }[] {
  return (Object.keys(CLAUSES) as CoverageKind[]).flatMap((kind) =>
    [...exercised[kind]].map(([name, checks]) => ({ kind, name, checks })),
  );
}

function findException(kind: CoverageKind, name: string) {
  return EXCEPTIONS.find((exception) => exception.kind === kind && exception.names.test(name));
}

function describe(checks: ReadonlySet<string>): string {
  const shown = [...checks].sort().slice(0, CHECKS_SHOWN);
  return shown.map((id) => `\`${id}\``).join(', ');
}
