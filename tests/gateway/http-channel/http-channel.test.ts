/**
 * The example of a real channel on a live gateway, in short: books agree despite lost, late, repeated and killed calls.
 */
import { it } from 'vitest';
import { sqliteDatabase } from '../harness.ts';
import { expectBooksToAgree } from './business.ts';

it('a live gateway and its provider agree about every movement of money despite faults', async () => {
  await expectBooksToAgree(await sqliteDatabase(), { seed: 1, orders: 8, kills: 3 });
});
