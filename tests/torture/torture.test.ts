/** The fast parts of `npm run torture`, run concurrently. `torture.long.test.ts` has all parts. */
import { describe, expect, it } from 'vitest';
import { torturedByKills } from './kill.ts';
import { torturedByRequests } from './requests.ts';
import { tortureShortly } from './short.ts';

describe.concurrent('a gateway', () => {
  it('loses no acknowledged write when killed under load', async () => {
    const { counts, findings } = await tortureShortly((torture) => torturedByKills(torture, { rounds: 1 }));
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ kills: 1 });
    expect(counts['transactions acknowledged']).toBeGreaterThan(0);
  });

  it("rejects bad requests with the contract's problems, without storing data", async () => {
    const { counts, findings } = await tortureShortly((torture) => torturedByRequests(torture, { requests: 300 }));
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ 'bad requests': 300, 'refused well': 300 });
  });
});
