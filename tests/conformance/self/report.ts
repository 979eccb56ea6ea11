/** The trial's results, for people. */
import { DEFECTS } from './defects/index.ts';
import { AREAS, type Outcome } from './trial.ts';

const AREA_OF = new Map(DEFECTS.map(({ id, area }) => [id, area]));

/** A line for each trial, those that missed their goal last. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const sorted = [...outcomes.filter(({ passed }) => passed), ...outcomes.filter(({ passed }) => !passed)];
  return sorted.map(({ id, passed, because, ms }) => `${verdict(id, passed)} ${id}: ${because} [${ms} ms]`).join('\n');
}

/** Both shares, and the convicted share of each area. */
export function formatShares(outcomes: readonly Outcome[]): string {
  const defects = outcomes.filter(({ id }) => AREA_OF.has(id));
  const variations = outcomes.filter(({ id }) => !AREA_OF.has(id));
  const areas = AREAS.map((area) => [area, defects.filter(({ id }) => AREA_OF.get(id) === area)] as const)
    .filter(([, those]) => those.length > 0)
    .map(([area, those]) => `${area} ${count(those)}/${those.length}`);
  const alarms = variations.length - count(variations);
  return [
    `${count(defects)} of ${defects.length} defects convicted (${areas.join(', ')})`,
    `${alarms} of ${variations.length} sound variations convicted`,
  ].join('; ');
}

function verdict(id: string, passed: boolean): string {
  if (AREA_OF.has(id)) return passed ? 'convicted' : 'MISSED   ';
  return passed ? 'acquitted' : 'FALSE    ';
}

function count(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ passed }) => passed).length;
}
