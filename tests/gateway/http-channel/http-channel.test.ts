/** The example of a real channel, with LIVE, in short: books that agree, whatever is lost, late, repeated or killed. */
import { it } from 'vitest';
import { describeOnEachStore } from '../harness.ts';
import { expectBooksToAgree } from './business.ts';

describeOnEachStore('with LIVE, a gateway and its provider', (_open, database) => {
  it('agree about every movement of money, whatever goes wrong', async () => {
    await expectBooksToAgree(await database(), { seed: 1, orders: 8, kills: 3 });
  });
});
