import { describe, expect, it } from 'vitest';
import { type Operation, operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { slug } from '../../../scripts/reference/addresses.ts';
import { toSiteOptions } from '../../../scripts/reference/gateway-page.ts';
import { siteParts } from '../../../scripts/reference/site.ts';

const bundle = readBundle();
const { files: pages } = await siteParts();
const SANDBOX = toSiteOptions('sandbox');
const index = pages['llms.txt'] ?? '';

describe('the Markdown pages', () => {
  it.each([...operations(bundle), ...webhooks(bundle)])('describe $id with its examples', (operation: Operation) => {
    const page = pages[`${operation.id}.md`] ?? '';
    expect(page).toContain(`# ${operation.summary}\n`);
    expect(page).toContain(operation.description.trim());
    for (const { name } of operation.parameters) expect(page).toContain(`\`${name}`);
    const bodies = [
      operation.request,
      ...operation.responses.filter(({ status }) => status < '4').map(({ body }) => body),
    ];
    for (const { value } of bodies.flatMap((body) => body?.examples ?? [])) {
      expect(page).toContain(JSON.stringify(value, null, 2));
    }
  });

  it.each(operations(bundle))('show the call of $id in each language', ({ id }) => {
    for (const block of ['sh [curl]\ncurl', 'typescript [TypeScript]\nimport', 'python [Python]\nimport']) {
      expect(pages[`${id}.md`]).toContain(`\`\`\`${block}`);
    }
  });

  it('name nested fields with their type, whether they are required, and their limits', () => {
    expect(pages['createPayment.md']).toMatch(/\| `customer\.id` \| string \| yes \| 1 to 255 characters \| .+ \(§/);
    expect(pages['createPayment.md']).toMatch(/\| `status` \| `CREATED` or .*`FAILED` \| Always \|/);
  });

  it('list the headers of every webhook', () => {
    expect(pages['paymentSucceeded.md']).toMatch(/\| `webhook-id` \| string \| yes \|/);
  });

  it('name the statuses of a field', () => {
    expect(pages['getPayment.md']).toMatch(/\| `amount_paid` \| .+ \| Only with `SUCCESS` \|/);
    expect(pages['getPayment.md']).toMatch(/\| `finalized_at` \| .+ \| Only with `SUCCESS`, `FAILED` \|/);
  });

  it('have a page for each chapter of the introduction', () => {
    for (const [, title] of bundle.info.description.matchAll(/^# (.*)$/gm)) expect(index).toContain(`- [${title}](`);
  });

  it('are all in the index', () => {
    const listed = [...index.matchAll(/\(\/docs\/([\w-]+\.md)\)/g)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(
      Object.keys(pages)
        .filter((name) => name.endsWith('.md'))
        .toSorted(),
    );
  });

  it('contain no browser-only element', () => {
    for (const [name, page] of Object.entries(pages)) {
      if (name.endsWith('.md')) expect(page, name).not.toMatch(/<(figure|svg|sup|small|span)\b/);
    }
  });
});

describe.each([
  ['of the contract', {}],
  ['of a sandbox', SANDBOX],
  ['with LIVE', toSiteOptions('live')],
])('the reference %s', (_, options) => {
  it('links only to pages and headings that exist', async () => {
    const { files } = await siteParts(options);
    const downloads = [
      ...['openapi.json', 'openapi-lean.json', 'asyncapi.json', 'postman-collection.json', 'changelog-feed.json'],
    ];
    const markdown = Object.entries(files).filter(([name]) => name.endsWith('.md'));
    const dead = markdown.flatMap(([name, text]) =>
      [...withoutCode(text).matchAll(/\]\((?!https?:|\/)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([, page = '', anchor]) => {
        const target = files[page || name];
        if (downloads.includes(page)) return [];
        const anchors = [...(target?.matchAll(/^#+ (.*)$/gm) ?? [])].map(([, title = '']) => slug(title));
        return target !== undefined && (!anchor || anchors.includes(anchor)) ? [] : [`${name}: ${page}#${anchor}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  it("has pages for the gateway's own APIs, and for the sandbox only if it is enabled", async () => {
    const { files } = await siteParts(options);
    expect(Object.keys(files).includes('management-transactions.md')).toBe('apis' in options);
    const tests = Object.entries(files).filter(
      ([name, text]) => /^sandbox/.test(name) || /Test payments|sandbox\.md/.test(text),
    );
    expect(tests.length > 0).toBe(options === SANDBOX);
    if (options === SANDBOX) expect(files['sandbox.md']).toContain('### Test payments');
  });
});

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}
