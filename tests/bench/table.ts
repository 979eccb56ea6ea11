/** The performance table: each row has a figure, its peer, their ratio and the target. */
import { alignedTable } from '../tools/aligned-table.ts';
import { type Memory, residentBytes, type Server } from '../tools/server.ts';

const MEGABYTE = 1e6;
const MEMORY_MAX_MB = 250;

export interface Row {
  name: string;
  figure: string;
  peer?: string;
  /** The figure divided by the peer's. */
  ratio?: number;
  /** The target of the ratio, or of the figure, and whether it is met. */
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

/** A row that compares rates with a peer's, round by round, so that variations of the machine affect both. */
export function comparison(
  name: string,
  rates: readonly number[],
  peer: { readonly name: string; readonly rates: readonly number[] },
  atLeast: number,
): Row {
  const ratio = median(rates.map((rate, round) => rate / (peer.rates[round] ?? Number.NaN)));
  return {
    name,
    figure: figure(median(rates), '/s'),
    peer: `${peer.name} ${figure(median(peer.rates), '/s')}`,
    ratio,
    // The ratio to a peer without a single request is infinite or NaN.
    target: { text: `≥ ${atLeast}`, met: ratio >= atLeast && Number.isFinite(ratio) },
  };
}

/** A row that compares costs with a peer's, round by round. */
export function costComparison(
  name: string,
  costs: readonly number[],
  peer: { readonly name: string; readonly costs: readonly number[] },
  atMost: number,
  unit: string,
): Row {
  const ratio = median(costs.map((cost, round) => cost / (peer.costs[round] ?? Number.NaN)));
  return {
    name,
    figure: figure(median(costs), unit),
    peer: `${peer.name} ${figure(median(peer.costs), unit)}`,
    ratio,
    target: { text: `≤ ${atMost}`, met: ratio <= atMost },
  };
}

/** A row whose figure must not exceed a limit in the same unit. */
export function atMost(name: string, value: number, limit: number, unit: string): Row {
  return { name, figure: figure(value, unit), target: { text: `≤ ${limit} ${unit}`, met: value <= limit } };
}

/** A row whose figure must reach a limit in the same unit. */
export function atLeast(name: string, value: number, limit: number, unit: string): Row {
  const text = `≥ ${limit.toLocaleString('en-US')} ${unit}`;
  return { name, figure: figure(value, unit), target: { text, met: value >= limit } };
}

/** A row with the server's memory. */
export async function memoryRow(name: string, server: Server, which: Memory): Promise<Row> {
  return atMost(name, (await residentBytes(server, which)) / MEGABYTE, MEMORY_MAX_MB, 'MB');
}

/** The rows as Markdown. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(({ name, figure: own, peer = '', ratio, target }) => [
    name,
    ratio === undefined ? '' : ratio.toFixed(2),
    own,
    peer,
    target ? `${target.text} ${target.met ? '(met)' : '(not met)'}` : '',
  ]);
  return alignedTable(['What', 'Ratio', 'Figure', 'Peer', 'Target'], lines);
}
