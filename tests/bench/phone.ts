/**
 * Time until a phone can use the published reference, with the slow network and processor of Lighthouse's simulation.
 */
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import { serveSite } from '../../scripts/reference/serve-site.ts';
import { buildSite, SITE } from '../../scripts/reference/site.ts';
import { alignedTable } from '../tools/aligned-table.ts';
import { launchBrowser } from '../tools/browser.ts';
import type { Bench } from './part.ts';
import { median } from './table.ts';

const PAGES = ['', 'getting-started', 'createPayment', 'decline-reasons'];
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const;
/** Milliseconds, and bytes per second: 1.6 megabits down, 0.75 up. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const CPU_SLOWDOWN = 4;
/** Long tasks end within this time after the scripts run. */
const QUIET_MS = 500;

/** Milliseconds since the start of the navigation, and transferred bytes. */
interface Visit {
  /** First and largest contentful paint. */
  readonly readable: number;
  /** The page is hydrated: search, menu and forms work. Links work from `readable` on. */
  readonly running: number;
  /** Total blocking time after `readable`: the part of each task beyond 50 ms. */
  readonly blocked: number;
  readonly bytes: number;
}

/** Prints the medians of each page. */
export async function measurePhone({ rounds, say }: Bench): Promise<string> {
  say('phone: building the reference');
  await buildSite();
  const site = await serveSite({ folder: SITE, port: 0 });
  const browser = await launchBrowser();
  try {
    const rows: string[][] = [];
    for (const name of PAGES) {
      say(`phone: /docs/${name}`);
      const visits: Visit[] = [];
      for (let round = 0; round < rounds; round++) visits.push(await visit(browser, `${site.url}/docs/${name}`));
      const of = (key: keyof Visit) => Math.round(median(visits.map((one) => one[key])));
      rows.push([
        `/docs/${name}`,
        `${of('readable')} ms`,
        `${of('running')} ms`,
        `${of('blocked')} ms`,
        `${Math.round(of('bytes') / 1000)} kB`,
      ]);
    }
    return alignedTable(['Page', 'Readable', 'Scripts run', 'Blocked', 'Transferred'], rows);
  } finally {
    await browser.close();
    await site.close();
  }
}

/** Opens an address in a new profile. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const bytes = await slowDown(context, page);
    await page.addInitScript(OBSERVE);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForFunction('observed.running > 0', undefined, { polling: 20 });
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${QUIET_MS}))`);
    return { ...(await page.evaluate<Omit<Visit, 'bytes'>>('summary()')), bytes: bytes() };
  } finally {
    await context.close();
  }
}

/** Throttles network and processor, and counts the bytes received. */
async function slowDown(context: BrowserContext, page: Page): Promise<() => number> {
  const session: CDPSession = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  let total = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    total += encodedDataLength;
  });
  return () => total;
}

/** Runs in the page, before its own scripts. */
const OBSERVE = `
  const observed = (globalThis.observed = { largest: 0, running: 0, tasks: [] });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) observed.largest = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => observed.tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });
  (function check() {
    if (document.querySelector('#app')?.__vue_app__) observed.running = performance.now();
    else setTimeout(check, 5);
  })();
  globalThis.summary = () => {
    const late = observed.tasks.filter(({ startTime }) => startTime > observed.largest);
    const blocked = late.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
    return { readable: observed.largest, running: observed.running, blocked };
  };
`;
