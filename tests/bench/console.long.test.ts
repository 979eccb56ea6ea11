/** Speed of the console in a browser, on a database with many payments. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startGateway } from '../../gateway/src/server.ts';
import { openConsole, settled } from '../gateway/console/visit.ts';
import { afterwards, temporaryFolder } from '../gateway/harness.ts';
import { launchBrowser } from '../tools/browser.ts';
import { seedPayments, writeTemplate } from './seed.ts';

it('the console paints within half a second with 100,000 payments, and then shows the newest', async () => {
  const template = await writeTemplate(join(await temporaryFolder(), 'payments.db'));
  seedPayments(template, 100_000);
  const started = await startGateway({ store: template.file });
  afterwards(() => started.close());
  const browser = await launchBrowser();
  afterwards(() => browser.close());
  const { page } = await openConsole(browser, { ...started, key: template.key });
  for (const address of ['/', '/payments', '/ledger?currency=INR', '/events']) {
    // A first visit, with an empty cache.
    const fresh = await browser.newContext({ storageState: await page.context().storageState() });
    const visitor = await fresh.newPage();
    await visitor.goto(`${started.url}/console#${address}`);
    await visitor.locator('main .card').first().waitFor();
    await settled(visitor);
    const [paintMs, completeMs] = await visitor.evaluate<number[]>(
      "[performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()]",
    );
    expect(paintMs, address).toBeLessThan(500);
    expect(completeMs, address).toBeLessThan(2_000);
    await fresh.close();
  }
}, 180_000);
