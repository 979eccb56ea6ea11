/** All valid variations: choices that the source leaves to a service. */
import type { Variation } from '../trial.ts';
import { variation } from './build.ts';
import { form } from './form.ts';
import { meaning } from './meaning.ts';
import { requests } from './requests.ts';
import { webhooks } from './webhooks.ts';

export const VARIATIONS: readonly Variation[] = [
  variation('as-it-is', () => ({})),
  ...form,
  ...meaning,
  ...webhooks,
  ...requests,
];
