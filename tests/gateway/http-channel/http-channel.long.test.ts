/** The example of a real channel on a live gateway, in full: kills and faults for minutes, on both databases. */
import { expect, it } from 'vitest';
import { describeOnEachStore } from '../harness.ts';
import { expectBooksToAgree } from './business.ts';

const RUN_MS = 900_000;

describeOnEachStore('a live gateway and its provider', (_open, database) => {
  it.each([1, 2])('agree about every movement of money despite faults (seed %i)', { timeout: RUN_MS }, async (seed) => {
    const { ended, faults } = await expectBooksToAgree(await database(), { seed, orders: 40, kills: 12 });
    for (const ending of [
      'payment of a customer who pays: SUCCESS',
      'payment of a customer who pays more: SUCCESS',
      'payment of a customer who never pays: FAILED',
    ])
      expect(ended).toHaveProperty([ending]);
    expect(Object.keys(faults).length).toBeGreaterThan(3);
  });
});
