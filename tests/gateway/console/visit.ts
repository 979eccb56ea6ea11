/** A merchant in the console in a browser: a dedicated gateway, and a page that a login link has opened. */

import type { BrowserContextOptions, Page } from '@playwright/test';
import { expect } from 'vitest';
import { type RunningGateway, startGateway } from '../../../gateway/src/server.ts';
import { openPage } from '../../tools/browser.ts';
import { openBrowser } from '../harness/browser.ts';
import { paymentRequest } from '../harness/fixtures.ts';
import { afterwards } from '../harness.ts';

/** Goes to a page of the console, such as `/payments`, and waits for its heading. */
export type GoTo = (address: string, heading: string) => Promise<void>;

export type Visit = Awaited<ReturnType<typeof visitConsole>>;

/** Opens the console of a new merchant with a login link. Afterwards everything is closed. */
export async function visitConsole(options: BrowserContextOptions = {}) {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  const api = createApi(gateway);
  const watched = await openPage(await openBrowser(), (await api('POST', '/sandbox/console-links')).url, options);
  afterwards(() => watched.page.context().close());
  await headed(watched.page, 'Overview');
  return { ...watched, gateway, api, goTo: createGoTo(watched.page, gateway.url) };
}

export function createGoTo(page: Page, url: string): GoTo {
  return async (address, heading) => {
    await page.goto(`${url}/console#${address}`);
    await headed(page, heading);
  };
}

/** Waits until the page has this heading. */
export function headed(page: Page, heading: string): Promise<void> {
  return page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}

/** Waits until everything is read that the page shows. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('main .loading').count()).toBe(0);
}

/** Calls the gateway with the merchant's key. Throws unless the response is a success. */
function createApi({ url, key }: RunningGateway) {
  const authorization = `Bearer ${key}`;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of many kinds of responses.
  return async (method: string, path: string, body?: object): Promise<any> => {
    const json = body && { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, headers: { authorization }, ...json });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** The example's payment for a test customer, with webhooks to an address that refuses them. */
export function payment(customerId = 'customer-7', changes: Parameters<typeof paymentRequest>[0] = {}) {
  return paymentRequest({ callback_url: 'http://127.0.0.1:9/webhooks', customer: { id: customerId }, ...changes });
}
