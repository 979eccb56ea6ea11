/** The walkthroughs' players in the published reference: files of any server, with the sandbox in the page. */
import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { type Site, serveSite } from '../../../scripts/reference/serve-site.ts';
import { buildSite, SITE } from '../../../scripts/reference/site.ts';
import { createWalkthrough, listWalkthroughs } from '../../../scripts/reference/walkthroughs.ts';
import { afterwards } from '../../gateway/harness.ts';
import { listViolations } from '../../tools/axe.ts';
import { launchBrowser, openPage } from '../../tools/browser.ts';
import { PHONE, WIDE } from './built-site.ts';

const DECLINED = 'play=h2h-payment&seed=abc&steps=3.fault-wrong_signature.2.decline-LIMIT_EXCEEDED';

let browser: Browser;
let site: Site;
beforeAll(async () => {
  await buildSite();
  site = await serveSite({ folder: SITE, port: 0 });
  browser = await launchBrowser();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

interface Opened {
  page: Page;
  player: Locator;
  /** The sentence about the state. */
  news: Locator;
  errors: string[];
  foreign: string[];
}

/** Opens a walkthrough's page and its player. A link with a state opens the player itself. */
async function open(name: string, query = '', options: BrowserContextOptions = WIDE): Promise<Opened> {
  const watched = await openPage(browser, `${site.url}/docs/getting-started${query && `?${query}`}`, options);
  const { page } = watched;
  afterwards(() => page.context().close());
  const player = page.locator(`#play-${name}`);
  await expect.poll(() => page.evaluate('!!document.querySelector("#app")?.__vue_app__')).toBe(true);
  if (!query) await player.getByRole('button', { name: 'Play it in this page' }).click();
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

it.each(listWalkthroughs())('plays %s to its end, without a network', async (name) => {
  const { steps } = createWalkthrough(readBundle(), name);
  const { page, player, news, errors, foreign } = await open(name);
  await press(player, /^1\. /);
  await page.context().setOffline(true);
  for (let step = 2; step <= steps.length; step++) await press(player, `${step}. `);
  await expect.poll(() => news.textContent()).toContain(`is SUCCESS. All ${steps.length} steps are done.`);
  expect(await player.locator('.drawing .current').textContent()).toBe('SUCCESS');
  expect(await player.locator('.deliveries').textContent()).toMatch(/SUCCESS\s+signature verified/);
  expect([...errors, ...foreign]).toEqual([]);
});

it('shows the effects of a decline and a fault, and a link restores the same state in a new page', async () => {
  const { page, player, news } = await open('h2h-payment', 'play=h2h-payment&seed=abc&steps=3');
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
  const other = await open('h2h-payment', DECLINED);
  const expected = await shown(player);
  // The timeline is read again after the last step.
  await expect.poll(() => shown(other.player)).toEqual(expected);
  expect(await other.player.locator('.drawing .passed').count()).toBeGreaterThan(6);
});

it('goes back a step, and restarts with another seed', async () => {
  const { page, player } = await open('payout', 'play=payout&seed=abc&steps=2');
  await press(player, 'Back');
  expect(new URL(page.url()).search).toBe('?play=payout&seed=abc&steps=1');
  expect(await player.locator('.drawing .current').textContent()).toBe('PROCESSING');
  await press(player, 'Start again');
  expect(new URL(page.url()).search).toMatch(/^\?play=payout&seed=(?!abc)\w+$/);
  expect(await player.locator('.steps li').count()).toBe(0);
});

it("remembers the reader's simulated events and time", async () => {
  const { page, player } = await open('payout', 'play=payout&seed=abc&steps=1');
  const behind = player.getByRole('region', { name: 'Effects' });
  await behind.getByRole('button', { name: '2h later' }).click();
  await settled(player);
  await behind.getByRole('button', { name: 'succeed', exact: true }).click();
  await expect.poll(() => new URL(page.url()).search).toContain('steps=1.later-2h.succeed');
  await expect.poll(() => player.locator('.deliveries').textContent()).toContain('12:00:12 SUCCESS');
});

it('explains an invalid link', async () => {
  const { page } = await openPage(browser, `${site.url}/docs/getting-started?play=nonsense`, WIDE);
  afterwards(() => page.context().close());
  await page.getByText('Use one of: h2h-payment, redirect-payment, payout.').waitFor();
});

it('works with the keyboard alone', async () => {
  const { page, player, news } = await open('payout');
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
] as const)('has no barriers found by axe, and fits, in %s colors (%o)', async (colorScheme, options) => {
  const { page, player } = await open('h2h-payment', DECLINED, { ...options, colorScheme });
  await shown(player);
  for (const summary of await player.locator('.deliveries summary, .steps summary').all()) await summary.click();
  expect(await listViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.viewport.width);
});
