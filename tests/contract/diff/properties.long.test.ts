/** Properties of arbitrary edits, beyond the tables. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';
import { CONTRACT, drop, edited, lines, set } from './documents.ts';

/** Pointers to every scalar value, except the version and values read elsewhere. */
function leaves(value: Json, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner as Json, pointer + toPointer(key)));
}

/** Callbacks repeat the webhooks, and are compared there. */
const LEAVES = leaves(CONTRACT as unknown as Json).filter(
  (pointer) => pointer !== '/info/version' && !pointer.includes('/callbacks/') && !pointer.endsWith('/$ref'),
);

it.each([
  ['changed', (pointer: string) => set(pointer, 'altered')],
  ['removed', drop],
])('the comparison finds every %s value at any location', (_name, edit) => {
  const property = fc.property(fc.constantFrom(...LEAVES), (pointer) => {
    expect(lines(CONTRACT, edited(edit(pointer))), pointer).not.toEqual([]);
  });
  fc.assert(property, { numRuns: 25 });
});
