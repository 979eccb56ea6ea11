/** Progress on stderr. */
import type { Terminal } from '../../../contract/src/cli.ts';
import type { Check, Result } from '../core/check.ts';
import type { RunObserver } from '../run/verify.ts';

const QUIET_MS = 2_000;
/** Overwrites the line of a terminal. Elsewhere, such as in a CI log, appends lines. */
const INTERVAL_MS = { terminal: 200, log: 10_000 };
const CLEAR_LINE = '\r\x1b[2K';

export interface ProgressDisplay extends RunObserver {
  stop(): void;
}

export function startProgress(terminal: Terminal, isTerminal = process.stderr.isTTY === true): ProgressDisplay {
  const startedAt = Date.now();
  let [total, done, unreached, failed] = [0, 0, 0, 0];
  /** Unfinished checks in the order of their starts. */
  const running = new Set<string>();
  let isShown = false;
  const print = () => {
    if (Date.now() - startedAt < QUIET_MS || total === 0) return;
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    const counts = [`${done} of ${total} checks`, `${failed} not conforming`];
    if (unreached > 0) counts.push(`${unreached} not reached`);
    const line = [...counts, `${seconds} s${awaited(running)}`].join(', ');
    terminal.err(isTerminal ? `${CLEAR_LINE}${line.slice(0, (process.stderr.columns ?? 100) - 1)}` : `${line}\n`);
    isShown = true;
  };
  const timer = setInterval(print, isTerminal ? INTERVAL_MS.terminal : INTERVAL_MS.log);
  timer.unref();
  return {
    onPlan(checks) {
      total = checks.length;
    },
    onStart({ id }: Check) {
      running.add(id);
    },
    onResult({ id, verdict }: Result) {
      running.delete(id);
      done += 1;
      if (verdict === 'not reached') unreached += 1;
      else if (verdict !== 'conforming') failed += 1;
    },
    stop() {
      clearInterval(timer);
      if (isTerminal && isShown) terminal.err(CLEAR_LINE);
    },
  };
}

/** Names the longest-running check. */
function awaited(running: ReadonlySet<string>): string {
  const [first] = running;
  if (first === undefined) return '';
  const others = running.size - 1;
  return `  waits for ${first}${others > 0 ? ` and ${others} more` : ''}`;
}
