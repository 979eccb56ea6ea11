/** How the trial ended, for people. */
import { alignedTable } from '../../tools/aligned-table.ts';
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

/** How many defects of each area each tool convicts. */
export function formatComparison(tools: Readonly<Record<string, readonly Outcome[]>>): string {
  const columns = Object.values(tools);
  const ids = (columns[0] ?? []).map(({ id }) => id);
  const row = (name: string, fits: (id: string) => boolean) => {
    const counts = columns.map((outcomes) => count(outcomes.filter(({ id }) => fits(id))));
    return [name, ids.filter(fits).length, ...counts].map(String);
  };
  const areas = AREAS.map((area) => row(area, (id) => AREA_OF.get(id) === area)).filter(([, all]) => all !== '0');
  return alignedTable(['Area', 'Defects', ...Object.keys(tools)], [...areas, row('all', () => true)]);
}

function verdict(id: string, passed: boolean): string {
  if (AREA_OF.has(id)) return passed ? 'convicted' : 'MISSED   ';
  return passed ? 'acquitted' : 'FALSE    ';
}

function count(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ passed }) => passed).length;
}
