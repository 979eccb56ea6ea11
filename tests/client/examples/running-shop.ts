/** Runs the example shop as `npm run shop` does, against a separate gateway, and visits it in a browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContextOptions } from '@playwright/test';
import { systemClock } from '../../../gateway/src/platform/clock.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { fund } from '../../gateway/harness/fixtures.ts';
import { afterwards, startTestGateway } from '../../gateway/harness.ts';
import { openPage, type Watched } from '../../tools/browser.ts';

export interface RunningShop {
  readonly url: string;
  readonly gatewayUrl: string;
  /** The merchant's signing secret. */
  readonly secret: string;
  /** Resolves with the next line of the shop that matches, including printed ones. */
  printed(pattern: RegExp): Promise<string>;
  /** Opens a page of the shop. Requests can reach only the shop and the gateway. */
  visit(browser: Browser, path?: string, options?: BrowserContextOptions): Promise<Watched>;
}

/** Starts both, and stops them after the tests. The merchant has 1,000 INR. */
export async function startShop({
  validity,
}: {
  /** Minutes. */
  validity?: number;
} = {}): Promise<RunningShop> {
  let gatewayUrl = '';
  const { gateway, merchant, key, secret } = await startTestGateway({
    clock: systemClock,
    callbackAllow: ['127.0.0.0/8'],
    publicUrl: () => gatewayUrl,
  });
  await fund(gateway.store, merchant, 100_000);
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  gatewayUrl = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;

  const printed = runShop(['--port', '0', '--url', gatewayUrl, ...(validity ? ['--validity', String(validity)] : [])], {
    API_KEY: key,
    WEBHOOK_SECRET: secret,
  });
  const url = (await printed(/^shop /)).split(/\s+/)[1] ?? '';
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

/** Runs the command, and gives access to its output lines. */
function runShop(args: string[], env: Record<string, string>): RunningShop['printed'] {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/shop.ts'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  afterwards(() => {
    child.kill();
    return exited;
  });
  const lines: string[] = [];
  const waiting = new Set<{ pattern: RegExp; resolve: (line: string) => void; reject: (error: Error) => void }>();
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      for (const one of waiting) if (one.pattern.test(line) && waiting.delete(one)) one.resolve(line);
    });
  }
  child.on('close', () => {
    for (const { pattern, reject } of waiting) reject(new Error(`no ${pattern} in:\n${lines.join('\n')}`));
  });
  return (pattern) => {
    const known = lines.find((line) => pattern.test(line));
    return known === undefined
      ? new Promise((resolve, reject) => waiting.add({ pattern, resolve, reject }))
      : Promise.resolve(known);
  };
}
