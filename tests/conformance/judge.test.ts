/** Judgments of responses, times, states and texts. */
import { describe, expect, it, vi } from 'vitest';
import { samples } from '../../conformance/src/checks/customers/samples.ts';
import { judgeShortest } from '../../conformance/src/checks/customers/texts.ts';
import { type Finding, NotReached } from '../../conformance/src/core/finding.ts';
import { isIso8601, judgeResponse, readTime } from '../../conformance/src/core/judge.ts';
import { contract, createExchange, finding } from './report/synthetic.ts';

it.each([
  ['another body than', 200, 'assumption clarify-response'],
  ['a rejection instead of', 400, 'source 3, 4.2'],
])('names the clause of %s the assumed response to clarifyPayment', (_name, status, rests) => {
  const exchange = { ...createExchange({}, status), call: { operation: contract.operation('clarifyPayment') } };
  const clauses = judgeResponse(contract, exchange, 200).map(({ clause }) => clause.rests);
  expect(new Set(clauses)).toEqual(new Set([rests]));
});

it.each([
  ['20280229T100000Z', true],
  ['20260431T100000Z', false],
  ['2026-02-29T10:00:00Z', false],
  ['2026-060T10:00:00Z', true],
  ['2026-W09-1', true],
])('takes %s for a time of ISO 8601: %s', (text, isTime) => {
  expect(isIso8601(text)).toBe(isTime);
});

it.each(['2026-02-28T10:00:00', '2026-02-28T15:30:00+05:30', 'Sat, 28 Feb 2026 10:00:00 GMT'])(
  'reads %s in any time zone as the same time',
  (text) => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(new Date(readTime(text)).toISOString()).toBe('2026-02-28T10:00:00.000Z');
    vi.unstubAllEnvs();
  },
);

it.each(['constructor', '__proto__'])('%s is a status of no machine', (status) => {
  const { payment, payout } = contract.machines;
  expect([payment.states[status], payout.states[status]]).toEqual([undefined, undefined]);
});

const SEEDS = 200;
const LENGTH_MAX = 64;

function randomTexts(seed: number): string[] {
  return samples(seed, LENGTH_MAX).flatMap(({ name, text }) => (name.startsWith('random') ? [text] : []));
}

it('random texts are the same for the same seed, from every plane of Unicode, and never half a character', () => {
  const texts = Array.from({ length: SEEDS }, (_, seed) => randomTexts(seed));
  expect(texts.flat().filter((text) => !text.isWellFormed())).toEqual([]);
  const planes = new Set([...texts.flat().join('')].map((character) => Number(character.codePointAt(0)) >> 16));
  expect(planes.size).toBe(17);
  expect(randomTexts(7)).toEqual(texts[7]);
  expect(new Set(texts.flat()).size).toBeGreaterThan(SEEDS);
});

describe('the search for the shortest text that fails', () => {
  /** Judges texts of a service that fails where the condition holds. */
  const failing = (fails: (text: string) => boolean) =>
    vi.fn(async (text: string): Promise<Finding[]> => (fails(text) ? [finding({ found: text })] : []));

  it.each<[string, (text: string) => boolean, string]>([
    ["x'); drop table payments;-- %_", (text) => text.includes("'"), "'"],
    ['🛒'.repeat(255), (text) => [...text].length > 100, '🛒'.repeat(101)],
  ])('shrinks %s', async (given, fails, found) => {
    const judge = failing(fails);
    expect(await judgeShortest(given, judge)).toMatchObject([{ found }]);
    expect(judge.mock.calls.length).toBeLessThanOrEqual(21);
  });

  it('keeps the findings when the run reaches a limit', async () => {
    const judge = failing(() => true);
    judge.mockResolvedValueOnce([finding({ found: 'abc' })]);
    judge.mockRejectedValue(new NotReached('the run has sent all that it may', 'raise --max-requests'));
    expect(await judgeShortest('abc', judge)).toMatchObject([{ found: 'abc' }]);
  });
});
