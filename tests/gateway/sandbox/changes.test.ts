import { expect, it } from 'vitest';
import { ManualClock } from '../../../gateway/src/platform/clock.ts';
import { Changes } from '../../../gateway/src/sandbox/changes.ts';
import { World } from '../../../gateway/src/sandbox/world.ts';
import { START } from '../harness/fixtures.ts';
import { openTestSqlite } from '../harness/stores.ts';

it('a follower that reads nothing is disconnected before much waits for it', async () => {
  const world = await World.open(await openTestSqlite(), new ManualClock(START), new AbortController().signal);
  const changes = new Changes(world);
  const stream = changes.follow(1);
  if (!stream) throw new Error('the stream was refused');
  const attempt = { eventId: 'e'.repeat(200), merchantId: 1, transactionId: 't', attempt: 1, outcome: 'failed', ms: 1 };
  for (let sent = 0; sent < 10_000 && !stream.destroyed; sent++) changes.onAttempt(attempt);
  expect(stream.destroyed).toBe(true);
  expect(stream.readableLength).toBeLessThanOrEqual(256 * 1024);
  changes.close();
});
