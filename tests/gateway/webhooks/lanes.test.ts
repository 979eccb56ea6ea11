import { describe, expect, it } from 'vitest';
import { Lanes } from '../../../gateway/src/webhooks/lanes.ts';

const LIMITS = { perAddress: 8, total: 16 };

/** Claims deliveries of an address and lets them enter; says what has become of each. */
function enter(lanes: Lanes, address: string, count: number): ('waits' | 'admitted' | 'given back')[] {
  const states = Array.from({ length: count }, () => 'waits' as 'waits' | 'admitted' | 'given back');
  states.forEach((_state, index) => {
    lanes.claim(address);
    lanes.enter(address).then((admitted) => {
      states[index] = admitted ? 'admitted' : 'given back';
    });
  });
  return states;
}

function count(states: readonly string[], state: string): number {
  return states.filter((one) => one === state).length;
}

/** Lets everything go on that can. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Leads an address to its full number of attempts by prompt answers. */
async function trust(lanes: Lanes, address: string): Promise<void> {
  for (let i = 0; i < 4; i++) {
    lanes.claim(address);
    await lanes.enter(address);
    lanes.leave(address, true);
    lanes.end(address);
  }
}

describe('the lanes of addresses', () => {
  it('admit one attempt at first, and more after each prompt answer', async () => {
    const lanes = new Lanes(LIMITS);
    expect(lanes.room('a')).toBe(1);
    const [first] = enter(lanes, 'a', 1);
    await settle();
    lanes.leave('a', true);
    lanes.end('a');
    expect(first).toBeDefined();
    const states = enter(lanes, 'a', 12);
    await settle();
    expect(count(states, 'admitted')).toBe(2);
    lanes.leave('a', true);
    await settle();
    expect(count(states, 'admitted')).toBe(5);
    for (let i = 0; i < 2; i++) lanes.leave('a', true);
    await settle();
    expect(count(states, 'admitted') - 3).toBe(8);
  });

  it('leave those that answer their part when many come that never do', async () => {
    const lanes = new Lanes(LIMITS);
    await trust(lanes, 'alive');
    const fresh = Array.from({ length: 40 }, (_item, index) => `fresh-${index}`);
    for (const address of fresh) if (lanes.room(address) > 0) enter(lanes, address, 1);
    const alive = enter(lanes, 'alive', 8);
    await settle();
    expect(count(alive, 'admitted')).toBe(8);
  });

  it('claim for no more new addresses at once than half of the total', () => {
    const lanes = new Lanes(LIMITS);
    expect(lanes.isSlow('new')).toBe(true);
    expect(lanes.room('new', LIMITS.total / 2 - 1)).toBe(1);
    expect(lanes.room('new', LIMITS.total / 2)).toBe(0);
  });

  it('admit a new address in its turn while others always have more to send than they may', async () => {
    const lanes = new Lanes(LIMITS);
    for (const address of ['a', 'b']) await trust(lanes, address);
    for (const address of ['a', 'b']) enter(lanes, address, 40);
    const [fresh] = [enter(lanes, 'new', 1)];
    for (let left = 0; left < 2; left++) {
      lanes.leave('a', true);
      lanes.leave('b', true);
      await settle();
    }
    expect(fresh).toEqual(['admitted']);
  });

  it('admit no more to one address than its limit', async () => {
    const lanes = new Lanes(LIMITS);
    await trust(lanes, 'a');
    const states = enter(lanes, 'a', 12);
    await settle();
    expect(count(states, 'admitted')).toBe(8);
  });

  it('admit no more to all addresses than the total, and serve in turn who waits', async () => {
    const lanes = new Lanes(LIMITS);
    for (const address of ['a', 'b', 'c', 'd']) await trust(lanes, address);
    const first = ['a', 'b'].map((address) => enter(lanes, address, 12));
    const later = ['c', 'd'].map((address) => enter(lanes, address, 2));
    await settle();
    expect(first.map((states) => count(states, 'admitted'))).toEqual([8, 8]);
    expect(later.map((states) => count(states, 'admitted'))).toEqual([0, 0]);
    for (let i = 0; i < 4; i++) lanes.leave('a', true);
    await settle();
    expect(first.map((states) => count(states, 'admitted'))).toEqual([9, 8]);
    expect(later.map((states) => count(states, 'admitted'))).toEqual([2, 1]);
  });

  it('give back what waits when an answer is late or missing, and go on with one at a time', async () => {
    const lanes = new Lanes(LIMITS);
    await trust(lanes, 'a');
    const states = enter(lanes, 'a', 10);
    await settle();
    for (let i = 0; i < 8; i++) lanes.leave('a', false);
    await settle();
    expect(states).toEqual([...Array(8).fill('admitted'), ...Array(2).fill('given back')]);
    for (const _state of states) lanes.end('a');
    expect(lanes.room('a')).toBe(1);
    const next = enter(lanes, 'a', 2);
    await settle();
    expect(next).toEqual(['admitted', 'given back']);
  });

  it('leave half of the total to addresses that answer', async () => {
    const lanes = new Lanes(LIMITS);
    await trust(lanes, 'alive');
    const dead = Array.from({ length: 20 }, (_item, index) => `dead-${index}`);
    for (const address of dead) {
      enter(lanes, address, 1);
      lanes.leave(address, false);
      lanes.end(address);
    }
    for (const address of dead) if (lanes.room(address) > 0) enter(lanes, address, 1);
    const alive = enter(lanes, 'alive', 2);
    await settle();
    expect(dead.filter((address) => lanes.room(address) > 0)).toEqual([]);
    expect(alive).toEqual(['admitted', 'admitted']);
    lanes.leave('dead-0', true);
    lanes.end('dead-0');
    expect(dead.filter((address) => lanes.room(address) === 1)).not.toEqual([]);
  });

  it('give back all that waits when they are cleared', async () => {
    const lanes = new Lanes(LIMITS);
    await trust(lanes, 'a');
    const states = enter(lanes, 'a', 9);
    lanes.clear();
    await settle();
    expect(states).toEqual([...Array(8).fill('admitted'), 'given back']);
  });

  it('have room for what an address may send soon', async () => {
    const lanes = new Lanes(LIMITS);
    await trust(lanes, 'a');
    expect(lanes.room('a')).toBe(64);
    enter(lanes, 'a', 62);
    expect(lanes.room('a')).toBe(2);
  });
});
