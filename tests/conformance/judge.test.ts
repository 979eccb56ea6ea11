/** Judgments of responses, times, states and texts. */
import { describe, expect, it, vi } from 'vitest';
import { samples } from '../../conformance/src/checks/customers/samples.ts';
import { judgeShortest } from '../../conformance/src/checks/customers/texts.ts';
import { type Finding, NotReached } from '../../conformance/src/core/finding.ts';
import { listHistories, listObservations } from '../../conformance/src/core/history.ts';
import { isIso8601, judgeResponse, readTime } from '../../conformance/src/core/judge.ts';
import { listEvents } from '../../conformance/src/core/transactions.ts';
import { type Contract, loadContract } from '../../conformance/src/document/contract.ts';
import { contract, createExchange, finding } from './report/synthetic.ts';

describe('a response to clarifyPayment, which the source leaves open', () => {
  const operation = contract.operation('clarifyPayment');
  const found = (body: object, status: number) =>
    judgeResponse(contract, { ...createExchange(body, status), call: { operation } }, 200);

  it.each([
    ['another body', {}, 200, 'assumption clarify-response'],
    ['another success', {}, 204, 'assumption clarify-response'],
    ['a rejection', {}, 400, 'source 3, 4.2'],
  ])('with %s', (_name, body, status, rests) => {
    const clauses = found(body, status).map(({ clause }) => clause.rests);
    expect(new Set(clauses)).toEqual(new Set([rests]));
  });
});

describe('events', () => {
  it('are about the kind of transaction whose creation declares them', () => {
    const kinds = Object.groupBy(listEvents(contract), ({ kind }) => kind);
    expect(kinds.payment?.map(({ status }) => status).sort()).toEqual([
      'EXTRA_DATA_NEEDED',
      'FAILED',
      'PAY_CONFIRMATION_NEEDED',
      'SUCCESS',
    ]);
    expect(kinds.payout?.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCESS']);
  });

  it('are refused if no creation declares them', () => {
    const operations = contract.operations.map((operation) => ({ ...operation, callbacks: [] }));
    expect(() => listEvents({ ...contract, operations } as Contract)).toThrow('is not a callback');
  });
});

describe('the history of a payment', () => {
  const created = createExchange({ transaction_id: 'pay_1', status: 'CREATED' });
  const read = {
    ...createExchange({ transaction_id: 'pay_1', status: 'SUCCESS' }),
    ...{ call: { operation: contract.operation('getPayment') }, endedAt: 3_000 },
  };
  const listStatuses = (exchanges: Parameters<typeof listHistories>[0]['exchanges']) =>
    listHistories({ exchanges, deliveries: [] }).map((history) =>
      listObservations(history).map(({ status }) => status),
    );

  it('has its statuses in the order in which they were seen', () => {
    expect(listStatuses([created, read])).toEqual([['CREATED', 'SUCCESS']]);
  });

  it('leaves out a repeated creation, which returns the first response', () => {
    expect(listStatuses([created, read, { ...created, endedAt: 4_000 }])).toEqual([['CREATED', 'SUCCESS']]);
  });

  it('leaves out examples that a mock was asked for', () => {
    expect(listStatuses([{ ...created, call: { ...created.call, prefer: 'example=h2h' } }])).toEqual([]);
  });
});

it.each([
  ['2026-02-28T10:00:00Z', true],
  ['2028-02-29T10:00:00Z', true],
  ['20280229T100000Z', true],
  ['2026-02-29T10:00:00Z', false],
  ['20260431T100000Z', false],
  ['2026-060T10:00:00Z', true],
  ['2026-W09-1', true],
])('the kit takes %s for a time of ISO 8601: %s', (text, isTime) => {
  expect(isIso8601(text)).toBe(isTime);
});

it.each(['2026-02-28T10:00:00', '2026-02-28T10:00:00Z', '2026-02-28T15:30:00+05:30', 'Sat, 28 Feb 2026 10:00:00 GMT'])(
  'reads %s in any time zone as the same time',
  (text) => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(new Date(readTime(text)).toISOString()).toBe('2026-02-28T10:00:00.000Z');
    vi.unstubAllEnvs();
  },
);

it.each(['constructor', '__proto__', 'toString'])('%s is a status of no machine', (status) => {
  const { payment, payout } = loadContract().machines;
  expect([payment.states[status], payout.states[status]]).toEqual([undefined, undefined]);
  expect(Object.keys(payment.states)).toContain('SUCCESS');
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

/** Judges texts of a service that fails where the condition holds. */
const failing = (fails: (text: string) => boolean) =>
  vi.fn(async (text: string): Promise<Finding[]> => (fails(text) ? [finding({ found: text })] : []));

it('shrinks a text to the character that the service gets wrong', async () => {
  const judge = failing((text) => text.includes("'"));
  expect(await judgeShortest("x'); drop table payments;-- %_", judge)).toMatchObject([{ found: "'" }]);
});

it('shrinks a text to the length that the service cannot hold', async () => {
  const judge = failing((text) => [...text].length > 100);
  expect(await judgeShortest('🛒'.repeat(255), judge)).toMatchObject([{ found: '🛒'.repeat(101) }]);
});

it('judges a text that passes once', async () => {
  const judge = failing(() => false);
  expect(await judgeShortest('a plain text', judge)).toEqual([]);
  expect(judge).toHaveBeenCalledTimes(1);
});

it('sends a limited number of texts, and keeps the findings when the run reaches a limit', async () => {
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
