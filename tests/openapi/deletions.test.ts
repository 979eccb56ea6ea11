/**
 * The table of facts notices deletions: whatever is taken out of the contract, some fact stops holding.
 * Everything that has to be noticed is deleted once on its own, and seeded random choices are deleted together.
 * What has to be noticed, and what doesn't and why, is in deletions.ts.
 */
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type Json, readBundle } from '../../contract/src/model.ts';
import { deleteTarget, KINDS, type Target, targets } from './deletions.ts';
import { readFacts } from './facts.ts';

const SEED = 20260302;

const root = readBundle() as unknown as Json;
const before = JSON.stringify(root);
const facts = readFacts().filter((fact) => fact.holds(root));
const all = targets(root);
const demanded = all.filter((target) => target.kind.demanded && target.specified);

/** Whether some fact that held does not hold any more. */
function isNoticed(): boolean {
  const index = facts.findIndex((fact) => !fact.holds(root));
  if (index < 0) return false;
  // Deletions side by side are often noticed by the same fact, so it is asked first the next time.
  facts.unshift(...facts.splice(index, 1));
  return true;
}

function isNoticedWithout(target: Target): boolean {
  const restore = deleteTarget(target);
  const noticed = isNoticed();
  restore();
  return noticed;
}

// A deletion that is not undone would be noticed by all that follow, and every one of them would pass.
afterEach(() => {
  expect(JSON.stringify(root)).toBe(before);
});

test('every deletion that changes a fact is noticed', () => {
  expect(demanded.filter((target) => !isNoticedWithout(target)).map(describeTarget)).toEqual([]);
});

test('deletions of several things at once are noticed', () => {
  const choice = fc.uniqueArray(fc.nat(demanded.length - 1), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(choice, (indexes) => {
      const chosen = indexes.flatMap((index) => demanded[index] ?? []);
      const restores = chosen.map(deleteTarget);
      const noticed = isNoticed();
      for (const restore of restores.reverse()) restore();
      expect(noticed, `unnoticed together:\n${chosen.map(describeTarget).join('\n')}`).toBe(true);
    }),
    { seed: SEED, numRuns: 500 },
  );
});

test('each kind of deletion occurs', () => {
  const counts = Map.groupBy(all, (target) => target.kind.kind);
  expect(KINDS.map(({ kind }) => kind).filter((kind) => !counts.has(kind))).toEqual([]);
});

test('a deletion goes unnoticed when the facts about it are gone', () => {
  const currency = all.filter((target) => target.pointer === '/components/schemas/Currency/enum/0');
  const blind = facts.filter((fact) => fact.expectation === 'absent');
  const noticed = currency.map((target) => {
    const restore = deleteTarget(target);
    const seen = blind.some((fact) => !fact.holds(root));
    restore();
    return seen;
  });
  expect(noticed).toEqual([false]);
});

function describeTarget({ kind, pointer }: Target): string {
  return `${kind.kind}: ${pointer}`;
}
