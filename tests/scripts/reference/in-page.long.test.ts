/** The published reference: files of any server, with the sandbox in the page. */
import type { Browser, BrowserContextOptions, Locator } from '@playwright/test';
import { beforeAll, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { type Site, serveSite } from '../../../scripts/reference/serve-site.ts';
import { buildSite, SITE } from '../../../scripts/reference/site.ts';
import { createWalkthrough, listWalkthroughs } from '../../../scripts/reference/walkthroughs.ts';
import { afterwards } from '../../gateway/harness.ts';
import { listenGateway } from '../../packages/client/gateway.ts';
import { listViolations } from '../../tools/axe.ts';
import { launchBrowser, openPage } from '../../tools/browser.ts';
import { PHONE, WIDE } from './built-site.ts';
import { completePayment, follow, locateResponse, openPanel } from './panel.ts';

const DECLINED = 'play=h2h-payment&seed=abc&steps=3.fault-wrong_signature.2.decline-LIMIT_EXCEEDED';

let browser: Browser;
let site: Site;
beforeAll(async () => {
  await buildSite();
  site = await serveSite({ folder: SITE, port: 0 });
  afterwards(() => site.close());
  browser = await launchBrowser();
  afterwards(() => browser.close());
});

async function openSite(path: string, options: BrowserContextOptions = WIDE) {
  const watched = await openPage(browser, site.url + path, options);
  afterwards(() => watched.page.context().close());
  return watched;
}

/** Opens a walkthrough's page and its player. A link with a state opens the player itself. */
async function openPlayer(name: string, query = '', options: BrowserContextOptions = WIDE) {
  const watched = await openSite(`/docs/getting-started${query && `?${query}`}`, options);
  const { page } = watched;
  const player = page.locator(`#play-${name}`);
  await expect.poll(() => page.evaluate('!!document.querySelector("#app")?.__vue_app__')).toBe(true);
  if (!query) await player.getByRole('button', { name: 'Play it in this page' }).click();
  /** The sentence about the state. */
  const news = player.locator('.news');
  await news.waitFor();
  await settled(player);
  return { ...watched, player, news };
}

/** Waits until no action is in progress. */
async function settled(player: Locator): Promise<void> {
  await expect.poll(() => player.locator('.actions [role=status]').first().textContent()).toBe('');
}

async function press(player: Locator, name: RegExp | string): Promise<void> {
  await player.getByRole('button', { name }).click();
  await settled(player);
}

/** The text of a player, without its buttons' labels. */
async function shown(player: Locator): Promise<(string | null)[]> {
  const parts = ['.news', '.deliveries', '.steps', '.behind .timeline', '.drawing .current'];
  await expect.poll(() => player.locator('.behind .timeline li').count()).toBeGreaterThan(0);
  return Promise.all(parts.map((part) => player.locator(part).textContent()));
}

it.each(listWalkthroughs())('the player plays %s to its end, without a network', async (name) => {
  const { steps } = createWalkthrough(readBundle(), name);
  const { page, player, news, errors, foreign } = await openPlayer(name);
  await press(player, /^1\. /);
  await page.context().setOffline(true);
  for (let step = 2; step <= steps.length; step++) await press(player, `${step}. `);
  await expect.poll(() => news.textContent()).toContain(`is SUCCESS. All ${steps.length} steps are done.`);
  expect(await player.locator('.drawing .current').textContent()).toBe('SUCCESS');
  expect(await player.locator('.deliveries').textContent()).toMatch(/SUCCESS\s+signature verified/);
  expect([...errors, ...foreign]).toEqual([]);
});

it('the player shows the effects of a decline and a fault, and a link restores its state in a new page', async () => {
  const { page, player, news } = await openPlayer('h2h-payment', 'play=h2h-payment&seed=abc&steps=3');
  const simulate = async (label: string) => {
    await player.getByLabel('Simulate a problem').selectOption(label);
    await press(player, 'Simulate');
  };
  await simulate('The next webhook first comes with a wrong signature');
  for (const step of ['4. ', '5. ']) await press(player, step);
  await simulate('LIMIT_EXCEEDED');
  expect(await news.textContent()).toMatch(/^The payment is FAILED: LIMIT_EXCEEDED\. \w+/);
  expect(await player.locator('.deliveries').textContent()).toMatch(
    /refused: the signature doesn't match[\s\S]*FAILED/,
  );
  const { search, hash } = new URL(page.url());
  expect([search, hash]).toEqual([`?${DECLINED}`, '#play-h2h-payment']);
  const other = await openPlayer('h2h-payment', DECLINED);
  const expected = await shown(player);
  // The timeline is read again after the last step.
  await expect.poll(() => shown(other.player)).toEqual(expected);
  await press(player, 'Back');
  expect(new URL(page.url()).search).toBe('?play=h2h-payment&seed=abc&steps=3.fault-wrong_signature.2');
});

it('the player works with the keyboard alone', async () => {
  const { page, player, news } = await openPlayer('payout');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('1. Create the payout');
  await page.keyboard.press('Enter');
  await settled(player);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('2. Wait until the payout is completed');
  await player.getByLabel('Simulate a problem').focus();
  await page.keyboard.type('BANK_REJ');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => news.textContent()).toContain('FAILED: BANK_REJECTED');
});

it.each([
  ['light', WIDE],
  ['dark', PHONE],
] as const)('the player has no barriers found by axe, and fits, in %s colors (%o)', async (colorScheme, options) => {
  const { page, player } = await openPlayer('h2h-payment', DECLINED, { ...options, colorScheme });
  await shown(player);
  for (const summary of await player.locator('.deliveries summary, .steps summary').all()) await summary.click();
  expect(await listViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width);
});

it('the panel completes a payment without a network, and keeps it on the next page', async () => {
  const { page, errors } = await openSite('/docs/createPayment');
  const panel = await openPanel(page);
  await panel.getByLabel('customer.id').fill('manual');
  await panel.getByRole('button', { name: 'Send POST' }).click();
  await expect.poll(() => locateResponse(panel).textContent()).toContain('The response matches the contract.');
  await page.context().setOffline(true);
  await completePayment(panel);
  expect(errors).toEqual([]);
  await page.context().setOffline(false);
  await follow(page, page.locator('a[href$="/docs/getPayment.html"]').first(), 'Get a payment');
  const next = await openPanel(page);
  await next.getByRole('button', { name: 'Send GET' }).click();
  await expect.poll(() => locateResponse(next).textContent()).toContain('"SUCCESS"');
});

it("the panel sends to a reader's service, if it allows pages to call it", async () => {
  const [silent, open] = [await listenGateway(), await listenGateway({ corsOrigins: ['*'] })];
  const context = await browser.newContext(WIDE);
  afterwards(() => context.close());
  const page = await context.newPage();
  await page.goto(`${site.url}/docs/getBalance`);
  const panel = await openPanel(page);
  await panel.getByLabel('Send to').selectOption('A service of yours');
  const sendTo = async ({ baseUrl, key }: typeof open) => {
    await panel.getByLabel('API key').fill(key);
    await panel.getByLabel('Base URL').fill(baseUrl);
    await panel.getByRole('button', { name: 'Send GET' }).click();
  };
  await sendTo(silent);
  await expect.poll(() => panel.textContent()).toContain('CORS_ORIGINS');
  await sendTo(open);
  await expect.poll(() => locateResponse(panel).textContent()).toContain('"balances"');
});
