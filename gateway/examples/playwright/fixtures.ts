/** Fixtures for Playwright: one gateway for a worker, and a merchant of its own for each test. */
import { test as base } from '@playwright/test';
import { type MerchantAccess, type RunningGateway, startGateway } from 'payments-gateway';

interface TestFixtures {
  /** A merchant that shares nothing with those of other tests: not even the time. */
  merchant: MerchantAccess;
}

interface WorkerFixtures {
  gateway: RunningGateway;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  gateway: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that it needs from here.
    async ({}, use) => {
      const gateway = await startGateway();
      await use(gateway);
      await gateway.close();
    },
    { scope: 'worker' },
  ],
  async merchant({ gateway }, use) {
    await use(await gateway.addMerchant());
  },
});
