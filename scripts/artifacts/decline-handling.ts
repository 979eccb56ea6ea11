/** The words for `x-decline-handling` in texts that people read. */
import type { DeclineHandling } from '../../contract/src/model.ts';

const RETRY: Readonly<Record<DeclineHandling['retry'], string>> = {
  now: 'Yes',
  later: 'Later',
  changed: 'With other data',
  never: 'No',
};

const ACTS: Readonly<Record<DeclineHandling['acts'], string>> = {
  merchant: 'You',
  customer: 'The customer',
  service: 'The service',
  nobody: 'Nobody',
};

/** Whether a new attempt can succeed, and who acts before it. */
export function handlingWords({ retry, acts }: DeclineHandling): [retry: string, acts: string] {
  return [RETRY[retry], ACTS[acts]];
}
