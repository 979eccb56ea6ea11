/**
 * Effect of a change of one schema keyword on the set of valid values.
 * Keywords that hold further schemas are in schema.ts. A keyword in neither place counts as `alters`.
 */
import type { Json } from '../model.ts';
import type { Effect } from './change.ts';

/** Called only if the values differ. Undefined means that the keyword is absent. */
type Rule = (before: Json | undefined, after: Json | undefined) => Effect;

/** The effect if the keyword is added or removed; undefined if both sides have it. */
function comesOrGoes(before: Json | undefined, after: Json | undefined): Effect | undefined {
  if (before === undefined) return 'narrows';
  return after === undefined ? 'widens' : undefined;
}

const anyRule: Rule = (before, after) => comesOrGoes(before, after) ?? 'alters';

const atLeast: Rule = (before, after) =>
  comesOrGoes(before, after) ?? (Number(after) > Number(before) ? 'narrows' : 'widens');

const atMost: Rule = (before, after) =>
  comesOrGoes(before, after) ?? (Number(after) < Number(before) ? 'narrows' : 'widens');

const flag: Rule = (_, after) => (after === true ? 'narrows' : 'widens');

const types: Rule = (before, after) => {
  const turn = comesOrGoes(before, after);
  if (turn) return turn;
  const [old, now] = [readTypes(before), readTypes(after)];
  if ([...old].every((type) => now.has(type))) return 'widens';
  return [...now].every((type) => old.has(type)) ? 'narrows' : 'alters';
};

const multipleOf: Rule = (before, after) => {
  const turn = comesOrGoes(before, after);
  if (turn) return turn;
  if (Number(after) % Number(before) === 0) return 'narrows';
  return Number(before) % Number(after) === 0 ? 'widens' : 'alters';
};

export const RULES: Record<string, Rule> = {
  type: types,
  minimum: atLeast,
  exclusiveMinimum: atLeast,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  maximum: atMost,
  exclusiveMaximum: atMost,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
  multipleOf,
  uniqueItems: flag,
  pattern: anyRule,
  format: anyRule,
};

/** Keywords, and fields of OpenAPI objects, that change no message. So do all that begin with `x-`. */
const WORDS = new Set(['title', 'summary', 'description', 'example', 'examples', 'externalDocs', 'tags', '$comment']);

/** Whether a change of this key is a matter of words only. */
export function isEditorial(key: string): boolean {
  return WORDS.has(key) || key.startsWith('x-');
}

/** A number is an integer or another number; so `integer` is a part of `number`. */
function readTypes(value: Json | undefined): Set<Json> {
  const listed = Array.isArray(value) ? value : [value ?? null];
  return new Set(listed.flatMap((type) => (type === 'number' ? ['integer', 'number'] : [type])));
}
