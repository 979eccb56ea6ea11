/** Work due at once stays with the process that wrote it. */
import { expect, it } from 'vitest';
import { paymentRequest, START } from '../harness/fixtures.ts';
import { afterwards, everyChannel, openTestSqlite, SIMULATOR, startTestGateway } from '../harness.ts';

it('a full worker leaves due work in the database, and claims it once it has room', async () => {
  const store = await openTestSqlite();
  const gate = Promise.withResolvers<void>();
  const channels = everyChannel({
    async initiate(...call) {
      await gate.promise;
      return SIMULATOR.initiate(...call);
    },
  });
  const { call, gateway } = await startTestGateway({ store, channels, channelMsMax: 60_000 });
  afterwards(async () => gate.resolve());
  await gateway.idle();
  const pay = async () => (await call('POST', '/payments', paymentRequest())).status;
  expect(await Promise.all(Array.from({ length: 260 }, pay))).toEqual(Array(260).fill(200));
  const count = async (condition: string) =>
    (await store.read.get(`select count(*) as n from transactions where ${condition}`))?.['n'];
  // Work beyond the worker's capacity has no lease.
  expect(await count(`next_attempt_at <= ${START}`)).toBe(4);
  gate.resolve();
  await expect.poll(() => count("status = 'PAY_CONFIRMATION_NEEDED'")).toBe(260);
});
