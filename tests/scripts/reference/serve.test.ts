import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEnum, readBundle } from '../../../contract/src/model.ts';
import { contentPolicy, type Site, serveSite } from '../../../gateway/src/http/site.ts';
import { SITE_FILE } from '../../../scripts/reference/site.ts';
import { builtSite } from './built-site.ts';

let site: Site;
beforeAll(async () => {
  await builtSite();
  site = await serveSite({ file: SITE_FILE, port: 0 });
});
afterAll(() => site.close());

const get = (path: string, init: RequestInit = {}) => fetch(site.url + path, { redirect: 'manual', ...init });

describe('the server of the site', () => {
  it('listens on loopback unless told otherwise', () => {
    expect(new URL(site.url).hostname).toBe('127.0.0.1');
  });

  it('sends the built page at /docs', async () => {
    const response = await get('/docs');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toBe(await readFile(SITE_FILE, 'utf8'));
  });

  it.each(['/', '/docs/'])('leads from %s to /docs', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
  });

  it('leads from the address of each kind of problem to the chapter on errors', async () => {
    const { known = [] } = openEnum(readBundle().components.schemas['Problem']?.properties?.['type'] ?? {}) ?? {};
    expect(known).not.toEqual([]);
    for (const type of known) {
      const response = await get(new URL(String(type)).pathname);
      expect([response.status, response.headers.get('location')], String(type)).toEqual([302, '/docs#section/Errors']);
    }
  });

  it('sends a page compressed only to readers that accept it', async () => {
    const encodings = async (accepted: string) => {
      const response = await get('/docs', { headers: { 'accept-encoding': accepted } });
      return [response.headers.get('content-encoding'), Number(response.headers.get('content-length'))] as const;
    };
    const [none, size] = await encodings('identity');
    const [gzip, compressed] = await encodings('gzip');
    expect([none, gzip]).toEqual([null, 'gzip']);
    expect(compressed).toBeLessThan(size / 2);
  });

  it('sends the bundle at /openapi.json', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(readBundle());
  });

  it('returns 404 elsewhere, and 405 for methods other than GET and HEAD', async () => {
    expect((await get('/docs/other')).status).toBe(404);
    expect((await get('/docs', { method: 'POST' })).status).toBe(405);
  });

  it('sends no body to HEAD', async () => {
    const response = await get('/docs', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('returns 304 to a client that has the same page already', async () => {
    const etag = (await get('/docs')).headers.get('etag') ?? '';
    expect((await get('/docs', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await get('/docs', { headers: { 'if-none-match': '"old"' } })).status).toBe(200);
  });

  it('forbids guessing of types everywhere', async () => {
    for (const path of ['/', '/docs', '/openapi.json', '/none']) {
      expect((await get(path)).headers.get('x-content-type-options'), path).toBe('nosniff');
    }
  });

  it('permits the scripts of the page by hash, and no other host', async () => {
    const policy = (await get('/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(policy).toBe(contentPolicy(await readFile(SITE_FILE, 'utf8')));
  });

  it('says which port is taken', async () => {
    const port = Number(new URL(site.url).port);
    await expect(serveSite({ file: SITE_FILE, port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken.`);
  });
});
