/** The published files: the gateway in a page and in a service worker, and a persistent sandbox through reloads, crashes and failing storage. */
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { JSHandle, Page } from '@playwright/test';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../../gateway/src/page.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { buildSandboxFiles } from '../../../scripts/sandbox-files.ts';
import { servePages } from '../../tools/page-site.ts';
import { openBrowser } from '../harness/browser.ts';
import { afterwards, temporaryFolder } from '../harness.ts';

type Running = JSHandle<RunningSandbox>;

const DOWNLOAD_MAX = 900_000;
const { body: payment } = requestExamples.createPayment['h2h-upi'];

let folder: string;
let worker: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await buildSandboxFiles(folder);
  // The worker of the guide, which also tells its page the key.
  worker = `${await readFile(join(import.meta.dirname, 'frontends/worker.txt'), 'utf8')}
    addEventListener('message', async ({ source }) => source.postMessage((await starting).key));`;
});

/** Opens a page of a server with the files. */
async function openPage() {
  const site = await servePages(folder, { '/worker.js': worker });
  afterwards(() => site.close());
  const context = await (await openBrowser()).newContext();
  afterwards(() => context.close());
  const page = await context.newPage();
  /** Errors on the console, and uncaught ones. */
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(site.url);
  return { page, context, url: site.url, errors };
}

/** Starts a persistent sandbox. The test's compiler would break a function. */
const start = (page: Page, options = "storage: 'shop'"): Promise<Running> =>
  page.evaluateHandle(`import('/sandbox.js').then(({ startSandbox }) => startSandbox({ ${options} }))`);

/** The access to the first merchant. */
const accessOf = (running: Running) => running.evaluate(({ key, secret, webhooks }) => [key, secret, webhooks.url]);

/** Status and body of a request of the first merchant, whose webhooks go to the inbox. */
function send(running: Running, path: string, content?: object) {
  return running.evaluate(
    async ({ fetch, key, webhooks }, { path, content }) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ ...content, ...(path === '/payments' && { callback_url: webhooks.url }) });
      const response = await fetch(path, content ? { method: 'POST', headers, body } : { headers });
      return { status: response.status, body: (await response.json()) as { transaction_id: string } };
    },
    { path, content },
  );
}

const pay = (running: Running, order: string) => send(running, '/payments', { ...payment, merchant_order_id: order });

/** Pays a payment. Returns its ID. */
async function payAndWait(running: Running, order: string): Promise<string> {
  const { transaction_id: id } = (await pay(running, order)).body;
  const waitFor = (status: string) =>
    running.evaluate(({ webhooks }, of) => webhooks.next(of.status as 'SUCCESS', { transactionId: of.id }), {
      status,
      id,
    });
  await waitFor('PAY_CONFIRMATION_NEEDED');
  const confirm_data = { tid: '406112345678', amount: String(payment.amount) };
  await send(running, `/payments/${id}/confirm`, { confirm_data });
  await waitFor('SUCCESS');
  return id;
}

it('the files are a script and SQLite, small enough to be downloaded, and their licenses', async () => {
  const [names, licenses] = [['sandbox.js', 'sqlite3.wasm'], 'sandbox.licenses.txt'];
  expect((await readdir(folder)).sort()).toEqual([...names, licenses].sort());
  const text = await readFile(join(folder, licenses), 'utf8');
  for (const name of ['@noble/hashes', '@sqlite.org/sqlite-wasm']) expect(text).toContain(`${name} `);
  expect(text).not.toContain('License: undefined');
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(join(folder, name))).length));
  expect(sizes.reduce((a, b) => a + b)).toBeLessThan(DOWNLOAD_MAX);
});

it('a script without SQLite next to it says where to put it', async () => {
  const alone = join(await temporaryFolder(), 'sandbox.js');
  await copyFile(join(folder, 'sandbox.js'), alone);
  const module = (await import(pathToFileURL(alone).href)) as { startSandbox: typeof startSandbox };
  await expect(module.startSandbox()).rejects.toThrow(/Put sqlite3\.wasm next to the script, or pass/);
  const sandbox = await module.startSandbox({ wasm: await readFile(join(folder, 'sqlite3.wasm')) });
  await sandbox.close();
});

it('a service worker serves its page without a network, with the payment page', async () => {
  const { page, url, errors } = await openPage();
  const key = await page.evaluate<string>(`(async () => {
    const { serviceWorker } = navigator;
    await serviceWorker.register('/worker.js', { type: 'module' });
    const { active } = await serviceWorker.ready;
    return new Promise((resolve) => {
      serviceWorker.onmessage = ({ data }) => resolve(data);
      active.postMessage('key');
    });
  })()`);
  await page.reload();
  await page.context().setOffline(true);
  const request = { key, body: JSON.stringify({ ...payment, return_url: `${url}/` }) };
  const created = await page.evaluate(async ({ key, body }) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch('/payments-api/payments', { method: 'POST', headers, body });
    return (await response.json()) as { status: string; redirect_url: string };
  }, request);
  expect(created).toMatchObject({ status: 'CREATED' });
  await page.goto(created.redirect_url);
  expect(new URL(page.url()).pathname).toMatch(/^\/payments-api\/checkout\//);
  await page.getByRole('heading').first().waitFor();
  expect(errors).toEqual([]);
});

describe('a persistent sandbox', () => {
  it('has its payments, wallets, access, inbox, clock and timers after a reload', async () => {
    const beginning = (now: string) => `storage: 'shop', seed: 'shop', now: new Date('${now}')`;
    const { page, errors } = await openPage();
    const first = await start(page, beginning('2026-03-02T09:00:00Z'));
    const access = await accessOf(first);
    const id = await payAndWait(first, 'paid');
    await first.evaluate(({ clock }) => clock.freeze(new Date('2026-03-02T10:00:00Z')));
    const { transaction_id: waiting } = (await pay(first, 'waiting')).body;
    await first.evaluate(
      ({ webhooks }, transactionId) => webhooks.next('PAY_CONFIRMATION_NEEDED', { transactionId }),
      waiting,
    );
    const read = (running: Running) =>
      Promise.all([`/payments/${id}`, '/merchant/balance'].map((path) => send(running, path)));
    const before = await read(first);
    expect(before).toMatchObject([{ body: { status: 'SUCCESS' } }, { status: 200 }]);
    await page.reload();
    const second = await start(page, beginning('2030-01-01T00:00:00Z'));
    expect(await accessOf(second)).toEqual(access);
    expect(await read(second)).toEqual(before);
    const failed = await second.evaluate(async ({ clock, webhooks, addMerchant, key }, transactionId) => {
      const { now } = await clock.read();
      await clock.advance('1h');
      const { body } = await webhooks.next('FAILED', { transactionId });
      const other = await addMerchant();
      return { now, body, isOther: other.key !== key };
    }, waiting);
    expect(failed).toMatchObject({
      now: '2026-03-02T10:00:00.000Z',
      body: { decline_reason: 'TIMEOUT_EXPIRED' },
      isOther: true,
    });
    expect(await payAndWait(second, 'next')).not.toBe(id);
    expect(errors).toEqual([]);
  });

  it('has acknowledged payments after a crash of its page', async () => {
    const { page, context, url } = await openPage();
    const created = await pay(await start(page), 'acknowledged');
    expect(created.status).toBe(200);
    const session = await context.newCDPSession(page);
    const crashed = new Promise((resolve) => page.once('crash', resolve));
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    const next = await context.newPage();
    await next.goto(url);
    expect(await send(await start(next), `/payments/${created.body.transaction_id}`)).toMatchObject({ status: 200 });
  });

  it('is taken over by a second page, after which the first one can no longer write', async () => {
    const { page, context, url, errors } = await openPage();
    const first = await start(page);
    const other = await context.newPage();
    await other.goto(url);
    const second = await start(other);
    expect(await accessOf(second)).toEqual(await accessOf(first));
    expect((await pay(first, 'late')).status).toBe(503);
    expect(errors).toEqual([expect.stringContaining("'shop' any more: it was started again elsewhere")]);
    const id = await payAndWait(second, 'next');
    // The first page takes it back.
    await page.reload();
    expect(await send(await start(page), `/payments/${id}`)).toMatchObject({ body: { status: 'SUCCESS' } });
  });

  it('refuses writes after a failure of the storage until the page is reloaded', async () => {
    const { page } = await openPage();
    const first = await start(page);
    expect((await pay(first, 'kept')).status).toBe(200);
    // As a browser without free space does.
    await page.evaluate(`{
      const { put } = IDBObjectStore.prototype;
      globalThis.repair = () => (IDBObjectStore.prototype.put = put);
      IDBObjectStore.prototype.put = function () { this.transaction.abort(); };
    }`);
    expect((await pay(first, 'lost')).status).toBe(503);
    await page.evaluate('repair()');
    expect((await pay(first, 'later')).status).toBe(503);
    await page.reload();
    const second = await start(page);
    expect(await second.evaluate(async ({ payments }) => (await payments.list()).data.length)).toBe(1);
    expect((await pay(second, 'later')).status).toBe(200);
  });

  it('reports at the start that its storage is full or unavailable', async () => {
    const { page, context, url } = await openPage();
    const session = await context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: url, quotaSize: 1 });
    await expect(start(page)).rejects.toThrow("storage: the browser can't keep 'shop': QuotaExceededError");
    await expect(startSandbox({ storage: 'shop' })).rejects.toThrow(
      "storage: 'shop' needs IndexedDB, which only browsers have. Leave `storage` out here.",
    );
  });
});
