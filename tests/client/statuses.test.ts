/** What the client takes from the contract, against the contract. */
import { describe, expect, it } from 'vitest';
import { readBundle, webhooks } from '../../contract/src/model.ts';
import { senderForm } from '../../contract/src/sender.ts';
import { statusRanks, webhookStatuses } from '../../generated/statuses.ts';
import { webhookHeaders } from '../../generated/webhook-headers.ts';
import { ranksOf } from '../../scripts/artifacts/statuses.ts';

const bundle = senderForm(readBundle());
const MACHINES = Object.entries(bundle['x-state-machines']) as [keyof typeof statusRanks, never][];
const MOVES = MACHINES.flatMap(([kind]) =>
  (bundle['x-state-machines'][kind]?.transitions ?? []).map(({ from, to }) => ({ kind, from, to })),
);
const move = (from: string | null, to: string) => ({ from, to, by: 'service', when: 'Always.' });
const state = { meaning: 'A state.', final: false };

describe('ranks', () => {
  it.each(MOVES)('rise from $from to $to of a $kind', ({ kind, from, to }) => {
    const ranks: Record<string, number> = statusRanks[kind];
    expect(ranks[to]).toBeGreaterThan(from === null ? -1 : (ranks[from] ?? Number.NaN));
  });

  it('count the longest way', () => {
    const states = { A: state, B: state, C: state };
    const transitions = [move(null, 'A'), move('A', 'C'), move('A', 'B'), move('B', 'C')];
    expect(ranksOf({ states, transitions })).toEqual({ A: 0, B: 1, C: 2 });
  });

  it('are refused when a way leads back', () => {
    const transitions = [move(null, 'A'), move('A', 'B'), move('B', 'A')];
    expect(() => ranksOf({ states: { A: state, B: state }, transitions })).toThrow('leads from');
  });
});

describe('webhooks', () => {
  it('have the statuses of their payloads', () => {
    const told = Object.values(webhookStatuses).flat();
    expect(told).toHaveLength(webhooks(bundle).length);
    expect(webhookStatuses.payout).toEqual(['SUCCESS', 'FAILED']);
  });

  it('have the headers of their parameters', () => {
    const { id, timestamp, signatures } = webhookHeaders;
    for (const { parameters } of webhooks(bundle)) {
      expect(parameters.map(({ name }) => name).sort()).toEqual([id, timestamp, ...signatures].sort());
    }
  });
});
