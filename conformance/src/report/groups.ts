/**
 * Groups findings by cause. One defect of a service fails many checks; a report shows it once, with the first failure.
 */
import { type NamedVerdict, nameVerdict, toBreach } from '../core/finding.ts';
import { defined, type Profile } from '../core/settings.ts';
import type { CauseGroup, ReportedCheck, ReportedFinding } from './report.ts';

interface Cause {
  readonly key: string;
  readonly check: ReportedCheck;
  readonly verdict: CauseGroup['verdict'];
  readonly finding?: ReportedFinding;
}

/** Equal for findings with the same cause. */
export type CauseKey = (finding: ReportedFinding, check: ReportedCheck) => string;

/** The causes, in the order in which to fix them. */
export function groupByCause(
  checks: readonly ReportedCheck[],
  profile: Profile,
  keyOf: CauseKey = ({ clause, ...finding }) => `${clause.pointer} | ${shapeOfFinding(finding)}`,
): CauseGroup[] {
  const causes = new Map<string, Cause[]>();
  for (const cause of checks.flatMap((check) => listCauses(check, profile, keyOf)))
    causes.set(cause.key, [...(causes.get(cause.key) ?? []), cause]);
  const groups = [...causes.values()].flatMap((found) => createGroup(found) ?? []);
  return groups
    .map((group, index) => ({ group, order: [...rankGroup(group), index] }))
    .sort((one, other) => compare(one.order, other.order))
    .map(({ group }) => group);
}

/** Place, expectation and finding without the values of one run. */
export function shapeOfFinding({ at, expected, found }: Pick<ReportedFinding, 'at' | 'expected' | 'found'>): string {
  return [at.replaceAll(/\/\d+(?=\/|$)/g, '/*'), toShape(expected), toShape(found)].join(' | ');
}

function listCauses(check: ReportedCheck, profile: Profile, keyOf: CauseKey): Cause[] {
  const { verdict, findings, reason = '' } = check;
  if (verdict === 'conforming') return [];
  if (findings.length === 0) return [{ key: `${verdict} ${toShape(reason)}`, check, verdict }];
  return findings.map((finding) => ({
    ...{ key: keyOf(finding, check), check, finding },
    verdict: nameVerdict(toBreach(finding), profile),
  }));
}

function createGroup(unordered: readonly Cause[]): CauseGroup | undefined {
  const found = unordered.toSorted((one, other) => compare(rankCause(one), rankCause(other)));
  const [first] = found;
  if (!first) return undefined;
  const { check, verdict, finding } = first;
  return {
    verdict,
    fails: verdict !== 'differs' && found.some((cause) => cause.check.failure !== undefined),
    checks: [...new Set(found.map((cause) => cause.check.id))],
    ...(found.every((cause) => cause.check.exemption) && check.exemption && { exemption: check.exemption }),
    title: check.title,
    ...defined({ finding, reason: check.reason, remedy: check.remedy }),
  };
}

/** A replayed example shows a cause best; then the exchange that showed it first, such as a creation before its reads. */
function rankCause({ check, finding }: Cause): number[] {
  return [check.id.startsWith('replay/') ? 0 : 1, finding?.evidence?.number ?? Number.MAX_SAFE_INTEGER];
}

/** The text without values that differ between runs: `401`, `a string`, `nothing`. */
export function toShape(text: string): string {
  if (/^\d{3}(,|$)/.test(text)) return text.slice(0, 3);
  return text
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/[\w-]*\d[\w.:-]*/g, '#')
    .slice(0, 200);
}

const VERDICTS: readonly NamedVerdict[] = ['violating', 'violating, assumed', 'differs', 'not reached', 'fault'];
const SHAPE = /^(status|header |body)/;
/**
 * Families of checks, by the beginnings of their ids. A mistake found by one family also shows in later ones: a wrong
 * response, then a transaction, then webhooks, then the wallet.
 */
const FAMILIES = [
  ['replay', 'example', 'access'],
  ['response', 'bad-request', 'bad-input', 'form', 'text', 'amount', 'lookup', 'isolation'],
  ['state', 'opening'],
  ['transition', 'decline', 'consistency', 'disturbance'],
  ['webhook', 'repeat'],
];

/** The position of the check's family. Money is last. */
function rankFamily(id: string): number {
  const index = FAMILIES.findIndex((family) => family.includes(id.split('/')[0] ?? ''));
  return index < 0 ? FAMILIES.length : index;
}

/** The group's rank: the end of the run first, then failures of the run, earlier families, violations and wrong shapes. */
function rankGroup({ verdict, fails, finding, checks }: CauseGroup): number[] {
  const shape = finding && SHAPE.test(finding.at) ? 0 : 1;
  const kind = [Math.min(...checks.map(rankFamily)), VERDICTS.indexOf(verdict), shape];
  return [finding?.endsRun ? 0 : 1, fails ? 0 : 1, ...kind, -checks.length];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}
