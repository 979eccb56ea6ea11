/** Speed of the console in a browser, on a database with many payments. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startGateway } from '../../gateway/src/server.ts';
import { openConsole, settled } from '../gateway/console/visit.ts';
import { afterwards, temporaryFolder } from '../gateway/harness.ts';
import { launchBrowser } from '../tools/browser.ts';
import { seedPayments } from './seed.ts';
import { writeTemplate } from './template.ts';

const PAYMENTS = 100_000;
const FIRST_PAINT_MS_MAX = 500;
const COMPLETE_MS_MAX = 2_000;

it('the console paints within half a second with 100,000 payments, and then shows the newest', async () => {
  const file = join(await temporaryFolder(), 'payments.db');
  const template = await writeTemplate(file);
  seedPayments(template, PAYMENTS);
  const started = await startGateway({ store: file });
  afterwards(() => started.close());
  const gateway = { ...started, key: template.key };
  const browser = await launchBrowser();
  afterwards(() => browser.close());
  const { page } = await openConsole(browser, gateway);
  const times: Record<string, { paint: number; complete: number }> = {};
  for (const address of ['/', '/payments', '/ledger?currency=INR', '/events']) {
    // A first visit, with an empty cache.
    const fresh = await browser.newContext({ storageState: await page.context().storageState() });
    const visitor = await fresh.newPage();
    await visitor.goto(`${gateway.url}/console#${address}`);
    await visitor.locator('main .card').first().waitFor();
    await settled(visitor);
    const [paint = 0, complete = 0] = await visitor.evaluate<number[]>(
      "[performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()].map(Math.round)",
    );
    times[address] = { paint, complete };
    expect(paint).toBeLessThan(FIRST_PAINT_MS_MAX);
    expect(complete).toBeLessThan(COMPLETE_MS_MAX);
    await fresh.close();
  }
  console.log(times);
}, 180_000);
