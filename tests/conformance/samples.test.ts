/** Texts that a seed selects. */
import { expect, it } from 'vitest';
import { samples } from '../../conformance/src/checks/customers/samples.ts';

const SEEDS = 200;
const LENGTH_MAX = 64;

function randomTexts(seed: number): string[] {
  return samples(seed, LENGTH_MAX).flatMap(({ name, text }) => (name.startsWith('random') ? [text] : []));
}

it('are the same for the same seed, from every plane of Unicode, and never half a character', () => {
  const texts = Array.from({ length: SEEDS }, (_, seed) => randomTexts(seed));
  expect(texts.flat().filter((text) => !text.isWellFormed())).toEqual([]);
  const planes = new Set([...texts.flat().join('')].map((character) => Number(character.codePointAt(0)) >> 16));
  expect(planes.size).toBe(17);
  expect(randomTexts(7)).toEqual(texts[7]);
  expect(new Set(texts.flat()).size).toBeGreaterThan(SEEDS);
});
