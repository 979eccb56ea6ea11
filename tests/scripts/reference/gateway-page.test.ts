/** The second page of the reference, on the sandbox's own operations, as a gateway serves it. */
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addReference, readReference } from '../../../gateway/src/http/reference.ts';
import { buildGatewayPage } from '../../../scripts/reference/gateway-page.ts';
import { launchBrowser, openPage, type Watched } from '../../tools/browser.ts';
import { heading, PATIENT } from './reference-page.ts';

const app = Fastify();
let browser: Awaited<ReturnType<typeof launchBrowser>>;
let origin = '';
let watched: Watched;

beforeAll(async () => {
  await buildGatewayPage();
  const handle = await readReference();
  if (!handle) throw new Error('the reference is not built');
  addReference(app, handle);
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
  browser = await launchBrowser();
  watched = await openPage(browser, `${origin}/docs/sandbox`);
  await heading(watched.page, 'Payments').waitFor({ timeout: PATIENT.timeout });
});
afterAll(async () => {
  await browser?.close();
  await app.close();
});

describe('the page of the sandbox', () => {
  it('has no switch for sources and no link for printing, since it has neither', async () => {
    const { page } = watched;
    await page.locator('[data-testid=search-trigger][role=button]').waitFor({ timeout: PATIENT.timeout });
    expect(await page.locator('.sources-switch, .print-link, .print-note').count()).toBe(0);
  });

  it('names the address of the gateway that sent it', async () => {
    const text = () => watched.page.locator('#redoc').textContent();
    await expect.poll(text, PATIENT).toContain(origin);
    expect(await text()).not.toContain('localhost');
  });

  it('asks no other host and reports no error', () => {
    expect([...watched.foreign, ...watched.errors]).toEqual([]);
  });
});
