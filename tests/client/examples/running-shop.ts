/** Runs the example shop as `npm run shop` does, against a separate gateway, and visits it in a browser. */
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions } from '@playwright/test';
import { systemClock } from '../../../gateway/src/platform/clock.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { fund } from '../../gateway/harness/fixtures.ts';
import { afterwards, startTestGateway } from '../../gateway/harness.ts';
import { Reader } from '../../journeys/tools/reader.ts';
import { openPage, type Watched } from '../../tools/browser.ts';

export interface RunningShop {
  readonly url: string;
  readonly gatewayUrl: string;
  /** The merchant's signing secret. */
  readonly secret: string;
  /** Waits for matching output of the shop. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Opens a page of the shop. Requests can reach only the shop and the gateway. */
  visit(browser: Browser, path?: string, options?: BrowserContextOptions): Promise<Watched>;
}

/** Starts both, and stops them after the tests. The merchant has 1,000 INR. */
export async function startShop(validityMinutes?: number): Promise<RunningShop> {
  let gatewayUrl = '';
  const { gateway, merchant, key, secret } = await startTestGateway({
    clock: systemClock,
    callbackAllow: ['127.0.0.0/8'],
    publicUrl: () => gatewayUrl,
  });
  await fund(gateway.store, merchant, 100_000);
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  gatewayUrl = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;

  const reader = new Reader(ROOT, { env: { API_KEY: key, WEBHOOK_SECRET: secret }, node: 'tests' });
  const flags = [
    '--port',
    '0',
    '--url',
    gatewayUrl,
    ...(validityMinutes ? ['--validity', String(validityMinutes)] : []),
  ];
  const { until: printed } = reader.start(`node scripts/shop.ts ${flags.join(' ')}`);
  const [, url = ''] = await printed(/^shop +(\S+)/m);
  return {
    url,
    gatewayUrl,
    secret,
    printed,
    async visit(browser, path = '/', options = {}) {
      const watched = await openPage(browser, url + path, options);
      const context = watched.page.context();
      afterwards(() => context.close());
      await context.route(`${gatewayUrl}/**`, (route) => route.continue());
      return watched;
    },
  };
}
