import { expect, it } from 'vitest';
import type { Server } from '../tools/server.ts';
import { inTurns } from './rounds.ts';

/** A server that records whether it runs. */
function server(): { awake: boolean; server: Server } {
  const state = {
    awake: true,
    server: {
      sleep: () => {
        state.awake = false;
      },
      wake: () => {
        state.awake = true;
      },
    } as Server,
  };
  return state;
}

it('measures each contender in each round, in changing order, while the others are paused', async () => {
  const states = { one: server(), two: server() };
  const measured: string[] = [];
  const contender = (name: 'one' | 'two', other: 'one' | 'two') => ({
    servers: [states[name].server],
    measure: async (round: number) => {
      measured.push(`${name} ${round}`);
      expect(states[name].awake).toBe(true);
      expect(states[other].awake).toBe(false);
      return round;
    },
  });
  const rates = await inTurns({ rounds: 3, say: () => undefined }, 'test', {
    one: contender('one', 'two'),
    two: contender('two', 'one'),
  });
  expect(measured).toEqual(['one 0', 'two 0', 'two 1', 'one 1', 'one 2', 'two 2']);
  expect(rates).toEqual({ one: [0, 1, 2], two: [0, 1, 2] });
  expect(states).toMatchObject({ one: { awake: true }, two: { awake: true } });
});
