import { describe, expect, it } from 'vitest';
import { firstId, randomIds } from '../../../gateway/src/platform/ids.ts';
import { START } from '../harness/fixtures.ts';

describe('a random id', () => {
  it('sorts after earlier IDs, even in the same millisecond', () => {
    const made = [START, START, START, START + 1, START + 2, START + 2].map((now) => randomIds.newId('pay', now));
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });

  it('begins with a prefix that sorts before every ID of its time', () => {
    const id = randomIds.newId('evt', START);
    expect(id).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(id.startsWith(firstId('evt', START))).toBe(true);
  });
});
