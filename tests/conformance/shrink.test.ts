/** Findings about texts name the shortest text with the defect. */
import { expect, it, vi } from 'vitest';
import { judgeShortest } from '../../conformance/src/checks/customers/texts.ts';
import { type Finding, NotReached } from '../../conformance/src/core/finding.ts';
import { finding } from './report/synthetic.ts';

/** Judges texts of a service that fails where the condition holds. */
const failing = (fails: (text: string) => boolean) =>
  vi.fn(async (text: string): Promise<Finding[]> => (fails(text) ? [finding({ found: text })] : []));

it('shrinks to the character that the service gets wrong', async () => {
  const judge = failing((text) => text.includes("'"));
  expect(await judgeShortest("x'); drop table payments;-- %_", judge)).toMatchObject([{ found: "'" }]);
});

it('shrinks to the length that the service cannot hold', async () => {
  const judge = failing((text) => [...text].length > 100);
  expect(await judgeShortest('🛒'.repeat(255), judge)).toMatchObject([{ found: '🛒'.repeat(101) }]);
});

it('judges a text that passes once', async () => {
  const judge = failing(() => false);
  expect(await judgeShortest('a plain text', judge)).toEqual([]);
  expect(judge).toHaveBeenCalledTimes(1);
});

it('sends a limited number of texts, and keeps its findings when the run reaches a limit', async () => {
  const judge = failing((text) => text.length > 250);
  await judgeShortest('ab'.repeat(127), judge);
  expect(judge.mock.calls.length).toBeLessThanOrEqual(21);
  let sent = 0;
  const limited = async (text: string) => {
    sent += 1;
    if (sent > 1) throw new NotReached('the run has sent all that it may', 'raise --max-requests');
    return [finding({ found: text })];
  };
  expect(await judgeShortest('abc', limited)).toMatchObject([{ found: 'abc' }]);
});
