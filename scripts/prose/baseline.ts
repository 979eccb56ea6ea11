/** Phrases that were there before the vocabulary. baseline.yaml counts them by file; the counts only shrink. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Finding } from './vocabulary.ts';

export type Baseline = Readonly<Record<string, number>>;

export const BASELINE = 'scripts/prose/baseline.yaml';
const FILE = fileURLToPath(new URL('baseline.yaml', import.meta.url));

export function readBaseline(): Baseline {
  return parse(readFileSync(FILE, 'utf8')) ?? {};
}

/** Lowers the counts to what is found now, and never raises one. */
export function writeBaseline(findings: readonly Finding[]): void {
  const now = countByFile(findings);
  const lowered = Object.entries(readBaseline())
    .map(([file, count]) => [file, Math.min(count, now.get(file) ?? 0)] as const)
    .filter(([, count]) => count > 0);
  writeFileSync(FILE, stringify(Object.fromEntries(lowered)));
}

/** `surplus`: findings in files that have more than the baseline allows. `fixed`: files that have fewer. */
export function compareWithBaseline(findings: readonly Finding[], baseline: Baseline) {
  const now = countByFile(findings);
  return {
    surplus: findings.filter(({ file }) => (now.get(file) ?? 0) > (baseline[file] ?? 0)),
    fixed: Object.keys(baseline).filter((file) => (now.get(file) ?? 0) < (baseline[file] ?? 0)),
  };
}

function countByFile(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { file } of findings) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}
