/** The API documents, the routes and the reference agree. */
import { describe, expect, it } from 'vitest';
import { readContract } from '../../../gateway/src/http/contract.ts';
import { RAISED } from '../../../gateway/src/http/problems.ts';

const contract = readContract();

describe('the problem registry', () => {
  it('is the same in the gateway and in the contract', () => {
    expect([...RAISED].sort()).toEqual([...contract.problems.keys()].sort());
  });

  it('equals the reference row by row', () => {
    const { description } = contract.bundle.info;
    const rows = [...description.matchAll(/^\| (\d{3}) \| `(https:\/\/[\w.-]+\/problems\/[\w-]+)` \| (.+) \|$/gm)];
    expect(rows.map(([, status, type, title]) => ({ status: Number(status), type, title })).sort(byType)).toEqual(
      [...contract.problems.values()].map(({ status, type, title }) => ({ status, type, title })).sort(byType),
    );
  });
});

function byType(a: { type?: string | undefined }, b: { type?: string | undefined }): number {
  return String(a.type) < String(b.type) ? -1 : 1;
}
