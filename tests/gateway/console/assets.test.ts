/** The consoles load little, and from nowhere else. */
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { inject } from '../harness/inject.ts';
import { startConsole } from './console.ts';

/** The most that a first visit loads, compressed, and the modules of each console. */
const CONSOLES = {
  '/console': { bytesMax: 60_000, modules: 35 },
  '/management/console': { bytesMax: 49_000, modules: 20 },
} as const;

type Home = keyof typeof CONSOLES;
const HOMES = Object.keys(CONSOLES) as Home[];

const COMPRESSED = { 'accept-encoding': 'gzip' };

/** The shell, and the addresses that it names. */
async function load(home: Home) {
  const { gateway, key } = await startConsole();
  const page = await inject(gateway, { url: home, headers: COMPRESSED });
  const text = gunzipSync(page.rawPayload).toString();
  const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
  const assets = addresses.filter((address) => address.startsWith('console/assets/'));
  const files = await Promise.all(
    [...new Set(assets)].map(async (address) => {
      const url = home.replace('console', address);
      const response = await inject(gateway, { url, headers: COMPRESSED });
      return { address, url, response };
    }),
  );
  return { page, text, addresses, files, gateway, key };
}

it.each(HOMES)('%s is small in all, and nothing is left out of the sum', async (home) => {
  const { bytesMax, modules } = CONSOLES[home];
  const { page, files } = await load(home);
  expect(files.length).toBeGreaterThan(modules);
  const sizes = files.map(({ response }) => response.rawPayload.length);
  expect(page.rawPayload.length + sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(bytesMax);
  const names = new Set(files.map(({ address }) => address.split('/').at(-1)));
  const imported = files.flatMap(({ response }) => [
    ...gunzipSync(response.rawPayload)
      .toString()
      .matchAll(/\bfrom\s*['"]\.?\/?([^'"]+)['"]/g),
  ]);
  const missing = imported.map(([, name = '']) => name).filter((name) => !names.has(name));
  expect(missing).toEqual([]);
});

it("/management/console has nothing of the sandbox's, and no module that changes anything but the session", async () => {
  const { files } = await load('/management/console');
  const sources = files.map(({ address, response }) => ({
    name: address.split('/').at(-1),
    source: gunzipSync(response.rawPayload).toString(),
  }));
  expect(sources.filter(({ source }) => source.includes('/sandbox/')).map(({ name }) => name)).toEqual([]);
  const changing = sources.filter(({ source }) => /["'`](POST|PUT|PATCH|DELETE)["'`]/.test(source));
  // It logs out.
  expect(changing.map(({ name }) => name)).toEqual(['api.js']);
});

it.each(HOMES)('%s names no other host, and no address that would change with the folder', async (home) => {
  const { addresses, files } = await load(home);
  expect(addresses.filter((address) => /^(?:[a-z]+:|\/)/.test(address))).toEqual([]);
  for (const { address, response } of files) {
    const source = gunzipSync(response.rawPayload).toString();
    const hosts = [...source.matchAll(/https?:\/\/([\w.]+)/g)].map(([, host]) => host);
    // Namespaces of XML, which nobody loads.
    expect({ address, hosts: hosts.filter((host) => host !== 'www.w3.org') }).toEqual({ address, hosts: [] });
  }
});

it.each(HOMES)('%s is kept by browsers for good, under an address that changes with the files', async (home) => {
  const { files, gateway } = await load(home);
  for (const { response } of files) {
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  }
  const [first] = files;
  const plain = await inject(gateway, { url: first?.url ?? '' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.rawPayload).toEqual(gunzipSync(first?.response.rawPayload ?? ''));
  const other = await inject(gateway, { url: first?.url.replace(/assets\/[^/]+/, 'assets/other') ?? '' });
  expect(other.statusCode).toBe(404);
});

it.each(HOMES)('%s is a page that holds nothing of anybody and runs nothing inline', async (home) => {
  const { page, text, gateway, key } = await load(home);
  expect(text).not.toContain(key);
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; /);
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
  expect((await inject(gateway, { url: `${home}/` })).headers.location).toBe('../console');
});

it('/console comes with the documents of which its forms are made', async () => {
  const { gateway } = await startConsole();
  for (const [name, title] of [
    ['contract', 'Payments and Payouts API'],
    ['sandbox', 'Sandbox API'],
  ]) {
    const response = await inject(gateway, { url: `/console/${name}.json` });
    expect(response.json().info.title).toContain(title);
    const headers = { 'if-none-match': String(response.headers.etag) };
    expect((await inject(gateway, { url: `/console/${name}.json`, headers })).statusCode).toBe(304);
  }
});

it.each(HOMES)('%s is limited by address like other pages, with problems that its script reads', async (home) => {
  const { gateway } = await startConsole({ limits: { requestsPerSecond: 2 } });
  const responses = await Promise.all(Array.from({ length: 5 }, () => inject(gateway, { url: home })));
  const refused = responses.find(({ statusCode }) => statusCode === 429);
  expect(refused?.json()).toMatchObject({ status: 429 });
});
