/**
 * Generated defects after which the service is still sound by the document, each kind with the reason. People have
 * reviewed every row; the kit's verdict is never one.
 */
import { isError } from './faults.ts';
import type { Mutant } from './mutant.ts';

type Wrong = NonNullable<Mutant['wrong']>;

const ROWS: readonly [reason: string, holds: (wrong: Wrong) => boolean][] = [
  [
    'the text is for people, and any other says as much',
    ({ field, fault, place }) =>
      fault === 'other-value' &&
      (['message', 'detail'].includes(nameOf(field)) || (isError(place) && nameOf(field) === 'title')),
  ],
];

/** The reason why the altered service is sound; undefined if it isn't. */
export function equivalence({ wrong }: Mutant): string | undefined {
  return wrong && ROWS.find(([, holds]) => holds(wrong))?.[0];
}

function nameOf({ path }: Wrong['field']): string {
  return path.at(-1) ?? '';
}
