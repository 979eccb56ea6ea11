/** The final table: what was done to the gateway, and what it lost. */
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
  const table = [['Part', 'What', 'Figure'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  const findings = reports.flatMap(({ name, findings }) => findings.map((finding) => `${name}: ${finding}`));
  const repeat = findings.length > 0 ? [`Repeat it with --seed ${seed}`] : [];
  return [line(head), rule, ...body.map(line), '', ...findings, ...repeat].join('\n');
}

function verdict({ skipped, findings }: Report): string {
  if (skipped) return `not done: ${skipped}`;
  return findings.length === 0 ? 'nothing lost' : `${findings.length} findings`;
}

function shown(count: number | string): string {
  return typeof count === 'number' ? count.toLocaleString('en-US') : count;
}
