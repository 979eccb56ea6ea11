import { ProblemError } from '../http/problems.ts';

/** Other writers of a transaction are a worker and a second request: each is faster once or twice. */
const ATTEMPTS_MAX = 10;

/** Repeats an action that reads a transaction and commits a step, until it returns something: no other writer was faster. */
export async function untilCommitted<T>(act: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const committed = await act();
    if (committed !== undefined) return committed;
  }
  throw new ProblemError('unavailable', 'The transaction was changed by others at every attempt. Send it again.');
}
