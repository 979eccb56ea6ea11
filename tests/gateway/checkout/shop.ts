/** A payment page for browsers, and the shop on loopback to which it redirects. */
import { createServer } from 'node:http';
import type { BrowserContextOptions } from '@playwright/test';
import { expect } from 'vitest';
import type { CreatePaymentRequest } from '../../../generated/types.ts';
import { openPage, type Watched } from '../../tools/browser.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import { openBrowser } from '../harness/browser.ts';
import { afterwards } from '../harness.ts';
import { type Checkout, startCheckout, UPI_ANONYMOUS } from './checkout.ts';

export interface Visit extends Watched {
  readonly checkout: Checkout;
  readonly path: string;
  readonly shopUrl: string;
  /** The query of each of the customer's returns to the shop. */
  readonly returned: URLSearchParams[];
  /** Resolves with the query of the customer's next return to the shop. */
  arrival(): Promise<URLSearchParams>;
}

/** Opens the page of a new payment in a browser, closed after the test. */
export async function visit(
  request: Partial<CreatePaymentRequest> = {},
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const shop = await startShop();
  let url = '';
  const checkout = await startCheckout({ publicUrl: () => url });
  url = await checkout.gateway.listen({ port: 0 });
  const path = await checkout.open({ ...UPI_ANONYMOUS, return_url: `${shop.url}/back?cart=7`, ...request });
  const watched = await openPage(await openBrowser(), url + path, options);
  afterwards(() => watched.page.context().close());
  await watched.page.context().route(`${shop.url}/**`, (route) => route.continue());
  return {
    ...watched,
    checkout,
    path,
    shopUrl: shop.url,
    returned: shop.returned,
    async arrival() {
      await watched.page.waitForURL(`${shop.url}/back**`);
      const last = shop.returned.at(-1);
      if (!last) throw new Error('the shop was not reached');
      return last;
    },
  };
}

async function startShop(): Promise<{ url: string; returned: URLSearchParams[] }> {
  const returned: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    if (pathname === '/back') returned.push(searchParams);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><h1>Thank you</h1>');
  });
  const { url, close } = await listenOnLoopback(server);
  afterwards(close);
  return { url, returned };
}

/** Expects requests only to the page's host and the shop, and no errors except refused entries. */
export function expectClean({ foreign, errors, shopUrl }: Visit): void {
  expect(foreign.filter((url) => !url.startsWith(shopUrl))).toEqual([]);
  expect(errors.filter((error) => !error.includes('422'))).toEqual([]);
}
