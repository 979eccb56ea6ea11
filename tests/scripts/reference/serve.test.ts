/** The server of built sites, with a small one. */
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openEnum, readBundle, SAMPLE_KEY } from '../../../contract/src/model.ts';
import { BUILT_ADDRESS, createReference } from '../../../gateway/src/server/reference.ts';
import { serveSite, siteApp } from '../../../scripts/reference/serve-site.ts';
import { afterwards, temporaryFolder } from '../../gateway/harness.ts';
import { writeFiles } from '../../tools/temporary.ts';

const PAGE = `<!DOCTYPE html><script src="/docs/app.js"></script><script>inline()</script><p>${'text '.repeat(100)}</p>`;
const FILES = {
  'docs/index.html': PAGE,
  'docs/createPayment.html': `<p>${BUILT_ADDRESS} ${SAMPLE_KEY}</p>`,
  'docs/createPayment.md': '# Create a payment\n',
  'docs/llms.txt': '# Index\n',
  'docs/assets/chunks/@app.js': 'app()',
  'docs/openapi.json': '{}',
};

async function createSite(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(folder, files);
  return folder;
}

describe('the server of the site', async () => {
  const site = await serveSite({ folder: await createSite(FILES), port: 0 });
  afterwards(() => site.close());
  const get = (path: string, init: RequestInit = {}) => fetch(site.url + path, { redirect: 'manual', ...init });

  it.each([
    ['/docs/', 'docs/index.html', 'text/html; charset=utf-8'],
    ['/docs/createPayment', 'docs/createPayment.html', 'text/html; charset=utf-8'],
    ['/docs/createPayment.html', 'docs/createPayment.html', 'text/html; charset=utf-8'],
    ['/docs/createPayment.md', 'docs/createPayment.md', 'text/markdown; charset=utf-8'],
    ['/llms.txt', 'docs/llms.txt', 'text/plain; charset=utf-8'],
    ['/docs/assets/chunks/@app.js', 'docs/assets/chunks/@app.js', 'text/javascript; charset=utf-8'],
    ['/docs/openapi.json', 'docs/openapi.json', 'application/json'],
  ] as const)('sends at %s the file %s', async (path, file, type) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(await response.text()).toBe(FILES[file]);
  });

  it('redirects from the address of each kind of problem to its section', async () => {
    const { known = [] } = openEnum(readBundle().components.schemas['Problem']?.properties?.['type'] ?? {}) ?? {};
    expect(known).not.toEqual([]);
    for (const type of known) {
      const { pathname } = new URL(String(type));
      const response = await get(pathname);
      const section = `/docs/errors#${pathname.split('/').at(-1)}`;
      expect([response.status, response.headers.get('location')], pathname).toEqual([302, section]);
    }
  });

  it.each([
    ['/docs/other', {}, 404],
    ['/docs/%2e%2e/package.json', {}, 404],
    ['/docs/', { method: 'POST' }, 405],
    ['/docs/', { method: 'HEAD' }, 200],
  ])('responds to %s with %j by %i', async (path, init, status) => {
    expect((await get(path, init)).status).toBe(status);
  });

  it('returns 304 to a client with a current copy', async () => {
    const etag = (await get('/docs/')).headers.get('etag') ?? '';
    expect((await get('/docs/', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('forbids MIME sniffing everywhere, and other pages to frame the pages', async () => {
    for (const path of ['/', '/docs/', '/openapi.json', '/none']) {
      expect((await get(path)).headers.get('x-content-type-options'), path).toBe('nosniff');
    }
    expect((await get('/docs/')).headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  });
});

describe('the reference of a gateway', () => {
  function readerOf(folder: string) {
    const url = () => 'http://gateway.test';
    const site = siteApp(createReference({ url, key: 'sk_test_1', folder: pathToFileURL(`${folder}/`) }));
    return async (path: string, accept = '*/*') => {
      const response = await site.request(path, { headers: { accept } });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
  }

  it("shows the gateway's address and key", async () => {
    const read = readerOf(await createSite(FILES));
    expect((await read('/docs/createPayment')).text).toBe('<p>http://gateway.test sk_test_1</p>');
  });

  it('sends a page for an unknown address only to browsers', async () => {
    const read = readerOf(await createSite(FILES));
    const shown = await read('/docs/nowhere', 'text/html,*/*');
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
    expect(shown.text).toContain('href="/docs/"');
    expect((await read('/docs/nowhere')).headers.get('content-type')).toBe('text/plain; charset=UTF-8');
  });

  it('says that the pages are being built, then shows them and each new build', async () => {
    const folder = await createSite({});
    const read = readerOf(folder);
    for (const [path, type] of [
      ['/docs/', 'text/html; charset=UTF-8'],
      ['/docs/openapi.json', 'text/plain; charset=UTF-8'],
    ] as const) {
      const { status, text, headers } = await read(path);
      expect([status, headers.get('retry-after'), headers.get('content-type')], path).toEqual([503, '5', type]);
      expect(text).toContain('The reference is being built');
    }
    expect([(await read('/openapi.json')).status, (await read('/other')).status]).toEqual([200, 404]);
    await mkdir(join(folder, 'docs'));
    await writeFile(join(folder, 'docs/index.html'), PAGE);
    expect((await read('/docs/')).text).toBe(PAGE);
    await writeFile(join(folder, 'docs/index.html'), 'new');
    await utimes(join(folder, 'docs/index.html'), 1, 1);
    expect((await read('/docs/')).text).toBe('new');
    await rm(join(folder, 'docs'), { recursive: true });
    expect((await read('/docs/')).status).toBe(503);
  });
});
