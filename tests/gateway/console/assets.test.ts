/** The console's files: few bytes, all from this gateway, cached forever. */
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startTestGateway } from '../harness/gateway.ts';
import { inject } from '../harness/inject.ts';

/** Bytes that a first visit loads, compressed. */
const BYTES_MAX = 60_000;

const COMPRESSED = { 'accept-encoding': 'gzip' };

/** The page, and a function that requests files of its gateway. */
async function load() {
  const { gateway, key } = await startTestGateway({ sandbox: true });
  const get = (url: string, headers = {}) => inject(gateway, { url, headers });
  const page = await get('/console', COMPRESSED);
  return { get, key, page, text: gunzipSync(page.rawPayload).toString() };
}

it('the page of the console has no data and no inline scripts', async () => {
  const { get, key, page, text } = await load();
  expect(text).not.toContain(key);
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; /);
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
  expect((await get('/console/')).headers['location']).toBe('../console');
});

it('the console loads all its modules in few bytes, cached forever under an address that changes with the files', async () => {
  const { get, page, text } = await load();
  const addresses = [...text.matchAll(/(?:href|src)="(console\/assets\/[^"]+)"/g)].map(([, address]) => `/${address}`);
  const files = new Map<string, string>();
  let bytes = page.rawPayload.length;
  for (const address of new Set(addresses)) {
    const { statusCode, headers, rawPayload } = await get(address, COMPRESSED);
    expect([statusCode, headers]).toMatchObject([
      200,
      {
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      },
    ]);
    bytes += rawPayload.length;
    files.set(address.slice(address.lastIndexOf('/') + 1), gunzipSync(rawPayload).toString());
  }
  expect(files.size).toBeGreaterThan(20);
  expect(bytes).toBeLessThan(BYTES_MAX);
  const imported = [...files.values()].flatMap((file) => [...file.matchAll(/\bfrom\s*['"]\.?\/?([^'"]+)['"]/g)]);
  expect(imported.map(([, name = '']) => name).filter((name) => !files.has(name))).toEqual([]);

  const [first = ''] = addresses;
  const plain = await get(first);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body).toBe(files.get(first.slice(first.lastIndexOf('/') + 1)));
  expect((await get(first.replace(/assets\/[^/]+/, 'assets/other'))).statusCode).toBe(404);
});
