import { expect, it } from 'vitest';
import { Changes } from '../../../gateway/src/sandbox/changes.ts';
import { Followers } from '../../../gateway/src/sandbox/followers.ts';
import { SandboxState } from '../../../gateway/src/sandbox/sandbox-state.ts';
import { ManualClock } from '../../tools/manual-clock.ts';
import { START } from '../harness/fixtures.ts';
import { openTestSqlite } from '../harness/stores.ts';

it("a follower that doesn't read is disconnected before much is buffered", async () => {
  const sandboxState = new SandboxState({ store: await openTestSqlite(), clock: new ManualClock(START) });
  const followers = new Followers(new ManualClock(START));
  const changes = new Changes(sandboxState, followers);
  const client = { merchantId: 1, network: '192.0.2.1', isAdmitted: async () => true };
  const stream = changes.follow(client);
  if (!stream) throw new Error('the stream was refused');
  const attempt = { eventId: 'e'.repeat(200), merchantId: 1, transactionId: 't', attempt: 1, outcome: 'failed', ms: 1 };
  for (let sent = 0; sent < 10_000 && !stream.isClosed; sent++) changes.onAttempt(attempt);
  expect(stream.isClosed).toBe(true);
  await expect(stream.readable.getReader().read()).rejects.toThrow('the gateway closed the connection');
  followers.close();
});
