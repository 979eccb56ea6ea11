/** Requests that race each other in the service. */
import type { Exchange } from '../service/exchange.ts';
import { type Finding, NotReached } from './finding.ts';

export interface RaceResult {
  readonly findings: Finding[];
  /** Whether requests were in flight at the same time. */
  readonly met: boolean;
}

const ATTEMPTS_MAX = 3;

/** The findings of the first race. Throws NotReached if the requests never meet. */
export async function judgeRace(run: () => Promise<RaceResult>): Promise<Finding[]> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const { findings, met } = await run();
    if (met || findings.length > 0) return findings;
  }
  throw new NotReached(
    'the requests were never in flight at the same time',
    'run the kit on a machine that does less, or raise the rate limit of the service',
  );
}

/** Whether two of the requests were in flight at the same time. */
export function haveMet(exchanges: readonly Exchange[]): boolean {
  return exchanges.some((one, index) =>
    exchanges.slice(index + 1).some((other) => one.startedAt < other.endedAt && other.startedAt < one.endedAt),
  );
}
