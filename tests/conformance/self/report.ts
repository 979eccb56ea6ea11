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

/** How many defects of each area each tool convicts, how many sound variations, and how long it takes. */
export function formatComparison(tools: Readonly<Record<string, readonly Outcome[]>>): string {
  const columns = Object.values(tools);
  const ids = (columns[0] ?? []).map(({ id }) => id);
  const row = (
    name: string,
    fits: (id: string) => boolean,
    value: (outcomes: readonly Outcome[]) => number | string,
  ) => {
    const cells = columns.map((outcomes) => value(outcomes.filter(({ id }) => fits(id))));
    return [name, ids.filter(fits).length, ...cells].map(String);
  };
  const isDefect = (id: string) => AREA_OF.has(id);
  const areas = AREAS.map((area) => row(`defects: ${area}`, (id) => AREA_OF.get(id) === area, count));
  const rows = [
    ...areas.filter(([, all]) => all !== '0'),
    row('all defects', isDefect, count),
    row(
      'false alarms',
      (id) => !isDefect(id),
      (outcomes) => outcomes.length - count(outcomes),
    ),
    // The kit runs every check on the variations only.
    row('seconds for each', (id) => !isDefect(id), seconds),
  ];
  return alignedTable(['Convicted', 'Of', ...Object.keys(tools)], rows);
}

function seconds(outcomes: readonly Outcome[]): string {
  const total = outcomes.reduce((sum, { ms }) => sum + ms, 0);
  return (total / 1_000 / Math.max(outcomes.length, 1)).toFixed(1);
}

function verdict(id: string, passed: boolean): string {
  if (AREA_OF.has(id)) return passed ? 'convicted' : 'MISSED   ';
  return passed ? 'acquitted' : 'FALSE    ';
}

function count(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ passed }) => passed).length;
}
