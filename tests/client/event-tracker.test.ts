import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEventTracker,
  type EventStore,
  judgeState,
  memoryEventStore,
  type TransactionState,
  type Verdict,
} from '../../client/src/webhooks.ts';
import { responseExamples } from '../../generated/examples.ts';

const PAYMENTS = responseExamples.getPayment[200];
const EXAMPLES = {
  EXTRA_DATA_NEEDED: PAYMENTS['extra-data-needed'],
  PAY_CONFIRMATION_NEEDED: PAYMENTS['confirmation-needed'],
  VERIFYING: PAYMENTS.verifying,
  SUCCESS: PAYMENTS.succeeded,
  FAILED: PAYMENTS.declined,
};
type Status = keyof typeof EXAMPLES;

/** A payment's state, as read. */
function read(status: Status, changes: object = {}): TransactionState {
  return { data: { ...EXAMPLES[status], transaction_id: 'pay_1', ...changes } };
}

/** The same state as an event. */
function event(status: Status, id = `evt_${status}`, changes: object = {}): TransactionState {
  return { ...read(status, changes), id };
}

const CLARIFY = event('EXTRA_DATA_NEEDED');
const CONFIRM = event('PAY_CONFIRMATION_NEEDED');
const SUCCESS = event('SUCCESS');

const AGAIN = event('EXTRA_DATA_NEEDED', 'evt_again');
const UNKNOWN = event('VERIFYING', 'evt_unknown', { status: 'ON_ITS_WAY' });
const CONSTRUCTOR = event('VERIFYING', 'evt_constructor', { status: 'constructor' });
const PAYOUT = { data: { ...responseExamples.getPayout[200].succeeded, transaction_id: 'pay_1' }, id: 'evt_2' };
const READ = read('EXTRA_DATA_NEEDED');

const ignore = () => {};
const fail = () => Promise.reject(new Error('no database'));
const tick = () => new Promise((resolve) => setImmediate(resolve));

async function handleAll(states: TransactionState[], tracker = createEventTracker()): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const state of states) verdicts.push(await tracker.handle(state, ignore));
  return verdicts;
}

describe('a tracker', () => {
  it.each<[name: string, states: TransactionState[], verdicts: string]>([
    ['recognizes a second delivery', [CLARIFY, CLARIFY, SUCCESS, CLARIFY], 'new duplicate new duplicate'],
    ['ranks an unknown status before all others', [CONFIRM, UNKNOWN, CONSTRUCTOR], 'new older older'],
    ['accepts known statuses after an unknown one', [UNKNOWN, CONFIRM], 'new new'],
    ['accepts a second request for data', [CLARIFY, AGAIN, CLARIFY, CONFIRM, AGAIN], 'new new duplicate new duplicate'],
    ['recognizes a late request for data', [CONFIRM, AGAIN], 'new older'],
    ['recognizes a final status under another ID', [SUCCESS, event('SUCCESS', 'evt_again')], 'new duplicate'],
    ['separates transactions', [SUCCESS, event('VERIFYING', 'evt_3', { transaction_id: 'pay_2' })], 'new new'],
    ['separates payments from payouts', [SUCCESS, PAYOUT], 'new new'],
    ['recognizes a read of events', [CLARIFY, READ, SUCCESS, read('SUCCESS')], 'new duplicate new duplicate'],
    [
      'accepts a read that asks for other data',
      [CLARIFY, read('EXTRA_DATA_NEEDED', { clarify: ['email'] })],
      'new new',
    ],
    [
      'replaces a read with one event only',
      [READ, CLARIFY, CLARIFY, AGAIN, READ],
      'new duplicate duplicate new duplicate',
    ],
  ])('%s', async (_name, states, verdicts) => {
    expect((await handleAll(states)).join(' ')).toBe(verdicts);
  });

  it('accepts each status once and in order, for any sequence of events', async () => {
    const statuses = ['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'SUCCESS', 'FAILED'] as const;
    const arrival = fc.record({ status: fc.constantFrom(...statuses), isRead: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { maxLength: 12 }), async (arrived) => {
        const verdicts = await handleAll(arrived.map(({ status, isRead }) => (isRead ? read(status) : event(status))));
        const accepted = arrived.filter((_, index) => verdicts[index] === 'new').map(({ status }) => status);
        expect(accepted).toEqual([...new Set(accepted)]);
        const ranks = accepted.map((status) => Math.min(statuses.indexOf(status), 2));
        expect(ranks).toEqual([...new Set(ranks)].toSorted());
        expect(accepted.length > 0).toBe(arrived.length > 0);
      }),
    );
  });
});

describe('handling', () => {
  it('runs the handler for new events only', async () => {
    const tracker = createEventTracker();
    const handled: unknown[] = [];
    for (const one of [SUCCESS, SUCCESS, CLARIFY]) await tracker.handle(one, () => handled.push(one.id));
    expect(handled).toEqual(['evt_SUCCESS']);
  });

  it('runs the handler again after it failed', async () => {
    const tracker = createEventTracker();
    await tracker.handle(CLARIFY, ignore);
    await expect(tracker.handle(SUCCESS, fail)).rejects.toThrow('no database');
    expect(await handleAll([CLARIFY, SUCCESS], tracker)).toEqual(['duplicate', 'new']);
  });

  it('repeats a read after its handler failed, even if its event arrived in another process', async () => {
    const store = memoryEventStore();
    const [one, other] = [createEventTracker({ store }), createEventTracker({ store })];
    const work = Promise.withResolvers<void>();
    const failing = one.handle(READ, () => work.promise);
    await tick();
    expect(await other.handle(CLARIFY, ignore)).toBe('duplicate');
    work.reject(new Error('no database'));
    await expect(failing).rejects.toThrow('no database');
    expect(await one.handle(READ, ignore)).toBe('new');
  });

  it.each([
    ['another delivery', SUCCESS, SUCCESS],
    ['an event of the state that is being read', READ, CLARIFY],
  ])('waits with %s until the handler ends, and fails with it', async (_name, first, second) => {
    for (const fails of [false, true]) {
      const tracker = createEventTracker();
      const work = Promise.withResolvers<void>();
      const ended: string[] = [];
      const deliveries = [first, second, second].map(async (delivery) => {
        ended.push(await tracker.handle(delivery, () => work.promise).catch((error: Error) => error.message));
      });
      await tick();
      expect(ended).toEqual([]);
      if (fails) work.reject(new Error('no database'));
      else work.resolve();
      await Promise.all(deliveries);
      const expected = fails ? ['no database', 'no database', 'no database'] : ['duplicate', 'duplicate', 'new'];
      expect(ended.toSorted()).toEqual(expected);
      expect(await tracker.handle(second, ignore)).toBe(fails ? 'new' : 'duplicate');
    }
  });

  it('waits with another delivery even while the store is busy', async () => {
    const { read: readStored, write } = memoryEventStore();
    const written = Promise.withResolvers<void>();
    const store: EventStore = {
      read: readStored,
      write: async (...change) => {
        const result = await write(...change);
        await written.promise;
        return result;
      },
    };
    const tracker = createEventTracker({ store });
    const first = tracker.handle(SUCCESS, fail);
    await tick();
    const second = tracker.handle(SUCCESS, fail);
    written.resolve();
    const ended = await Promise.allSettled([first, second]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it("doesn't wait for other events and other transactions", async () => {
    const tracker = createEventTracker();
    const never = () => new Promise(() => {});
    for (const other of [CLARIFY, event('SUCCESS', 'evt_2', { transaction_id: 'pay_2' })])
      void tracker.handle(other, never);
    expect(await tracker.handle(AGAIN, ignore)).toBe('new');
    expect(await tracker.handle(SUCCESS, ignore)).toBe('new');
  });
});

describe('a store', () => {
  /** Another process writes between the read and the write. */
  function contested(times: number): EventStore {
    const inner = memoryEventStore();
    let left = times;
    return {
      read: inner.read,
      async write(key, seen, before) {
        if (left-- > 0) {
          const others = await inner.read(key);
          await inner.write(key, judgeState(others, CONFIRM).seen, others);
          return false;
        }
        return inner.write(key, seen, before);
      },
    };
  }

  it('is read again after it refused a write', async () => {
    const tracker = createEventTracker({ store: contested(1) });
    expect(await tracker.handle(CLARIFY, ignore)).toBe('older');
  });

  it('ends the handling with an error if it refuses every write', async () => {
    const tracker = createEventTracker({ store: contested(Number.POSITIVE_INFINITY) });
    await expect(tracker.handle(CLARIFY, ignore)).rejects.toThrow('refused 10 writes');
  });

  it('refuses a write to memory that is based on an older state', () => {
    const { read: readStored, write } = memoryEventStore();
    const seen = { evt_1: 'CREATED' };
    expect([write('payment.pay_1', seen, undefined), write('payment.pay_1', {}, undefined)]).toEqual([true, false]);
    expect(readStored('payment.pay_1')).toBe(seen);
  });

  it('keeps only the last transactions in memory', async () => {
    const store = memoryEventStore({ max: 2 });
    const arriving = ['pay_1', 'pay_2', 'pay_3'].map((id) => event('SUCCESS', `evt_${id}`, { transaction_id: id }));
    await handleAll(arriving, createEventTracker({ store }));
    const kept = ['pay_1', 'pay_2', 'pay_3'].filter((id) => store.read(`payment.${id}`) !== undefined);
    expect(kept).toEqual(['pay_2', 'pay_3']);
  });
});
