/** A merchant in the console in a browser: a dedicated gateway, and a page that a login link has opened. */

import type { BrowserContextOptions, Page } from '@playwright/test';
import { expect } from 'vitest';
import { type RunningGateway, startGateway } from '../../../gateway/src/server.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { openPage, type Watched } from '../../tools/browser.ts';
import { openBrowser } from '../harness/browser.ts';
import { afterwards } from '../harness.ts';

export interface Visit extends Watched {
  readonly gateway: RunningGateway;
  /** Calls the gateway with the merchant's key. */
  readonly api: Api;
  /** Goes to a page of the console, such as `/payments`, and waits for its heading. */
  goTo(address: string, heading: string): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read members of many kinds of responses.
export type Api = (method: string, path: string, body?: unknown) => Promise<any>;

/** Opens the console of a new merchant. Afterwards everything is closed. */
export async function visitConsole(options: BrowserContextOptions = {}): Promise<Visit> {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  return openConsole(gateway, options);
}

/** Opens the console of a gateway's merchant with a login link. */
export async function openConsole(gateway: RunningGateway, options: BrowserContextOptions = {}): Promise<Visit> {
  const api = apiOf(gateway);
  const watched = await openPage(await openBrowser(), (await api('POST', '/sandbox/console-links')).url, options);
  afterwards(() => watched.page.context().close());
  const goTo = async (address: string, heading: string) => {
    await watched.page.goto(`${gateway.url}/console#${address}`);
    await headed(watched.page, heading);
  };
  await headed(watched.page, 'Overview');
  return { ...watched, gateway, api, goTo };
}

/** Waits until the page has this heading. */
export function headed(page: Page, heading: string): Promise<void> {
  return page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}

/** Waits until everything is read that the page shows. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('main .loading').count()).toBe(0);
}

/** Calls a gateway with a key, which is its own merchant's unless another is given. Throws unless the response is a success. */
export function apiOf({ url, key }: RunningGateway): Api {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

let orders = 0;

/** The example's payment for a test customer, with webhooks to an address that refuses them. */
export function payment(customer = 'customer-7', changes: object = {}): object {
  const { body } = requestExamples.createPayment['h2h-upi'];
  return {
    ...body,
    merchant_order_id: `order-${++orders}`,
    callback_url: 'http://127.0.0.1:9/webhooks',
    customer: { ...body.customer, id: customer },
    ...changes,
  };
}

/** The example's payout. */
export function payout(changes: object = {}): object {
  const { body } = requestExamples.createPayout['imps-inr'];
  return { ...body, merchant_order_id: `payout-${++orders}`, callback_url: 'http://127.0.0.1:9/webhooks', ...changes };
}
