/** A worker reports a failed job and continues, and accepts dispatched work. */
import { expect, it } from 'vitest';
import { type Fields, type ReportFailure, summarizeError } from '../../../gateway/src/platform/log.ts';
import { type Job, startWorker, type WorkerPermit } from '../../../gateway/src/platform/worker.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';
import { afterwards } from '../harness.ts';

interface TestWorker extends Partial<Job<string>> {
  /** Due items. */
  readonly items?: string[];
  readonly clock?: ManualClock;
  readonly report?: ReportFailure;
}

/** Starts a worker, stopped after the test. By default, its clock never moves, and failures fail the test. */
function startTestWorker({ items = [], clock = new ManualClock(START), report, ...job }: TestWorker) {
  const worker = startWorker<string>(
    {
      name: 'test',
      concurrency: 2,
      pollMs: 500,
      findDue: async () => (items.length > 0 ? START : undefined),
      claim: async (limit) => items.splice(0, limit),
      work: async () => undefined,
      ...job,
    },
    clock,
    report ?? ((error) => expect.fail(String(error))),
  );
  afterwards(() => worker.stop());
  return worker;
}

/** Runs a worker until no item is due. Returns its reports as pairs of message and fields. */
async function run({
  items,
  ...job
}: TestWorker & { items: string[] }): Promise<[message: string, about: Fields | undefined][]> {
  const reported: [string, Fields | undefined][] = [];
  const worker = startTestWorker({
    items,
    work: async (item) => {
      if (item.startsWith('bad')) throw new Error(`${item} failed`);
    },
    report: (error, about) => reported.push([(error as Error).message, about]),
    ...job,
  });
  await worker.idle();
  expect(items).toEqual([]);
  return reported;
}

it('reports a failure with its job, its item and the recorded fields', async () => {
  const reported = await run({
    items: ['good', 'bad 1', 'good', 'bad 2'],
    describe: (item) => ({ item }),
    recordFailure: async (item) => (item === 'bad 1' ? { failures: 7 } : undefined),
  });
  expect(reported).toEqual([
    ['bad 1 failed', { job: 'test', item: 'bad 1', failures: 7 }],
    ['bad 2 failed', { job: 'test', item: 'bad 2' }],
  ]);
});

it.each([
  { case: 'found only that task', found: START, isHeldUp: false },
  { case: 'found only held up items', found: undefined, isHeldUp: true },
])('polls again if a task ended during a poll that $case', async ({ found, isHeldUp }) => {
  const [search, read, done] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const items: string[] = [];
  let task: WorkerPermit<string> | undefined;
  /** The last poll has read the state from before the task's end. */
  let isOutdated = false;
  const worker = startTestWorker({
    async findDue() {
      isOutdated = false;
      if (!task || items.length > 0) return items.length > 0 ? START : undefined;
      search?.resolve();
      await read?.promise;
      isOutdated = true;
      return found;
    },
    isHeldUp: () => isOutdated && isHeldUp,
    claim: async (limit) => (isOutdated ? [] : items.splice(0, limit)),
    work: async () => done?.resolve(),
  });
  await worker.idle();
  task = worker.reserve();
  worker.wake();
  await search?.promise;
  items.push('next');
  task?.release();
  await new Promise((resolve) => setImmediate(resolve));
  read?.resolve();
  await done?.promise;
});

it('reports a failed claim with the job, and claims again', async () => {
  const items = ['good'];
  const results = [() => Promise.reject(new Error('no database')), async () => items.splice(0)];
  const reported = await run({ items, claim: async () => results.shift()?.() ?? [] });
  expect(reported).toEqual([['no database', { job: 'test' }]]);
});

/** A worker without due items until a test adds to `items`. */
function idleWorker(concurrency: number) {
  const items: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const done: string[] = [];
  let looks = 0;
  const worker = startTestWorker({
    items,
    concurrency,
    async findDue() {
      looks += 1;
      return items.length > 0 ? START : undefined;
    },
    async work(item) {
      const gate = Promise.withResolvers<void>();
      gates.set(item, gate);
      await gate.promise;
      done.push(item);
    },
  });
  const finish = (item: string) => gates.get(item)?.resolve();
  return { worker, items, done, finish, looks: () => looks, isWorkedOn: (item: string) => gates.has(item) };
}

it('counts reservations as work until they are released, and then finds the remaining items', async () => {
  const { worker, items, done, finish, looks, isWorkedOn } = idleWorker(2);
  await worker.idle();
  const [first, second] = [worker.reserve(), worker.reserve()];
  expect(worker.reserve()).toBeUndefined();
  items.push('left');
  const before = looks();
  worker.expect(START);
  first?.start('dispatched');
  await new Promise((resolve) => setImmediate(resolve));
  expect([isWorkedOn('left'), looks()]).toEqual([false, before]);
  second?.release();
  await expect.poll(() => isWorkedOn('left')).toBe(true);
  expect(worker.reserve()).toBeUndefined();
  finish('dispatched');
  finish('left');
  await expect.poll(() => done).toEqual(['dispatched', 'left']);
});

it('wakes up early only for an item due before the next poll', async () => {
  const { worker, looks } = idleWorker(1);
  await worker.idle();
  const before = looks();
  worker.expect(START + 500);
  await new Promise((resolve) => setImmediate(resolve));
  expect(looks()).toBe(before);
  worker.expect(START + 499);
  await expect.poll(looks).toBe(before + 1);
});

it('sleeps until an item that is announced during a poll is due', async () => {
  const clock = new ManualClock(START);
  const poll = Promise.withResolvers<undefined>();
  let looks = 0;
  const worker = startTestWorker({ clock, findDue: () => (++looks === 1 ? poll.promise : Promise.resolve(undefined)) });
  worker.expect(START + 400);
  poll.resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(looks).toBe(1);
  clock.advance(400);
  await expect.poll(() => looks).toBe(2);
});

it('waits for reservations and their work when it stops, and makes no more', async () => {
  const { worker, done, finish } = idleWorker(2);
  await worker.idle();
  const permit = worker.reserve();
  let stopped = false;
  const stopping = worker.stop().then(() => {
    stopped = true;
  });
  expect(worker.reserve()).toBeUndefined();
  permit?.start('dispatched');
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  finish('dispatched');
  await stopping;
  expect(done).toEqual(['dispatched']);
});

it.each([
  ['one line', new Error('first\n  second\u0000third'), 'Error: first second third'],
  ['what was thrown in place of an error', 'only text', 'only text'],
  ['no API key', new Error('key sk_test_demo_0123456789abc is unknown'), 'Error: key sk_test_… is unknown'],
  ['no signing secret', new Error('signed with whsec_AAAA+b/c=='), 'Error: signed with whsec_…'],
  [
    'no credentials of a header',
    new Error('sent Authorization: Bearer abc.DEF-123'),
    'Error: sent Authorization: Bearer …',
  ],
  [
    'no credentials of a URL',
    new Error('postgres://me:pass@db.example/x failed'),
    'Error: postgres://…@db.example/x failed',
  ],
])('the summary of an error is %s', (_what, error, summary) => {
  expect(summarizeError(error)).toBe(summary);
});

it('the summary of an error is cut to 300 characters without splitting one', () => {
  const summary = summarizeError(new Error('😀'.repeat(10_000)));
  expect(summary).toHaveLength(300);
  expect(summary.isWellFormed()).toBe(true);
});
