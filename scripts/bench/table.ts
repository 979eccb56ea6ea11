/** The performance table: rows of a figure, its peer, their ratio and what is aimed at. */

export interface Row {
  name: string;
  figure: string;
  peer?: string;
  /** The figure divided by the peer's. */
  ratio?: number;
  /** What the ratio, or the figure, should be, and whether it is. */
  target?: { text: string; met: boolean };
}

/** The median of several measurements. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** A figure with thousands separated, to three significant digits. */
export function figure(value: number, unit: string): string {
  const rounded = Number(value.toPrecision(3));
  return `${rounded.toLocaleString('en-US')} ${unit}`;
}

/** A row that compares two rates by the ratio of pairs, so that a drift of the machine touches both. */
export function comparison(
  name: string,
  pairs: readonly (readonly [number, number])[],
  peer: string,
  atLeast: number,
  unit = '/s',
): Row {
  const ratio = median(pairs.map(([own, other]) => own / other));
  return {
    name,
    figure: figure(median(pairs.map(([own]) => own)), unit),
    peer: `${peer} ${figure(median(pairs.map(([, other]) => other)), unit)}`,
    ratio,
    target: { text: `≥ ${atLeast}`, met: ratio >= atLeast },
  };
}

/** The rows as Markdown. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map(({ name, figure: own, peer = '', ratio, target }) => [
    name,
    ratio === undefined ? '' : ratio.toFixed(2),
    own,
    peer,
    target ? `${target.text} ${target.met ? '(met)' : '(not met)'}` : '',
  ]);
  const all = [['What', 'Ratio', 'Figure', 'Peer', 'Target'], ...cells];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0))) ?? [];
  const line = (texts: string[]) => `| ${texts.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(all[0] ?? []), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}
