/** The final table of faults and losses. */
import { alignedTable } from '../tools/aligned-table.ts';
import type { Result } from './part.ts';

export interface Report extends Result {
  readonly name: string;
  readonly seconds: number;
}

/** The reports as Markdown, with the findings below. */
export function formatReport(reports: readonly Report[], seed: number): string {
  const rows = reports.flatMap((report) => [
    [report.name, verdict(report), `${report.seconds.toFixed(1)} s`],
    ...Object.entries(report.counts).map(([name, count]) => ['', name, shown(count)]),
  ]);
  const findings = reports.flatMap(({ name, findings }) => findings.map((finding) => `${name}: ${finding}`));
  const repeat = findings.length > 0 ? [`Repeat it with --seed ${seed}`] : [];
  return [alignedTable(['Part', 'What', 'Figure'], rows), '', ...findings, ...repeat].join('\n');
}

function verdict({ skipped, findings }: Report): string {
  if (skipped) return `not done: ${skipped}`;
  return findings.length === 0 ? 'nothing lost' : `${findings.length} findings`;
}

function shown(count: number | string): string {
  return typeof count === 'number' ? count.toLocaleString('en-US') : count;
}
