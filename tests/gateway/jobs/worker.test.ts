/** What a worker reports when a job fails, and that it continues. */
import { expect, it } from 'vitest';
import { type Job, startWorker } from '../../../gateway/src/jobs/worker.ts';
import { ManualClock } from '../../../gateway/src/platform/clock.ts';
import type { Fields } from '../../../gateway/src/platform/report.ts';
import { START } from '../harness/fixtures.ts';
import { afterwards } from '../harness.ts';

interface Scene extends Partial<Job<string>> {
  /** What is due at once. */
  readonly items: string[];
}

/** Runs a worker until nothing is due. Returns what it has reported, as pairs of message and fields. */
async function run({ items, ...job }: Scene): Promise<[message: string, about: Fields | undefined][]> {
  const reported: [string, Fields | undefined][] = [];
  const clock = new ManualClock(START);
  const due: Job<string> = {
    name: 'test',
    concurrency: 2,
    pollMs: 500,
    nextDue: async () => (items.length > 0 ? START : undefined),
    claim: async (limit) => items.splice(0, limit),
    work: async (item) => {
      if (item.startsWith('bad')) throw new Error(`${item} failed`);
    },
    ...job,
  };
  const worker = startWorker(due, clock, (error, about) => reported.push([(error as Error).message, about]));
  afterwards(() => worker.stop());
  await worker.idle();
  expect(items).toEqual([]);
  return reported;
}

it('a failure is reported with the job, what identifies the item, and what was recorded', async () => {
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

it('a failure that cannot be recorded is reported anyway, and so is the reason', async () => {
  const reported = await run({
    items: ['bad'],
    describe: (item) => ({ item }),
    recordFailure: async () => {
      throw new Error('no database');
    },
  });
  const about = { job: 'test', item: 'bad' };
  expect(reported).toEqual([
    ['bad failed', about],
    ['no database', about],
  ]);
});

it('a claim that fails is reported with the job', async () => {
  let failing = true;
  const items = ['good'];
  const clock = new ManualClock(START);
  const reported: unknown[] = [];
  const job: Job<string> = {
    name: 'test',
    concurrency: 1,
    pollMs: 500,
    nextDue: async () => (items.length > 0 ? START : undefined),
    async claim(limit) {
      if (failing) throw new Error('no database');
      return items.splice(0, limit);
    },
    work: async () => undefined,
  };
  const first = Promise.withResolvers<void>();
  const worker = startWorker(job, clock, (error, about) => {
    reported.push([(error as Error).message, about]);
    first.resolve();
  });
  afterwards(() => worker.stop());
  await first.promise;
  failing = false;
  await worker.idle();
  expect(items).toEqual([]);
  expect(reported).toEqual([['no database', { job: 'test' }]]);
});
