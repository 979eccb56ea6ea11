/** The console's files: few bytes, all from this gateway, cached forever. */
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { inject } from '../harness/inject.ts';
import { startConsole } from './console.ts';

/** Bytes that a first visit loads, compressed. */
const BYTES_MAX = 60_000;

const COMPRESSED = { 'accept-encoding': 'gzip' };

/** The shell, and the addresses that it names. */
async function load() {
  const { gateway, key } = await startConsole();
  const page = await inject(gateway, { url: '/console', headers: COMPRESSED });
  const text = gunzipSync(page.rawPayload).toString();
  const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
  const assets = addresses.filter((address) => address.startsWith('console/assets/'));
  const files = await Promise.all(
    [...new Set(assets)].map(async (address) => {
      const url = `/${address}`;
      return { address, url, response: await inject(gateway, { url, headers: COMPRESSED }) };
    }),
  );
  return { page, text, addresses, files, gateway, key };
}

it('loads all imported modules in few bytes', async () => {
  const { page, files } = await load();
  expect(files.length).toBeGreaterThan(20);
  const sizes = files.map(({ response }) => response.rawPayload.length);
  expect(page.rawPayload.length + sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BYTES_MAX);
  const names = new Set(files.map(({ address }) => address.split('/').at(-1)));
  const imported = files.flatMap(({ response }) => [
    ...gunzipSync(response.rawPayload)
      .toString()
      .matchAll(/\bfrom\s*['"]\.?\/?([^'"]+)['"]/g),
  ]);
  const missing = imported.map(([, name = '']) => name).filter((name) => !names.has(name));
  expect(missing).toEqual([]);
});

it('is cached forever, under an address that changes with the files', async () => {
  const { files, gateway } = await load();
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

it('has a page without data and inline scripts', async () => {
  const { page, text, gateway, key } = await load();
  expect(text).not.toContain(key);
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; /);
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
  expect((await inject(gateway, { url: '/console/' })).headers.location).toBe('../console');
});
