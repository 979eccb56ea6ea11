/** The gateway in a page: the files that are published, on Node, in a browser and in a service worker, without a network. */
import { readFileSync } from 'node:fs';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, JSHandle, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningSandbox, startSandbox } from '../../../gateway/src/start-sandbox.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { buildSandboxFiles } from '../../../scripts/sandbox-files.ts';
import { launchBrowser } from '../../tools/browser.ts';
import { servePages } from '../../tools/page-site.ts';
import { afterwards, temporaryFolder } from '../harness.ts';

type StartSandbox = typeof startSandbox;

const DOWNLOAD_MAX = 900_000;
/** The worker of the guide, which also tells its page the key. */
const WORKER = `${readFileSync(new URL('frontends/worker.txt', import.meta.url), 'utf8')}
addEventListener('message', async ({ source }) => source.postMessage((await starting).key));`;

/** Source of scripts, where the test's own functions would not get through its compiler. */
const START = "import('/sandbox.js').then(({ startSandbox }) => startSandbox())";
const REGISTER = `(async () => {
  const { serviceWorker } = navigator;
  await serviceWorker.register('/worker.js', { type: 'module' });
  const { active } = await serviceWorker.ready;
  return new Promise((resolve) => {
    serviceWorker.onmessage = ({ data }) => resolve(data);
    active.postMessage('key');
  });
})()`;

const { body: payment } = requestExamples.createPayment['h2h-upi'];

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await buildSandboxFiles(folder);
});

describe('the files', () => {
  it('are a script and SQLite, small enough to be downloaded, and the licenses of what is in them', async () => {
    const [names, licenses] = [['sandbox.js', 'sqlite3.wasm'], 'sandbox.licenses.txt'];
    expect((await readdir(folder)).sort()).toEqual([...names, licenses].sort());
    const text = await readFile(join(folder, licenses), 'utf8');
    for (const name of ['@noble/hashes', '@sqlite.org/sqlite-wasm']) expect(text).toContain(`${name} `);
    expect(text).not.toContain('License: undefined');
    const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(join(folder, name))).length));
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(DOWNLOAD_MAX);
  });

  it('have the empty database in the script, so that starts need no migrations', async () => {
    expect(await readFile(join(folder, 'sandbox.js'), 'utf8')).toContain('CREATE TABLE merchants');
  });

  it('run on Node', async () => {
    const module = (await import(pathToFileURL(join(folder, 'sandbox.js')).href)) as { startSandbox: StartSandbox };
    const sandbox = await module.startSandbox({ seed: 'node' });
    afterwards(() => sandbox.close());
    await payAndWait(sandbox, payment);
  });
});

describe('a script without SQLite next to it', () => {
  it('says where to put it', async () => {
    const alone = await temporaryFolder();
    await copyFile(join(folder, 'sandbox.js'), join(alone, 'sandbox.js'));
    const module = (await import(pathToFileURL(join(alone, 'sandbox.js')).href)) as { startSandbox: StartSandbox };
    await expect(module.startSandbox()).rejects.toThrow(/Put sqlite3\.wasm next to the script, or pass/);
    const sandbox = await module.startSandbox({ wasm: await readFile(join(folder, 'sqlite3.wasm')) });
    await sandbox.close();
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('takes payments, with the network cut', async () => {
    const { page, url, errors } = await open(browser);
    const running: JSHandle<RunningSandbox> = await page.evaluateHandle(START);
    await page.context().setOffline(true);
    await expect(page.evaluate((address) => fetch(address), url)).rejects.toThrow('Failed to fetch');
    const received = await running.evaluate(payAndWait, payment);
    expect(received).toMatchObject({ status: 'SUCCESS', merchant_order_id: payment.merchant_order_id });
    expect(errors()).toEqual([expect.stringContaining('ERR_INTERNET_DISCONNECTED')]);
  });

  it('serves a page from a service worker, with the payment page', async () => {
    const { page, url, errors } = await open(browser);
    const key = await page.evaluate<string>(REGISTER);
    await page.reload();
    await page.context().setOffline(true);
    const created = await page.evaluate(create, { body: { ...payment, return_url: `${url}/` }, key });
    expect(created).toMatchObject({ status: 'CREATED' });
    await page.goto(created.redirect_url);
    expect(new URL(page.url()).pathname).toMatch(/^\/payments-api\/checkout\//);
    await page.getByRole('heading').first().waitFor();
    expect(errors()).toEqual([]);
  });
});

/** A page of a server of files. */
async function open(browser: Browser): Promise<{ page: Page; url: string; errors: () => string[] }> {
  const listening = await servePages(folder, { '/worker.js': WORKER });
  afterwards(() => listening.close());
  const context = await browser.newContext();
  afterwards(() => context.close());
  const page = await context.newPage();
  const found: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
  });
  page.on('pageerror', (error) => found.push(error.message));
  await page.goto(listening.url);
  return { page, url: listening.url, errors: () => found.filter((text) => !text.includes('favicon')) };
}

/** Runs in the page. */
async function payAndWait(sandbox: RunningSandbox, body: object): Promise<object> {
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

/** Runs in a page with a service worker. */
async function create({ body, key }: { body: object; key: string }): Promise<{ redirect_url: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch('/payments-api/payments', { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as { redirect_url: string };
}
