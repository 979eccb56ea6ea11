/** The trial's results, for people. */
import type { ConditionOutcome } from './conditions.ts';
import { DEFECTS } from './defects/index.ts';
import { AREAS, type Outcome } from './trial.ts';

const AREA_OF = new Map(DEFECTS.map(({ id, area }) => [id, area]));

/** A line for each trial, with failed ones last. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const sorted = [...outcomes.filter(({ passed }) => passed), ...outcomes.filter(({ passed }) => !passed)];
  return sorted.map(({ id, passed, because, ms }) => `${verdict(id, passed)} ${id}: ${because} [${ms} ms]`).join('\n');
}

/** Both shares, and the reported share of each area. */
export function formatShares(outcomes: readonly Outcome[]): string {
  const defects = outcomes.filter(({ id }) => AREA_OF.has(id));
  const variations = outcomes.filter(({ id }) => !AREA_OF.has(id));
  const areas = AREAS.map((area) => [area, defects.filter(({ id }) => AREA_OF.get(id) === area)] as const)
    .filter(([, those]) => those.length > 0)
    .map(([area, those]) => `${area} ${count(those)}/${those.length}`);
  const alarms = variations.length - count(variations);
  return [
    `${count(defects)} of ${defects.length} defects reported (${areas.join(', ')})`,
    `${alarms} of ${variations.length} valid variations reported`,
  ].join('; ');
}

/** A run under a condition, with a line for each reason why checks don't conform. */
export function formatCondition({ id, passed, exitCode, ms, seed, others }: ConditionOutcome): string {
  const head = `${passed ? 'ok   ' : 'FALSE'} ${id}: exit code ${exitCode}, ${Math.round(ms / 1_000)} s, seed ${seed}`;
  const byReason = Map.groupBy(others, ({ verdict, detail }) => `${verdict}: ${detail}`);
  const lines = [...byReason].map(([reason, checks]) => {
    const more = checks.length > 1 ? ` and ${checks.length - 1} more` : '';
    return `      ${checks[0]?.check}${more}, ${reason}`;
  });
  return [head, ...lines].join('\n');
}

function verdict(id: string, passed: boolean): string {
  if (AREA_OF.has(id)) return passed ? 'reported' : 'MISSED   ';
  return passed ? 'passed' : 'FALSE    ';
}

function count(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ passed }) => passed).length;
}
