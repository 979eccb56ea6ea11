/** The fast part of the faults. `torture.long.test.ts` has the others. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../tools/temporary.ts';
import { killGateway, torture } from './torture.ts';

it('a gateway on SQLite loses no acknowledged write when killed under load', async () => {
  const database = { DATABASE_FILE: join(await temporaryFolder('torture-test'), 'gateway.db') };
  const { findings, counts } = await torture({ database, processes: 1, rounds: 2, fault: killGateway });
  expect(findings).toEqual([]);
  expect(counts.acknowledged).toBeGreaterThan(0);
  expect(counts.lost).toBeGreaterThan(0);
});
