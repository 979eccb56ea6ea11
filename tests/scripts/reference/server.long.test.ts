/** The page as a gateway serves it, in a browser. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../gateway/harness.ts';
import { PATIENT, type Reference, startReference } from './reference-page.ts';

const SERVER = { url: 'http://127.0.0.1:4000', description: 'This gateway.' };
let reference: Reference;

beforeAll(async () => {
  const file = join(await temporaryFolder(), 'page.html');
  reference = await startReference({ file, server: SERVER });
});
afterAll(() => reference?.close());

it('shows the address that it is served from, before and after Redoc has drawn it', async () => {
  const page = await reference.open();
  const origin = await page.evaluate<string>('location.origin');
  expect(origin).not.toBe(SERVER.url);
  const servers = page.locator('[data-testid=right-panel]').first();
  expect(await servers.textContent()).toContain(origin);
  await page.locator('[data-testid=search-trigger]').waitFor();
  await expect.poll(() => servers.textContent(), PATIENT).toContain(origin);
  expect(await page.locator('main').textContent()).not.toContain(SERVER.url);
  expect(reference.opened[0]).toMatchObject({ foreign: [], errors: [] });
});
