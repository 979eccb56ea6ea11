import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEventTracker,
  type EventStore,
  judgeEvent,
  memoryEventStore,
  type Seen,
  type Verdict,
  type WebhookEvent,
} from '../../client/src/webhooks.ts';
import { webhookExamples } from '../../generated/examples.ts';

function event(status: WebhookEvent['status'], id = `evt_${status}`, transaction = 'pay_1'): WebhookEvent {
  const data = { ...webhookExamples.paymentSucceeded.succeeded, transaction_id: transaction };
  return { kind: 'payment', status, id, sentAt: undefined, data } as unknown as WebhookEvent;
}

const CLARIFY = event('EXTRA_DATA_NEEDED');
const CONFIRM = event('PAY_CONFIRMATION_NEEDED');
const SUCCESS = event('SUCCESS');

async function verdicts(events: WebhookEvent[], tracker = createEventTracker()): Promise<Verdict[]> {
  const given: Verdict[] = [];
  for (const one of events) given.push(await tracker.see(one));
  return given;
}

describe('a tracker', () => {
  it('takes events in their order as new', async () => {
    expect(await verdicts([CLARIFY, CONFIRM, SUCCESS])).toEqual(['new', 'new', 'new']);
  });

  it('tells a second delivery, also after later events', async () => {
    expect(await verdicts([CLARIFY, CLARIFY, SUCCESS, CLARIFY])).toEqual(['new', 'duplicate', 'new', 'duplicate']);
  });

  it.each(['ON_ITS_WAY', 'constructor'])('takes the unknown status %s as earlier than any other', async (unknown) => {
    const strange = event(unknown as WebhookEvent['status']);
    expect(await verdicts([CONFIRM, strange])).toEqual(['new', 'older']);
    expect(await verdicts([strange, CONFIRM])).toEqual(['new', 'new']);
  });

  it('takes data that is asked for twice as new, since a service may need more of it', async () => {
    const again = event('EXTRA_DATA_NEEDED', 'evt_again');
    expect(await verdicts([CLARIFY, again, CLARIFY, CONFIRM, again])).toEqual([
      'new',
      'new',
      'duplicate',
      'new',
      'duplicate',
    ]);
    expect(await verdicts([CONFIRM, event('EXTRA_DATA_NEEDED', 'evt_late')])).toEqual(['new', 'older']);
  });

  it('tells the same final status under another id', async () => {
    expect(await verdicts([SUCCESS, event('SUCCESS', 'evt_again')])).toEqual(['new', 'duplicate']);
  });

  it('tells what is older than what it knows', async () => {
    expect(await verdicts([SUCCESS, CONFIRM, CLARIFY, CONFIRM])).toEqual(['new', 'older', 'older', 'duplicate']);
  });

  it('takes nothing after a final status', async () => {
    expect(await verdicts([SUCCESS, event('FAILED')])).toEqual(['new', 'older']);
  });

  it('keeps transactions apart, and payments from payouts of the same id', async () => {
    const payout = { ...SUCCESS, kind: 'payout', id: 'evt_2' } as WebhookEvent;
    expect(await verdicts([SUCCESS, event('CREATED' as 'SUCCESS', 'evt_3', 'pay_2'), payout])).toEqual([
      'new',
      'new',
      'new',
    ]);
  });

  it('takes each status once and only upwards, whatever arrives', async () => {
    const statuses = ['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'SUCCESS', 'FAILED'] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...statuses), { maxLength: 12 }), async (arrived) => {
        const given = await verdicts(arrived.map((status) => event(status)));
        const taken = arrived.filter((_, index) => given[index] === 'new');
        expect(taken).toEqual([...new Set(taken)]);
        expect(taken.map((status) => Math.min(statuses.indexOf(status), 2))).toEqual(
          taken.map((status) => Math.min(statuses.indexOf(status), 2)).toSorted(),
        );
        expect(taken.length > 0).toBe(arrived.length > 0);
      }),
    );
  });
});

describe('handling', () => {
  it('runs the handler for new events only', async () => {
    const tracker = createEventTracker();
    const handled: string[] = [];
    for (const one of [SUCCESS, SUCCESS, CLARIFY]) await tracker.handle(one, () => handled.push(one.id));
    expect(handled).toEqual(['evt_SUCCESS']);
  });

  it('that fails leaves the event new for its next delivery', async () => {
    const tracker = createEventTracker();
    await tracker.handle(CLARIFY, () => {});
    const failing = tracker.handle(SUCCESS, () => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
    expect(await verdicts([CLARIFY, SUCCESS], tracker)).toEqual(['duplicate', 'new']);
  });

  it('of two deliveries at once runs the handler once', async () => {
    const tracker = createEventTracker();
    let runs = 0;
    const given = await Promise.all([1, 2, 3].map(() => tracker.handle(SUCCESS, () => void runs++)));
    expect([runs, given.toSorted()]).toEqual([1, ['duplicate', 'duplicate', 'new']]);
  });

  it.each([
    ['succeeds', ['duplicate', 'duplicate', 'new'], 'duplicate'],
    ['fails', ['no database', 'no database', 'no database'], 'new'],
  ])('of deliveries that arrive while the handler runs ends as it does: it %s', async (_name, expected, afterwards) => {
    const tracker = createEventTracker();
    const work = Promise.withResolvers<void>();
    const ended: string[] = [];
    const deliveries = [SUCCESS, SUCCESS, event('SUCCESS', 'evt_again')].map(async (delivery) => {
      ended.push(await tracker.handle(delivery, () => work.promise).catch((error: Error) => error.message));
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toEqual([]);
    if (afterwards === 'new') work.reject(new Error('no database'));
    else work.resolve();
    await Promise.all(deliveries);
    expect(ended.toSorted()).toEqual(expected);
    expect(await tracker.see(SUCCESS)).toBe(afterwards);
  });

  it('of a delivery that arrives while the store is still busy waits, too', async () => {
    const inner = memoryEventStore();
    const answered = Promise.withResolvers<void>();
    const store: EventStore = {
      read: inner.read,
      async write(...change) {
        const written = await inner.write(...change);
        await answered.promise;
        return written;
      },
    };
    const tracker = createEventTracker({ store });
    const failing = () => Promise.reject(new Error('no database'));
    const first = tracker.handle(SUCCESS, failing);
    await new Promise((resolve) => setImmediate(resolve));
    const second = tracker.handle(SUCCESS, failing);
    answered.resolve();
    const ended = await Promise.allSettled([first, second]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('of other events waits for nobody', async () => {
    const tracker = createEventTracker();
    const never = () => new Promise(() => {});
    void tracker.handle(CONFIRM, never);
    void tracker.handle(event('SUCCESS', 'evt_2', 'pay_2'), never);
    expect(await tracker.handle(SUCCESS, () => {})).toBe('new');
  });
});

describe('a store', () => {
  /** Another process writes between the reading and the writing. */
  function contested(times: number): EventStore {
    const inner = memoryEventStore();
    let left = times;
    return {
      read: inner.read,
      async write(key, seen, before) {
        if (left-- > 0) {
          const others = await inner.read(key);
          await inner.write(key, judgeEvent(others, CONFIRM).seen, others);
          return false;
        }
        return inner.write(key, seen, before);
      },
    };
  }

  it('that refuses a write is read again', async () => {
    const tracker = createEventTracker({ store: contested(1) });
    expect(await tracker.see(CLARIFY)).toBe('older');
  });

  it('that refuses every write ends in an error', async () => {
    const tracker = createEventTracker({ store: contested(Number.POSITIVE_INFINITY) });
    await expect(tracker.see(CLARIFY)).rejects.toThrow('refused 10 writes');
  });

  it('in memory keeps only the last transactions', async () => {
    const store = memoryEventStore({ max: 2 });
    const arriving = ['pay_1', 'pay_2', 'pay_3'].map((id) => event('SUCCESS', `evt_${id}`, id));
    await verdicts(arriving, createEventTracker({ store }));
    const kept = ['pay_1', 'pay_2', 'pay_3'].filter((id) => store.read(`payment.${id}`) !== undefined);
    expect(kept).toEqual(['pay_2', 'pay_3']);
  });

  it('in memory keeps as many as by default when the number is undefined, and refuses NaN', async () => {
    const tracker = createEventTracker({ store: memoryEventStore({ max: undefined }) });
    expect(await verdicts([SUCCESS, SUCCESS], tracker)).toEqual(['new', 'duplicate']);
    expect(() => memoryEventStore({ max: Number.NaN })).toThrow(new TypeError('max is NaN'));
  });

  it('holds plain data', async () => {
    let kept = '';
    const store: EventStore = {
      read: () => (kept ? (JSON.parse(kept) as Seen) : undefined),
      write(_key, seen) {
        kept = JSON.stringify(seen);
        return true;
      },
    };
    expect(await verdicts([CLARIFY, CLARIFY, SUCCESS], createEventTracker({ store }))).toEqual([
      'new',
      'duplicate',
      'new',
    ]);
    expect(JSON.parse(kept)).toEqual({ evt_EXTRA_DATA_NEEDED: 'EXTRA_DATA_NEEDED', evt_SUCCESS: 'SUCCESS' });
  });
});
