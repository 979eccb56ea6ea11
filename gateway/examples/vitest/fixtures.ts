/** Vitest fixtures: one gateway per file, one merchant per test. */

import { type MerchantAccess, type RunningGateway, startGateway } from 'payments-gateway';
import { test as base } from 'vitest';

interface Fixtures {
  gateway: RunningGateway;
  /** A merchant isolated from other tests, including its clock. */
  merchant: MerchantAccess;
}

export const test = base.extend<Fixtures>({
  gateway: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures that it needs from here.
    async ({}, use) => {
      const gateway = await startGateway();
      await use(gateway);
      await gateway.close();
    },
    { scope: 'file' },
  ],
  async merchant({ gateway }, use) {
    await use(await gateway.addMerchant({ available: { INR: 1_000_000 } }));
  },
});
