/** A persistent sandbox in a browser: reloads, crashes, several pages, and failing storage. */
import type { JSHandle, Page } from '@playwright/test';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../../gateway/src/page.ts';
import { buildSandboxFiles } from '../../../scripts/sandbox-files.ts';
import { temporaryFolder } from '../harness.ts';
import { openPage, payAndWait, payment, starting } from './page.ts';

type Running = JSHandle<RunningSandbox>;

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await buildSandboxFiles(folder);
});

const start = (page: Page, options = "storage: 'shop'"): Promise<Running> => page.evaluateHandle(starting(options));

/** The access to the first merchant. */
const accessOf = (running: Running) => running.evaluate(({ key, secret, webhooks }) => [key, secret, webhooks.url]);

/** Status and body of a request of the first merchant. */
function send(running: Running, path: string, content?: object): Promise<{ status: number; body: object }> {
  return running.evaluate(
    async (sandbox, { path, content }) => {
      const headers = { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' };
      const post = { method: 'POST', headers, body: JSON.stringify(content) };
      const response = await sandbox.fetch(path, content ? post : { headers });
      return { status: response.status, body: (await response.json()) as object };
    },
    { path, content },
  );
}

describe('after a reload', () => {
  it('payments, wallets, key, secret and inbox are still there', async () => {
    const { page, errors } = await openPage(folder);
    const first = await start(page);
    const access = await accessOf(first);
    const { transaction_id: id } = await first.evaluate(payAndWait, payment);
    const before = await Promise.all([send(first, `/payments/${id}`), send(first, '/merchant/balance')]);
    expect(before).toMatchObject([{ body: { status: 'SUCCESS' } }, { status: 200 }]);
    await page.reload();
    const second = await start(page);
    expect(await accessOf(second)).toEqual(access);
    expect(await Promise.all([send(second, `/payments/${id}`), send(second, '/merchant/balance')])).toEqual(before);
    const next = await second.evaluate(payAndWait, { ...payment, merchant_order_id: 'next' });
    expect(next.transaction_id).not.toBe(id);
    expect(errors()).toEqual([]);
  });

  it('the clock and its pending timers continue', async () => {
    const beginning = (now: string) => `storage: 'shop', seed: 'shop', now: new Date('${now}')`;
    const { page } = await openPage(folder);
    const first = await start(page, beginning('2026-03-02T09:00:00Z'));
    const id = await first.evaluate(async (sandbox, body) => {
      await sandbox.clock.freeze(new Date('2026-03-02T10:00:00Z'));
      const headers = { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' };
      const content = JSON.stringify({ ...body, callback_url: sandbox.webhooks.url });
      const response = await sandbox.fetch('/payments', { method: 'POST', headers, body: content });
      await sandbox.webhooks.next('PAY_CONFIRMATION_NEEDED');
      return ((await response.json()) as { transaction_id: string }).transaction_id;
    }, payment);
    await page.reload();
    const second = await start(page, beginning('2030-01-01T00:00:00Z'));
    const failed = await second.evaluate(async ({ clock, webhooks, addMerchant, key }, transactionId) => {
      const { now } = await clock.read();
      await clock.advance('1h');
      const { body } = await webhooks.next('FAILED', { transactionId });
      const other = await addMerchant();
      return { now, body, isOther: other.key !== key };
    }, id);
    expect(failed).toMatchObject({
      now: '2026-03-02T10:00:00.000Z',
      body: { decline_reason: 'TIMEOUT_EXPIRED' },
      isOther: true,
    });
  });
});

it('an acknowledged payment outlives the crash of its page', async () => {
  const { page, context, url } = await openPage(folder);
  const first = await start(page);
  const created = await send(first, '/payments', payment);
  expect(created.status).toBe(200);
  const session = await context.newCDPSession(page);
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  const next = await context.newPage();
  await next.goto(url);
  const { transaction_id: id } = created.body as { transaction_id: string };
  expect(await send(await start(next), `/payments/${id}`)).toMatchObject({ status: 200 });
});

it('a second page takes over the sandbox, and the first one can no longer write', async () => {
  const { page, context, url, errors } = await openPage(folder);
  const first = await start(page);
  const other = await context.newPage();
  await other.goto(url);
  const second = await start(other);
  expect(await accessOf(second)).toEqual(await accessOf(first));
  expect((await send(first, '/payments', payment)).status).toBe(503);
  expect(errors()).toEqual([expect.stringContaining("'shop' any more: it was started again elsewhere")]);
  expect((await send(second, '/payments', payment)).status).toBe(200);
  const { transaction_id: id } = await second.evaluate(payAndWait, { ...payment, merchant_order_id: 'next' });
  // The first page takes it back.
  await page.reload();
  const third = await start(page);
  expect(await send(third, `/payments/${id}`)).toMatchObject({ body: { status: 'SUCCESS' } });
});

describe('the storage', () => {
  it('refuses writes after a failure until the page is reloaded', async () => {
    const { page } = await openPage(folder);
    const first = await start(page);
    const pay = (running: Running, order: string) =>
      send(running, '/payments', { ...payment, merchant_order_id: order });
    expect((await pay(first, 'kept')).status).toBe(200);
    // As a browser without free space does.
    const fail = `{
      const { put } = IDBObjectStore.prototype;
      globalThis.repair = () => (IDBObjectStore.prototype.put = put);
      IDBObjectStore.prototype.put = function () { this.transaction.abort(); };
    }`;
    await page.evaluate(fail);
    expect((await pay(first, 'lost')).status).toBe(503);
    await page.evaluate('repair()');
    expect((await pay(first, 'later')).status).toBe(503);
    await page.reload();
    const second = await start(page);
    expect(await second.evaluate(async ({ payments }) => (await payments.list()).data.length)).toBe(1);
    expect((await pay(second, 'later')).status).toBe(200);
  });

  it('reports at the start that it has no room', async () => {
    const { page, context, url } = await openPage(folder);
    const session = await context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: url, quotaSize: 1 });
    await expect(start(page)).rejects.toThrow("storage: the browser can't keep 'shop': QuotaExceededError");
  });

  it('is refused if it is unavailable', async () => {
    await expect(startSandbox({ storage: 'shop' })).rejects.toThrow(
      "storage: 'shop' needs IndexedDB, which only browsers have. Leave `storage` out here.",
    );
  });
});
