/** Playwright fixtures: one gateway per worker, one merchant per test. */
import { test as base } from '@playwright/test';
import { type MerchantAccess, type RunningGateway, startGateway } from 'payments-gateway';

interface TestFixtures {
  /** A merchant isolated from other tests, including its clock. */
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
