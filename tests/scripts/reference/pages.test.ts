import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadContract, specified } from '../../../conformance/src/document/contract.ts';
import { reportClause } from '../../../conformance/src/report/clause-text.ts';
import { slug } from '../../../scripts/reference/addresses.ts';
import { changelogFeed } from '../../../scripts/reference/feed.ts';
import { siteSources } from '../../../scripts/reference/gateway-page.ts';
import { siteParts } from '../../../scripts/reference/site.ts';
import { ROOT } from '../../../scripts/tools/process.ts';

const { files, document } = await siteParts();

/** The page and its named heading exist. */
function exists(place: string): boolean {
  const [page = '', anchor] = place.split('#');
  const text = files[page];
  const anchors = [...(text?.matchAll(/^#+ (.*)$/gm) ?? [])].map(([, title = '']) => slug(title));
  return text !== undefined && (anchor === undefined || anchors.includes(anchor));
}

describe('a link of the conformance kit', () => {
  const contract = loadContract(document);
  const pointers = [
    '/paths/~1payments/post',
    '/x-state-machines/payment/transitions/0',
    '/components/schemas/PaymentDeclineReason/anyOf/0/x-decline-reasons/LIMIT_EXCEEDED',
    '/components/schemas/PayoutDeclineReason',
  ];

  it.each([
    ...pointers.map((pointer) => specified('1', pointer)),
    ...document['x-assumptions'].map(({ id }) => contract.assumption(id)),
  ])('leads to a heading that exists: $pointer', (clause) => {
    const { link = '' } = reportClause(contract, clause);
    expect(exists(link.replace(/^.*\/docs\//, '').replace('.html', '.md'))).toBe(true);
  });
});

describe('the pages for a given server', async () => {
  const { files } = await siteParts({ server: { url: 'http://127.0.0.1:1', description: 'This gateway.' } });

  it('begin with a command that works when pasted', () => {
    const [first = ''] = files['getting-started.md']?.split('## Follow a transaction') ?? [];
    expect(first).toContain('export BASE_URL=http://127.0.0.1:1\nexport API_KEY=sk_test_your_key');
    expect(first).toMatch(/^curl "\$\{BASE_URL:-http:\/\/127\.0\.0\.1:1\}\/merchant\/balance"/m);
  });

  it('name only this server, even in samples', () => {
    expect(files['createPayment.md']).toContain('http://127.0.0.1:1');
    for (const [name, page] of Object.entries(files)) expect(page, name).not.toMatch(/https:..api\.(test\.)?gateway/);
  });
});

it('the feed of the changelog has each release with its date and text, and no unreleased version', () => {
  const changelog = '# Changelog\n\n## 2.0.0 (unreleased)\n\nNew.\n\n## 1.0.0 (2026-01-02)\n\n- **First.**\n';
  const { items } = changelogFeed(changelog, 'Payments', 'https://docs.example.com') as { items: object[] };
  expect(items).toEqual([
    {
      id: 'https://docs.example.com/docs/changelog.html#1-0-0-2026-01-02',
      url: 'https://docs.example.com/docs/changelog.html#1-0-0-2026-01-02',
      title: 'Version 1.0.0',
      content_html: '<ul>\n<li><strong>First.</strong></li>\n</ul>\n',
      date_published: '2026-01-02T00:00:00Z',
    },
  ]);
});

it("the sources of the pages include the document, the page generators, and all imports of the pages' scripts", async () => {
  const sources = await siteSources();
  const expected = [
    ...['generated/openapi.json', 'CHANGELOG.md', 'scripts/reference/site.ts', 'scripts/reference/print.css'],
    ...['languages', 'call'].map((name) => `scripts/artifacts/samples/${name}.ts`),
    ...['contract/src/webhook-signature.ts', 'generated/validators.js'],
  ];
  expect(sources).toEqual(expect.arrayContaining(expected.map((path) => join(ROOT, path))));
  expect(sources.filter((file) => !existsSync(file))).toEqual([]);
});
