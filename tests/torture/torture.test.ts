/** The fast part of `npm run torture`. `torture.long.test.ts` has all parts. */
import { expect, it } from 'vitest';
import { temporaryFolder } from '../tools/temporary.ts';
import { killGateways } from './kill.ts';

it('a gateway loses no acknowledged write when killed under load', async () => {
  const torture = { seed: 4, folder: await temporaryFolder('torture-test'), say: () => undefined };
  const { counts, findings } = await killGateways(torture, 1);
  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ kills: 1 });
  expect(counts['transactions acknowledged']).toBeGreaterThan(0);
});
