/** The code of docs/frontends.md equals the runnable code in the folder next to this file. */

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, it, vi } from 'vitest';
import { requestExamples } from '../../../generated/examples.ts';
import { listenOnLoopback } from '../../tools/loopback.ts';
import { openBrowser } from '../harness/browser.ts';
import { afterwards } from '../harness.ts';
import { fixtures } from './frontends/fixture.ts';

const FOLDER = new URL('frontends/', import.meta.url);
const guide = readFileSync(new URL('../../../docs/frontends.md', import.meta.url), 'utf8');

it('the guide has the code of the folder, and no other', () => {
  const names = readdirSync(FOLDER);
  for (const name of names) expect(guide).toContain(`\n${readFileSync(new URL(name, FOLDER), 'utf8')}\`\`\`\n`);
  expect(guide.match(/^```\w/gm)).toHaveLength(names.length);
});

it('the first example prints the balance', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await import('./frontends/start.ts');
  const [[printed] = []] = log.mock.calls;
  log.mockRestore();
  expect(printed).toMatchObject({ balances: expect.any(Array) });
});

it('a story gets a declined payment', async () => {
  const { declinedPayment, parameters } = await import('./frontends/story.ts');
  const { payment } = await declinedPayment();
  expect(payment).toMatchObject({ status: 'FAILED', decline_reason: 'LIMIT_EXCEEDED' });
  expect(parameters.msw.handlers).toHaveLength(1);
});

it('a browser of Playwright gets responses and the payment page from the sandbox', async () => {
  const site = await listenOnLoopback(createServer((_, response) => response.end('<title>Shop</title>')));
  afterwards(() => site.close());
  const page = await (await openBrowser()).newPage();
  afterwards(() => page.close());
  await page.goto(site.url);
  await fixtures.sandbox({ page }, async ({ url, key, webhooks }) => {
    const { body } = requestExamples.createPayment['h2h-upi'];
    const request = { ...body, callback_url: webhooks.url, return_url: `${site.url}/` };
    const created = await page.evaluate(create, { url, key, request });
    await page.goto(created.redirect_url);
    await page.getByRole('heading').first().waitFor();
  });
});

/** Runs in the page, whose origin is another one than the sandbox's. */
async function create({ url, key, request }: { url: string; key: string; request: object }) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/payments`, { method: 'POST', headers, body: JSON.stringify(request) });
  return (await response.json()) as { redirect_url: string };
}
