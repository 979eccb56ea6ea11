/** Coverage in a line. */
import { COVERAGE_KINDS, type Coverage, type CoverageItem } from './report.ts';

export function describeCoverage(coverage: Coverage): string {
  return COVERAGE_KINDS.filter((kind) => kind !== 'clauses' && coverage[kind].length > 0)
    .map((kind) => `${kind} ${formatShare(coverage[kind])}`)
    .join(', ');
}

/** The share of covered items, such as `7/9`. */
export function formatShare(items: readonly CoverageItem[]): string {
  return `${items.filter(({ count }) => count > 0).length}/${items.length}`;
}
