import type { Page } from '@playwright/test';
import { type RunningSandbox, startSandbox } from 'payments-gateway/sandbox';

/** For `test.extend<{ sandbox: RunningSandbox }>(fixtures)`. */
export const fixtures = {
  async sandbox({ page }: { page: Page }, use: (sandbox: RunningSandbox) => Promise<void>) {
    const sandbox = await startSandbox({ url: 'https://payments.example.com' });
    await page.route(`${sandbox.url}/**`, async (route) => {
      const request = route.request();
      const body = request.postDataBuffer();
      const response = await sandbox.fetch(request.url(), {
        method: request.method(),
        headers: await request.allHeaders(),
        ...(body && { body: new Uint8Array(body) }),
      });
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      });
    });
    await use(sandbox);
    await sandbox.close();
  },
};
