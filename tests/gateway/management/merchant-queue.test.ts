import { expect, it } from 'vitest';
import { MerchantQueue } from '../../../gateway/src/management/operation.ts';

const refused = { problem: 'rate-limited', headers: { 'retry-after': '1' } };

it("runs work one after the other, each merchant's once, and queues at most 20", async () => {
  const turns = new MerchantQueue('audit');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let running = 0;
  const work = async () => {
    expect(++running).toBe(1);
    await released;
    running -= 1;
  };
  const taken = Array.from({ length: 20 }, (_, index) => turns.take(index, work));
  await expect(turns.take(0, work)).rejects.toMatchObject(refused);
  await expect(turns.take(20, work)).rejects.toMatchObject(refused);
  release();
  await Promise.all(taken);
  await turns.take(20, work);
});

it('failed work yields to the next', async () => {
  const turns = new MerchantQueue('audit');
  const failing = turns.take(1, () => Promise.reject(new Error('broken')));
  const next = turns.take(2, async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
  expect(await turns.take(1, async () => 'again')).toBe('again');
});
