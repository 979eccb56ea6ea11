/** The pages of the reference as a gateway serves them: its chapter on test customers, and those of its own APIs. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addReference, readReference } from '../../../gateway/src/http/reference.ts';
import type { GatewayApi } from '../../../gateway/src/wire/gateway-apis.ts';
import { buildGatewayPage } from '../../../scripts/reference/gateway-page.ts';
import { commandsWith } from '../../gateway/commands/run-command.ts';
import { afterwards, temporaryFolder } from '../../gateway/harness.ts';
import { launchBrowser, openPage, type Watched } from '../../tools/browser.ts';
import { startGatewayProcess } from '../../tools/server.ts';
import { heading, PATIENT } from './reference-page.ts';

const app = Fastify();
let browser: Awaited<ReturnType<typeof launchBrowser>>;
let origin = '';

beforeAll(async () => {
  await buildGatewayPage();
  const handle = await readReference({ url: () => origin });
  if (!handle) throw new Error('the reference is not built');
  addReference(app, handle);
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app.close();
});

describe.each([
  ['sandbox', 'Payments'],
  ['admin', 'Transactions'],
] as const satisfies [GatewayApi, string][])('the page of the %s API', (api, first) => {
  let watched: Watched;
  beforeAll(async () => {
    watched = await openPage(browser, `${origin}/docs/${api}`);
    await heading(watched.page, first).waitFor({ timeout: PATIENT.timeout });
  });

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

  it.each([1_200, 1_280, 1_440, 1_920])(
    'shows the address next to the text in a window of %i pixels',
    async (width) => {
      const { page } = watched;
      await page.setViewportSize({ width, height: 800 });
      const panel = page.locator('[data-testid=right-panel]').first();
      const title = page.locator('.api-content h1').first();
      await expect.poll(async () => (await panel.boundingBox())?.x, PATIENT).toBeGreaterThan(width / 2);
      const [right, left] = [await panel.boundingBox(), await title.boundingBox()];
      expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThanOrEqual(width);
      expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0);
    },
  );

  it('asks no other host and reports no error', () => {
    expect([...watched.foreign, ...watched.errors]).toEqual([]);
  });
});

describe('the reference of a gateway', () => {
  const pages = ['/docs', '/docs/print.html', '/llms.txt'];

  async function read(live: boolean) {
    const handle = await readReference({ url: () => origin, live });
    const get = (path: string) => handle?.('GET', path, {});
    return { get, bodies: pages.map((path) => String(get(path)?.body)) };
  }

  it('has a chapter on test customers and a page of the sandbox', async () => {
    const { get, bodies } = await read(false);
    for (const body of bodies) expect(body).toMatch(/Test payments|sandbox\.md/);
    expect(['/docs/sandbox.md', '/docs/sandbox'].map((path) => get(path)?.status)).toEqual([200, 200]);
  });

  it('shows nothing of the sandbox with LIVE', async () => {
    const { get, bodies } = await read(true);
    for (const body of bodies) expect(body).not.toMatch(/Test payments|sandbox\.md/);
    expect(['/docs/sandbox.md', '/docs/sandbox'].map((path) => get(path)?.status)).toEqual([404, 404]);
    expect(get('/docs')?.status).toBe(200);
  });

  it('is the one for LIVE if the command starts with it', async () => {
    const env = {
      ...{ LIVE: 'true', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), PORT: '0', LOG_LEVEL: 'silent' },
      CONFIG: fileURLToPath(new URL('../../gateway/harness/live.config.ts', import.meta.url)),
      DATABASE_FILE: join(await temporaryFolder(), 'live.db'),
    };
    await commandsWith(env)('migrate', '--mode', 'live');
    const server = await startGatewayProcess(env);
    afterwards(() => server.end());
    const statuses = ['/docs', '/docs/sandbox'].map(async (path) => (await fetch(server.url + path)).status);
    expect(await Promise.all(statuses)).toEqual([200, 404]);
  });
});
