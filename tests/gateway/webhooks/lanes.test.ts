import { describe, expect, it } from 'vitest';
import { type LanePace, Lanes, type Ticket } from '../../../gateway/src/webhooks/lanes.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';

const LIMITS = { perLane: 8, total: 16, promptMs: 3_000 };
/** Of slow lanes and of new ones, 8 at a time, and 4 for each merchant. */
const OTHER = LIMITS.total / 2;
const OTHER_OF_MERCHANT = LIMITS.total / 4;

const PROMPT = { answered: true, ms: 10 };
const LATE = { answered: true, ms: 3_000 };
const REFUSED = { answered: false, ms: 10 };

type State = 'waits' | 'admitted' | 'given back';

/** Lanes on a clock, with what their user does to them. */
function startLanes() {
  const clock = new ManualClock(START);
  const lanes = new Lanes(LIMITS, () => clock.now());
  const name = (address: string, merchantId = 1) => ({ merchantId, address });
  const paceOf = (address: string, merchantId?: number) => lanes.paceOf(name(address, merchantId), false);
  const mayClaim = (address: string, merchantId?: number) =>
    lanes.mayClaim(name(address, merchantId), paceOf(address, merchantId));
  const claim = (address: string, merchantId?: number) =>
    lanes.claim(name(address, merchantId), paceOf(address, merchantId));

  /** Claims deliveries and lets them enter. */
  function enter(address: string, count: number, merchantId?: number) {
    const states = Array.from({ length: count }, (): State => 'waits');
    const tickets = states.map((_state, index): Ticket => {
      const ticket = claim(address, merchantId);
      lanes.enter(ticket).then((admitted) => {
        states[index] = admitted ? 'admitted' : 'given back';
      });
      return ticket;
    });
    return { states, tickets };
  }

  /** Makes an attempt in a lane from its claim to its end. */
  async function attempt(address: string, end: { answered: boolean; ms: number }, merchantId?: number) {
    const ticket = claim(address, merchantId);
    await lanes.enter(ticket);
    const hung = lanes.leave(ticket, end);
    lanes.end(ticket);
    return hung;
  }

  /** Leads a lane to its full number of attempts by prompt responses. */
  async function trust(address: string, merchantId?: number): Promise<void> {
    for (let i = 0; i < 4; i++) await attempt(address, PROMPT, merchantId);
  }
  return { clock, lanes, name, paceOf, mayClaim, claim, enter, attempt, trust };
}

function count(states: readonly State[], state: State): number {
  return states.filter((one) => one === state).length;
}

/** Lets everything continue that can. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function addresses(prefix: string, length: number): string[] {
  return Array.from({ length }, (_item, index) => `${prefix}-${index}`);
}

describe('a lane', () => {
  it('admits the next one in place of those that end without an attempt', async () => {
    const { lanes, enter, attempt } = startLanes();
    await attempt('a', PROMPT);
    const { states, tickets } = enter('a', 5);
    await settle();
    expect(count(states, 'admitted')).toBe(2);
    for (const ticket of tickets) {
      lanes.end(ticket);
      await settle();
    }
    expect(count(states, 'admitted')).toBe(5);
  });

  it('admits one attempt at first, and twice as many after each prompt response', async () => {
    const { lanes, mayClaim, enter, attempt } = startLanes();
    expect(mayClaim('a')).toBe(true);
    await attempt('a', PROMPT);
    const { states, tickets } = enter('a', 12);
    await settle();
    expect(count(states, 'admitted')).toBe(2);
    lanes.leave(tickets[0] as Ticket, PROMPT);
    await settle();
    expect(count(states, 'admitted')).toBe(5);
    lanes.leave(tickets[1] as Ticket, PROMPT);
    lanes.leave(tickets[2] as Ticket, PROMPT);
    await settle();
    expect(count(states, 'admitted') - 3).toBe(LIMITS.perLane);
  });

  it('claims one delivery until it has responded promptly, and then what it may send soon', async () => {
    const { claim, mayClaim, trust } = startLanes();
    claim('new');
    expect(mayClaim('new')).toBe(false);
    await trust('a');
    for (let claimed = 0; claimed < LIMITS.perLane * 8; claimed++) {
      expect(mayClaim('a')).toBe(true);
      claim('a');
    }
    expect(mayClaim('a')).toBe(false);
  });

  it.each<[string, { answered: boolean; ms: number }, LanePace]>([
    ['responds late', LATE, 'slow'],
    ['does not respond in time', { answered: false, ms: 15_000 }, 'slow'],
    ['refuses quickly', REFUSED, 'unproven'],
  ])('that %s gives back what waits, and continues with one attempt at a time', async (_what, end, pace) => {
    const { lanes, mayClaim, paceOf, enter, trust } = startLanes();
    await trust('a');
    const { states, tickets } = enter('a', 10);
    await settle();
    expect(count(states, 'admitted')).toBe(8);
    lanes.leave(tickets[0] as Ticket, end);
    await settle();
    expect(states.slice(8)).toEqual(['given back', 'given back']);
    for (const ticket of tickets) lanes.end(ticket);
    // The store has it by then.
    const slowInStore = pace === 'slow';
    expect(lanes.paceOf({ merchantId: 1, address: 'a' }, slowInStore)).toBe(pace);
    expect(paceOf('a')).toBe('unproven');
    enter('a', 1);
    expect(mayClaim('a')).toBe(false);
  });

  it('tells whether it hangs when that has changed', async () => {
    const { lanes, name, attempt } = startLanes();
    expect(await attempt('a', PROMPT)).toBeUndefined();
    expect(await attempt('a', LATE)).toBe(true);
    const ticket = lanes.claim(name('a'), lanes.paceOf(name('a'), true));
    expect(ticket.claimedPace).toBe('slow');
    await lanes.enter(ticket);
    expect(lanes.leave(ticket, PROMPT)).toBe(false);
    expect(await attempt('refused', REFUSED)).toBeUndefined();
  });

  it('is not shared with another merchant that has the same address', async () => {
    const { mayClaim, paceOf, enter, trust } = startLanes();
    await trust('a', 1);
    expect([paceOf('a', 1), paceOf('a', 2)]).toEqual(['prompt', 'unproven']);
    enter('a', 1, 2);
    expect([mayClaim('a', 1), mayClaim('a', 2)]).toEqual([true, false]);
  });

  it('gives back all that waits when the lanes are cleared', async () => {
    const { lanes, enter, trust } = startLanes();
    await trust('a');
    const { states } = enter('a', 9);
    lanes.clear();
    await settle();
    expect(states).toEqual([...Array(8).fill('admitted'), 'given back']);
  });
});

describe('an attempt without a response', () => {
  it('gives its slot back after 3 s, and makes its lane slow', async () => {
    const { clock, lanes, paceOf, mayClaim, enter } = startLanes();
    const hanging = addresses('hanging', OTHER_OF_MERCHANT);
    const tickets = hanging.flatMap((address) => enter(address, 1).tickets);
    expect(mayClaim('new')).toBe(false);
    clock.advance(2_999);
    lanes.sweep();
    expect(mayClaim('new')).toBe(false);
    clock.advance(1);
    lanes.sweep();
    expect(mayClaim('new')).toBe(true);
    expect(paceOf('hanging-0')).toBe('slow');
    expect(lanes.leave(tickets[0] as Ticket, { answered: false, ms: 15_000 })).toBe(true);
  });

  it('in a prompt lane lets others continue after 3 s, and what waits behind it goes back', async () => {
    const { clock, lanes, enter, trust } = startLanes();
    for (const address of ['a', 'b', 'c']) await trust(address);
    const hanging = ['a', 'b'].map((address) => enter(address, 9).states);
    const { states } = enter('c', 2);
    await settle();
    expect(states).toEqual(['waits', 'waits']);
    clock.advance(3_000);
    lanes.sweep();
    await settle();
    expect(states).toEqual(['admitted', 'admitted']);
    expect(hanging.map((all) => all[8])).toEqual(['given back', 'given back']);
  });

  it('keeps the slot of a slow lane to its end', async () => {
    const { clock, lanes, name } = startLanes();
    for (const address of addresses('slow', OTHER_OF_MERCHANT)) await lanes.enter(lanes.claim(name(address), 'slow'));
    clock.advance(10_000);
    lanes.sweep();
    expect(lanes.mayClaim(name('other'), 'slow')).toBe(false);
    expect(lanes.mayClaim(name('new'), 'unproven')).toBe(true);
  });
});

describe('slots', () => {
  it('of slow lanes, of new lanes and of prompt ones are apart', async () => {
    const { lanes, name, mayClaim, enter, trust } = startLanes();
    await trust('prompt');
    for (const address of addresses('slow', OTHER_OF_MERCHANT)) lanes.claim(name(address), 'slow');
    expect(mayClaim('new')).toBe(true);
    for (const address of addresses('new', OTHER_OF_MERCHANT)) enter(address, 1);
    expect(mayClaim('newer')).toBe(false);
    const { states } = enter('prompt', 8);
    await settle();
    expect(count(states, 'admitted')).toBe(8);
  });

  it('are given to prompt lanes up to the total, in turn', async () => {
    const { lanes, enter, trust } = startLanes();
    for (const address of ['a', 'b', 'c', 'd']) await trust(address);
    const first = ['a', 'b'].map((address) => enter(address, 12));
    const later = ['c', 'd'].map((address) => enter(address, 2));
    await settle();
    expect(first.map(({ states }) => count(states, 'admitted'))).toEqual([8, 8]);
    expect(later.map(({ states }) => count(states, 'admitted'))).toEqual([0, 0]);
    for (const ticket of first[0]?.tickets.slice(0, 4) ?? []) lanes.leave(ticket, PROMPT);
    await settle();
    expect(first.map(({ states }) => count(states, 'admitted'))).toEqual([9, 8]);
    expect(later.map(({ states }) => count(states, 'admitted'))).toEqual([2, 1]);
  });

  it('go first to the merchant that has the fewest', async () => {
    const { lanes, enter, trust } = startLanes();
    for (const address of ['a', 'b']) await trust(address, 1);
    await trust('c', 2);
    const [a] = ['a', 'b'].map((address) => enter(address, 20, 1));
    const other = enter('c', 8, 2);
    await settle();
    for (const ticket of a?.tickets.slice(0, 6) ?? []) lanes.leave(ticket, PROMPT);
    await settle();
    // Two that every merchant gets, beyond the total, and then all that come free below it.
    expect(count(other.states, 'admitted')).toBe(6);
  });

  it.each<LanePace>(['prompt', 'unproven', 'slow'])(
    'of %s lanes are there for every merchant, whatever the others have taken',
    async (pace) => {
      const { lanes, name } = startLanes();
      for (let merchantId = 1; merchantId <= 20; merchantId++) {
        const tickets = addresses('a', 2).map((address) => {
          expect(lanes.mayClaim(name(address, merchantId), pace)).toBe(true);
          return lanes.claim(name(address, merchantId), pace);
        });
        expect(await Promise.all(tickets.map((ticket) => lanes.enter(ticket)))).toEqual([true, true]);
      }
    },
  );

  it('of new lanes are half of the total, a quarter for one merchant', () => {
    const { lanes, name, mayClaim, claim } = startLanes();
    for (const merchantId of [1, 2]) {
      for (const address of addresses('new', OTHER_OF_MERCHANT)) claim(address, merchantId);
      expect(mayClaim('newer', merchantId)).toBe(false);
    }
    for (let taken = 2 * OTHER_OF_MERCHANT; taken < OTHER; taken++) claim(`third-${taken}`, 3);
    expect(lanes.neediest('unproven', [1, 2])).toBeUndefined();
    expect(lanes.neediest('unproven', [1, 2, 3])).toBe(3);
    expect(lanes.mayClaim(name('slow', 1), 'slow')).toBe(true);
  });

  it('come back when a claim ends that was never attempted', () => {
    const { lanes, mayClaim, claim } = startLanes();
    const tickets = addresses('new', OTHER_OF_MERCHANT).map((address) => claim(address));
    expect(mayClaim('newer')).toBe(false);
    for (const ticket of tickets) lanes.end(ticket);
    expect(mayClaim('newer')).toBe(true);
  });
});
