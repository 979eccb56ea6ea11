/** The example of a real channel, with LIVE, in short: books that agree, whatever is lost, late, repeated or killed. */
import { it } from 'vitest';
import { sqliteDatabase } from '../harness.ts';
import { expectBooksToAgree } from './business.ts';

it('with LIVE, a gateway and its provider agree about every movement of money, whatever goes wrong', async () => {
  await expectBooksToAgree(await sqliteDatabase(), { seed: 1, orders: 8, kills: 3 });
});
