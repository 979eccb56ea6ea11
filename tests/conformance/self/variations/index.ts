/** All valid variations: choices that the source leaves to a service. */
import { type Alteration, combine } from '../alteration.ts';
import { repeats } from '../defects/repeats.ts';
import type { Variation } from '../trial.ts';
import { ANY, variation } from './build.ts';
import { form } from './form.ts';
import { meaning } from './meaning.ts';
import { requests } from './requests.ts';
import { webhooks } from './webhooks.ts';

const SINGLE: readonly Variation[] = [...form, ...meaning, ...webhooks, ...requests];

/** A service built from the source alone, which decides otherwise wherever the source is silent: all of this at once. */
const OTHERWISE: readonly string[] = [
  ...['errors/other-statuses-and-bodies', 'requests/more-accepted', 'states/clarify-without-payment'],
  ...['webhook/other-algorithm', 'webhook/never-again', 'id/other-forms', 'time/offset-and-microseconds'],
];

function chooseOtherwise(): Alteration {
  const chosen = SINGLE.filter(({ id }) => OTHERWISE.some((one) => id === `valid/${one}`));
  // Repeated creations are new transactions.
  const again = repeats.filter(({ id }) => id.endsWith('/created-again'));
  return combine([...again, ...chosen].map(({ alter }) => alter()));
}

export const VARIATIONS: readonly Variation[] = [
  variation('as-it-is', () => ({})),
  variation('source-only', chooseOtherwise, { differs: ANY }),
  ...SINGLE,
];
