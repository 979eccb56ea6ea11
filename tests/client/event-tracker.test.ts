import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEventTracker,
  type EventStore,
  judgeState,
  memoryEventStore,
  type Seen,
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

async function handleAll(states: TransactionState[], tracker = createEventTracker()): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const state of states) verdicts.push(await tracker.handle(state, () => {}));
  return verdicts;
}

describe('a tracker', () => {
  it('recognizes a second delivery, even after later events', async () => {
    expect(await handleAll([CLARIFY, CLARIFY, SUCCESS, CLARIFY])).toEqual(['new', 'duplicate', 'new', 'duplicate']);
  });

  it.each(['ON_ITS_WAY', 'constructor'])('ranks the unknown status %s before all others', async (unknown) => {
    const strange = event('VERIFYING', 'evt_strange', { status: unknown });
    expect(await handleAll([CONFIRM, strange])).toEqual(['new', 'older']);
    expect(await handleAll([strange, CONFIRM])).toEqual(['new', 'new']);
  });

  it('accepts a second request for data as new', async () => {
    const again = event('EXTRA_DATA_NEEDED', 'evt_again');
    expect(await handleAll([CLARIFY, again, CLARIFY, CONFIRM, again])).toEqual([
      'new',
      'new',
      'duplicate',
      'new',
      'duplicate',
    ]);
    expect(await handleAll([CONFIRM, event('EXTRA_DATA_NEEDED', 'evt_late')])).toEqual(['new', 'older']);
  });

  it('recognizes the same final status under another ID', async () => {
    expect(await handleAll([SUCCESS, event('SUCCESS', 'evt_again')])).toEqual(['new', 'duplicate']);
  });

  it('separates transactions, and payments from payouts with the same ID', async () => {
    const payout = { data: { ...responseExamples.getPayout[200].succeeded, transaction_id: 'pay_1' }, id: 'evt_2' };
    const other = event('VERIFYING', 'evt_3', { transaction_id: 'pay_2' });
    expect(await handleAll([SUCCESS, other, payout])).toEqual(['new', 'new', 'new']);
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

describe('a read', () => {
  const CLARIFY_EMAIL = { clarify: ['email'] };

  it('is a duplicate of the event with the same content', async () => {
    expect(await handleAll([CLARIFY, read('EXTRA_DATA_NEEDED'), SUCCESS, read('SUCCESS')])).toEqual([
      'new',
      'duplicate',
      'new',
      'duplicate',
    ]);
  });

  it('is new if it asks for other data than earlier events', async () => {
    expect(await handleAll([CLARIFY, read('EXTRA_DATA_NEEDED', CLARIFY_EMAIL)])).toEqual(['new', 'new']);
  });

  it('replaces one event with the same content, but not a second one', async () => {
    const again = event('EXTRA_DATA_NEEDED', 'evt_again');
    expect(await handleAll([read('EXTRA_DATA_NEEDED'), CLARIFY, CLARIFY, again, read('EXTRA_DATA_NEEDED')])).toEqual([
      'new',
      'duplicate',
      'duplicate',
      'new',
      'duplicate',
    ]);
  });

  it('is new again after its handler failed, even if its event arrived in another process', async () => {
    const store = memoryEventStore();
    const [one, other] = [createEventTracker({ store }), createEventTracker({ store })];
    const work = Promise.withResolvers<void>();
    const failing = one.handle(read('EXTRA_DATA_NEEDED'), () => work.promise);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await other.handle(CLARIFY, () => {})).toBe('duplicate');
    work.reject(new Error('no database'));
    await expect(failing).rejects.toThrow('no database');
    expect(await one.handle(read('EXTRA_DATA_NEEDED'), () => {})).toBe('new');
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
    await tracker.handle(CLARIFY, () => {});
    const failing = tracker.handle(SUCCESS, () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
    expect(await handleAll([CLARIFY, SUCCESS], tracker)).toEqual(['duplicate', 'new']);
  });

  it('runs the handler once for concurrent deliveries', async () => {
    const tracker = createEventTracker();
    let runs = 0;
    const verdicts = await Promise.all([1, 2, 3].map(() => tracker.handle(SUCCESS, () => void runs++)));
    expect([runs, verdicts.toSorted()]).toEqual([1, ['duplicate', 'duplicate', 'new']]);
  });

  it('runs the handlers of two requests for data at the same time', async () => {
    const tracker = createEventTracker();
    const first = Promise.withResolvers<void>();
    const handled: string[] = [];
    const running = tracker.handle(CLARIFY, () => first.promise.then(() => handled.push('first')));
    const again = event('EXTRA_DATA_NEEDED', 'evt_again');
    expect(await tracker.handle(again, () => handled.push('second'))).toBe('new');
    first.resolve();
    expect(await running).toBe('new');
    expect(handled).toEqual(['second', 'first']);
  });

  it.each([
    ['another delivery', SUCCESS, SUCCESS],
    ['an event of the state that is being read', read('EXTRA_DATA_NEEDED'), CLARIFY],
  ])('waits with %s until the handler ends, and fails with it', async (_name, first, second) => {
    for (const fails of [false, true]) {
      const tracker = createEventTracker();
      const work = Promise.withResolvers<void>();
      const ended: string[] = [];
      const deliveries = [first, second, second].map(async (delivery) => {
        ended.push(await tracker.handle(delivery, () => work.promise).catch((error: Error) => error.message));
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(ended).toEqual([]);
      if (fails) work.reject(new Error('no database'));
      else work.resolve();
      await Promise.all(deliveries);
      const expected = fails ? ['no database', 'no database', 'no database'] : ['duplicate', 'duplicate', 'new'];
      expect(ended.toSorted()).toEqual(expected);
      expect(await tracker.handle(second, () => {})).toBe(fails ? 'new' : 'duplicate');
    }
  });

  it('waits with another delivery even while the store is busy', async () => {
    const inner = memoryEventStore();
    const written = Promise.withResolvers<void>();
    const store: EventStore = {
      read: inner.read,
      async write(...change) {
        const result = await inner.write(...change);
        await written.promise;
        return result;
      },
    };
    const tracker = createEventTracker({ store });
    const failing = () => Promise.reject(new Error('no database'));
    const first = tracker.handle(SUCCESS, failing);
    await new Promise((resolve) => setImmediate(resolve));
    const second = tracker.handle(SUCCESS, failing);
    written.resolve();
    const ended = await Promise.allSettled([first, second]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it("doesn't wait for other events and other transactions", async () => {
    const tracker = createEventTracker();
    const never = () => new Promise(() => {});
    void tracker.handle(CONFIRM, never);
    void tracker.handle(event('SUCCESS', 'evt_2', { transaction_id: 'pay_2' }), never);
    expect(await tracker.handle(SUCCESS, () => {})).toBe('new');
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
    expect(await tracker.handle(CLARIFY, () => {})).toBe('older');
  });

  it('ends the handling with an error if it refuses every write', async () => {
    const tracker = createEventTracker({ store: contested(Number.POSITIVE_INFINITY) });
    await expect(tracker.handle(CLARIFY, () => {})).rejects.toThrow('refused 10 writes');
  });

  it('refuses a write to memory that is based on an older state', () => {
    const store = memoryEventStore();
    const seen = { evt_1: 'CREATED' };
    expect([store.write('payment.pay_1', seen, undefined), store.write('payment.pay_1', {}, undefined)]).toEqual([
      true,
      false,
    ]);
    expect(store.read('payment.pay_1')).toBe(seen);
  });

  it('keeps only the last transactions in memory', async () => {
    const store = memoryEventStore({ max: 2 });
    const arriving = ['pay_1', 'pay_2', 'pay_3'].map((id) => event('SUCCESS', `evt_${id}`, { transaction_id: id }));
    await handleAll(arriving, createEventTracker({ store }));
    const kept = ['pay_1', 'pay_2', 'pay_3'].filter((id) => store.read(`payment.${id}`) !== undefined);
    expect(kept).toEqual(['pay_2', 'pay_3']);
  });

  it('stores plain data', async () => {
    let kept = '';
    const store: EventStore = {
      read: () => (kept ? (JSON.parse(kept) as Seen) : undefined),
      write(_key, seen) {
        kept = JSON.stringify(seen);
        return true;
      },
    };
    expect(await handleAll([CLARIFY, CLARIFY, SUCCESS], createEventTracker({ store }))).toEqual([
      'new',
      'duplicate',
      'new',
    ]);
    expect(JSON.parse(kept)).toEqual({
      evt_EXTRA_DATA_NEEDED: `EXTRA_DATA_NEEDED ${JSON.stringify(EXAMPLES.EXTRA_DATA_NEEDED.clarify)}`,
      evt_SUCCESS: 'SUCCESS',
    });
  });
});
