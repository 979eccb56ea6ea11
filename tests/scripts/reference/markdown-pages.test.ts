import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { addReference } from '../../../gateway/src/http/reference.ts';
import { loadSite, markdownFolder, type Site, serveSite } from '../../../gateway/src/http/site.ts';
import { markdownPages } from '../../../scripts/reference/markdown-pages.ts';
import { SITE_FILE, siteDocument } from '../../../scripts/reference/site.ts';
import { builtSite } from './built-site.ts';

const bundle = readBundle();
const pages = markdownPages(await siteDocument());
const index = pages['llms.txt'] ?? '';

describe('the Markdown pages', () => {
  it.each([...operations(bundle), ...webhooks(bundle)])('describe $id with its examples', (operation: Operation) => {
    const page = pages[`${operation.id}.md`] ?? '';
    expect(page).toContain(`# ${operation.summary}\n`);
    expect(page).toContain(operation.description.trim());
    for (const { name } of operation.parameters) expect(page).toContain(`\`${name}`);
    for (const { value } of operation.request?.examples ?? []) expect(page).toContain(JSON.stringify(value, null, 2));
  });

  it.each(operations(bundle))('list every error of $id with its type, and a command', (operation) => {
    const page = pages[`${operation.id}.md`] ?? '';
    for (const { status, body } of operation.responses.filter((response) => /^[45]/.test(response.status))) {
      for (const { value } of body?.examples ?? []) {
        expect(page).toContain(`| ${status} | \`${(value as { type: string }).type}\` |`);
      }
    }
    expect(page).toContain('```sh\ncurl');
  });

  it('name nested fields with their type, whether they are required, and their basis', () => {
    expect(pages['createPayment.md']).toMatch(/\| `customer\.id` \| string \| yes \| .+ \| Specified: section/);
    expect(pages['createPayment.md']).toMatch(/\| `status` \| `CREATED` or .*`FAILED` \| yes \|/);
  });

  it('describe each decline reason under a heading of its own', () => {
    for (const [name, schema] of Object.entries(bundle.components.schemas)) {
      const reasons = schema.anyOf?.[0]?.['x-decline-reasons'] ?? {};
      for (const [code, { suggested_action }] of Object.entries(reasons)) {
        const section = pages[`${name}.md`]?.split(`\n## ${code}\n`)[1]?.split('\n## ')[0];
        expect(section, code).toContain(suggested_action);
      }
    }
  });

  it('have a page for each chapter of the introduction', () => {
    for (const [, title] of bundle.info.description.matchAll(/^# (.*)$/gm)) expect(index).toContain(`- [${title}](`);
  });

  it('are all in the index, and link only to each other', () => {
    const listed = [...index.matchAll(/\(\/docs\/([\w-]+\.md)\)/g)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(
      Object.keys(pages)
        .filter((name) => name !== 'llms.txt')
        .toSorted(),
    );
    const targets = Object.values(pages).flatMap((page) => [...page.matchAll(/\]\((?!https?:|\/)([^)#]*)/g)]);
    expect(targets.map(([, target = '']) => target).filter((target) => !(target in pages))).toEqual([]);
  });

  it('contain no element that only a browser shows', () => {
    for (const [name, page] of Object.entries(pages)) expect(page, name).not.toMatch(/<(figure|svg|sup|small)\b/);
  });
});

describe('the built site', () => {
  let site: Site;
  beforeAll(async () => {
    await builtSite();
    site = await serveSite({ file: SITE_FILE, port: 0 });
  });
  afterAll(() => site.close());

  it.each([
    ['/llms.txt', 'llms.txt', 'text/plain; charset=utf-8'],
    ['/docs/createPayment.md', 'createPayment.md', 'text/markdown; charset=utf-8'],
  ])('serves %s', async (path, name, type) => {
    const response = await fetch(site.url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    const text = await response.text();
    expect(text).toBe(pages[name]);
    expect(text).toBe(await readFile(join(markdownFolder(SITE_FILE), name), 'utf8'));
  });

  it('is served by the gateway as well', async () => {
    const app = Fastify();
    addReference(app, await loadSite(SITE_FILE, markdownFolder(SITE_FILE)));
    const index = await app.inject('/llms.txt');
    expect([index.statusCode, index.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const page = await app.inject('/docs/paymentFailed.md');
    expect([page.headers['content-type'], page.body]).toEqual([
      'text/markdown; charset=utf-8',
      pages['paymentFailed.md'],
    ]);
    expect((await app.inject('/docs/none.md')).statusCode).toBe(404);
    await app.close();
  });
});
