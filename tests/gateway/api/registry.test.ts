/** The gateway's problems, the contract's, and the reference's are the same. */
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../../../gateway/src/channels/scenarios.ts';
import { sandboxMethods } from '../../../gateway/src/domain/methods.ts';
import { readContract } from '../../../gateway/src/http/contract.ts';
import { RAISED } from '../../../gateway/src/http/problems.ts';
import { sandboxChapter } from '../../../scripts/reference/sandbox-chapter.ts';

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

describe('the sandbox chapter', () => {
  it('has a row for every scenario and every method of the simulator', () => {
    const chapter = sandboxChapter();
    for (const { field, value, summary } of SCENARIOS) {
      const tables = chapter.split('\n\n').filter((part) => part.startsWith(`| \`${field}\` |`));
      expect(tables.join('\n')).toContain(`| \`${value}\` | ${summary} |`);
    }
    for (const { name, limits } of sandboxMethods) {
      expect(chapter).toContain(`| \`${name}\``);
      expect(chapter).toContain(`${limits.min} to ${limits.max}`);
    }
  });
});

function byType(a: { type?: string | undefined }, b: { type?: string | undefined }): number {
  return String(a.type) < String(b.type) ? -1 : 1;
}
