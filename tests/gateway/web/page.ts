/** Pages that run the published script, and actions in them. */

import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import type { RunningSandbox } from '../../../gateway/src/page.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { servePages } from '../../tools/page-site.ts';
import { openBrowser } from '../harness/browser.ts';
import { afterwards } from '../harness.ts';

export const { body: payment } = requestExamples.createPayment['h2h-upi'];

export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The site's address, without a trailing slash. */
  readonly url: string;
  /** Errors on the console, and uncaught ones. */
  readonly errors: () => string[];
}

/** Opens a page of a server with the files of a folder and additional texts. */
export async function openPage(folder: string, texts: Readonly<Record<string, string>> = {}): Promise<OpenedPage> {
  const listening = await servePages(folder, texts);
  afterwards(() => listening.close());
  const context = await (await openBrowser()).newContext();
  afterwards(() => context.close());
  const page = await context.newPage();
  const found: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  await page.goto(listening.url);
  return { page, context, url: listening.url, errors: () => found.filter((text) => !text.includes('favicon')) };
}

/** Source of an expression that starts a sandbox. The test's compiler would break a function. */
export const starting = (options = '') =>
  `import('/sandbox.js').then(({ startSandbox }) => startSandbox({ ${options} }))`;

/** The worker of the guide, which also tells its page the key. */
export const WORKER = `${readFileSync(new URL('frontends/worker.txt', import.meta.url), 'utf8')}
addEventListener('message', async ({ source }) => source.postMessage((await starting).key));`;

/** Source of an expression that registers it, and returns the key. */
export const REGISTER = `(async () => {
  const { serviceWorker } = navigator;
  await serviceWorker.register('/worker.js', { type: 'module' });
  const { active } = await serviceWorker.ready;
  return new Promise((resolve) => {
    serviceWorker.onmessage = ({ data }) => resolve(data);
    active.postMessage('key');
  });
})()`;

/** Runs in a page with a service worker. */
export async function createPayment({ body, key }: { body: object; key: string }) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch('/payments-api/payments', { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as { transaction_id: string; redirect_url: string };
}

/** Runs in a page: pays a payment, and returns its state in the last webhook. */
export async function payAndWait(sandbox: RunningSandbox, body: object): Promise<{ transaction_id: string }> {
  const send = async (path: string, content: object) => {
    const headers = { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' };
    const response = await sandbox.fetch(path, { method: 'POST', headers, body: JSON.stringify(content) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { transaction_id: string; amount: number };
  };
  const { transaction_id: id, amount } = await send('/payments', { ...body, callback_url: sandbox.webhooks.url });
  await sandbox.webhooks.next('PAY_CONFIRMATION_NEEDED');
  await send(`/payments/${id}/confirm`, { confirm_data: { tid: '406112345678', amount: String(amount) } });
  return (await sandbox.webhooks.next('SUCCESS')).body;
}
