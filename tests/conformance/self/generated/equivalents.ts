/**
 * Generated defects that a verifier has to let pass, each kind with the reason. People have reviewed every row; the
 * kit's verdict is never a reason.
 */
import { isError } from './faults.ts';
import type { Mutant } from './mutant.ts';

type Wrong = NonNullable<Mutant['wrong']>;
type Rule = NonNullable<Mutant['rule']>;

/** After these, the service is still sound by the document. */
const SOUND: readonly [reason: string, holds: (wrong: Wrong) => boolean][] = [
  [
    'texts for people, such as `title` and `message`, can say anything',
    ({ field, fault, place }) => isText(field, isError(place)) && ['other-value', 'swapped'].includes(fault),
  ],
  [
    'the schema makes the member of a problem optional',
    ({ field, fault, place }) => fault === 'dropped' && isError(place) && !field.isRequired,
  ],
  [
    'the schema makes the field optional, and only our own service promises it',
    ({ field, fault, place }) =>
      fault === 'dropped' && !field.isRequired && place.code !== undefined && nameOf(field) !== 'redirect_url',
  ],
];

/** A service that never does this, or much later, looks like a slow one, so that the kit can only say: not shown. */
const SLOW: readonly [reason: string, holds: (rule: Rule) => boolean][] = [
  [
    'a move that is never made looks like one that is not made yet',
    ({ name, fault }) => /^move/.test(name) && fault === 'off',
  ],
];

/** The reason why the altered service is sound; undefined if it isn't. */
export function equivalence({ wrong }: Mutant): string | undefined {
  return wrong && SOUND.find(([, holds]) => holds(wrong))?.[0];
}

/** The reason why the altered service can't be told from a slow one; undefined if it can. */
export function slowness({ rule }: Mutant): string | undefined {
  return rule && SLOW.find(([, holds]) => holds(rule))?.[0];
}

function isText(field: Wrong['field'], inProblem: boolean): boolean {
  return nameOf(field) === 'message' || (inProblem && ['title', 'detail'].includes(nameOf(field)));
}

function nameOf({ path }: Wrong['field']): string {
  return path.at(-1) ?? '';
}
