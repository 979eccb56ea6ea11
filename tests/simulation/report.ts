/** Output of a simulation. */
import type { RunOutcome } from './run.ts';
import type { Counts } from './simulated-system.ts';
import type { RunReport } from './worker.ts';

export function formatCounts(runs: number, counts: Counts, seconds: number): string {
  const all = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const perMinute = Math.round((runs / seconds) * 60);
  return `${runs} runs in ${seconds.toFixed(1)} s (${perMinute} a minute): ${all.join(', ')}`;
}

/** Describes the broken rule, the command to reproduce it, and the shortest history found. */
export function formatFailure({ outcome, shrunk }: RunReport): string {
  const { seed, steps, broken } = outcome;
  const replay = `npm run simulate -- --seed ${seed} --runs 1 --steps ${steps}`;
  const lines = [`BROKEN ${broken?.detail}`, `in step ${broken?.step} of seed ${seed}. Replay it:`, `  ${replay}`];
  if (!shrunk) return [...lines, ...formatHistory(outcome)].join('\n');
  const kept = [...(shrunk.only ?? [])];
  const short = kept.length > 0 ? ` --only ${kept.join(',')}` : '';
  lines.push(
    `With ${kept.length} of its steps:`,
    `  npm run simulate -- --seed ${seed} --runs 1 --steps ${shrunk.steps}${short}`,
  );
  return [...lines, ...formatHistory(shrunk)].join('\n');
}

function formatHistory({ history, broken }: RunOutcome): string[] {
  return [...history, broken ? `BROKEN ${broken.detail}` : 'not broken'].map((line) => `  ${line}`);
}
