/** Properties of arbitrary edits, beyond the tables. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
const RUNS = { numRuns: 25 };

describe('the comparison', () => {
  it('finds no change between a document and itself', () => {
    expect(lines(CONTRACT, structuredClone(CONTRACT))).toEqual([]);
  });

  it('finds every changed value at any location', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LEAVES), (pointer) => {
        expect(lines(CONTRACT, edited(set(pointer, 'altered'))), pointer).not.toEqual([]);
      }),
      RUNS,
    );
  });

  it('finds every removed value at any location', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LEAVES), (pointer) => {
        expect(lines(CONTRACT, edited(drop(pointer))), pointer).not.toEqual([]);
      }),
      RUNS,
    );
  });
});
