/** The published files: the gateway on Node, in a browser and in a service worker, without a network. */
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { JSHandle } from '@playwright/test';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningSandbox, startSandbox } from '../../../gateway/src/page.ts';
import { buildSandboxFiles } from '../../../scripts/sandbox-files.ts';
import { temporaryFolder } from '../harness.ts';
import { createPayment, openPage, payAndWait, payment, REGISTER, starting, WORKER } from './page.ts';

type StartSandbox = typeof startSandbox;

const DOWNLOAD_MAX = 900_000;
const TEXTS = { '/worker.js': WORKER };

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  await buildSandboxFiles(folder);
});

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
  const alone = await temporaryFolder();
  await copyFile(join(folder, 'sandbox.js'), join(alone, 'sandbox.js'));
  const module = (await import(pathToFileURL(join(alone, 'sandbox.js')).href)) as { startSandbox: StartSandbox };
  await expect(module.startSandbox()).rejects.toThrow(/Put sqlite3\.wasm next to the script, or pass/);
  const sandbox = await module.startSandbox({ wasm: await readFile(join(folder, 'sqlite3.wasm')) });
  await sandbox.close();
});

describe('in a browser', () => {
  it('takes payments without a network', async () => {
    const { page, url, errors } = await openPage(folder, TEXTS);
    const running: JSHandle<RunningSandbox> = await page.evaluateHandle(starting());
    await page.context().setOffline(true);
    await expect(page.evaluate((address) => fetch(address), url)).rejects.toThrow('Failed to fetch');
    const received = await running.evaluate(payAndWait, payment);
    expect(received).toMatchObject({ status: 'SUCCESS', merchant_order_id: payment.merchant_order_id });
    expect(errors()).toEqual([expect.stringContaining('ERR_INTERNET_DISCONNECTED')]);
  });

  it('serves a page from a service worker, with the payment page', async () => {
    const { page, url, errors } = await openPage(folder, TEXTS);
    const key = await page.evaluate<string>(REGISTER);
    await page.reload();
    await page.context().setOffline(true);
    const created = await page.evaluate(createPayment, { body: { ...payment, return_url: `${url}/` }, key });
    expect(created).toMatchObject({ status: 'CREATED' });
    await page.goto(created.redirect_url);
    expect(new URL(page.url()).pathname).toMatch(/^\/payments-api\/checkout\//);
    await page.getByRole('heading').first().waitFor();
    expect(errors()).toEqual([]);
  });
});
