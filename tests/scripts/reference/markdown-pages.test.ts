/** The text of the reference's pages, compared with the document. */
import { describe, expect, it } from 'vitest';
import { type Operation, openEnum, operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { handlingWords } from '../../../scripts/artifacts/decline-handling.ts';
import { slug, withPageLinks } from '../../../scripts/reference/addresses.ts';
import { MARK } from '../../../scripts/reference/basis.ts';
import { declineTables, withDeclineLinks } from '../../../scripts/reference/declines.ts';
import { downloadFiles } from '../../../scripts/reference/downloads.ts';
import { errorRows, problemName } from '../../../scripts/reference/errors.ts';
import { toSiteOptions } from '../../../scripts/reference/gateway-page.ts';
import { siteParts } from '../../../scripts/reference/site.ts';

const bundle = readBundle();
const { files: pages } = await siteParts();
const SANDBOX = toSiteOptions('sandbox');
const index = pages['llms.txt'] ?? '';

describe.each([...operations(bundle), ...webhooks(bundle)])('the page of $id', (operation: Operation) => {
  const page = pages[`${operation.id}.md`] ?? '';

  it('has its description, parameters and examples', () => {
    expect(page).toContain(`# ${operation.summary}\n`);
    expect(page).toContain(withPageLinks(operation.description.trim()));
    for (const { name } of operation.parameters) expect(page).toContain(`\`${name}`);
    const successes = operation.responses.filter(({ status }) => status < '4').map(({ body }) => body);
    for (const { value } of [operation.request, ...successes].flatMap((body) => body?.examples ?? []))
      expect(page).toContain(JSON.stringify(value, null, 2));
  });

  it('marks the basis of the operation and of each field', () => {
    expect(page.split(/^## /m)[0]).toMatch(MARK);
    const fields = page.split(/^ *- (?=\*\*`)/m).slice(1);
    expect(fields).not.toEqual([]);
    expect(fields.filter((field) => !field.split('\n\n')[1]?.match(MARK))).toEqual([]);
  });
});

describe.each(operations(bundle))('the page of $id', (operation) => {
  const page = pages[`${operation.id}.md`] ?? '';

  it('shows the call in each language', () => {
    for (const block of ['sh [curl]\ncurl', 'typescript [TypeScript]\nimport', 'python [Python]\nimport'])
      expect(page).toContain(`\`\`\`${block}`);
  });

  it('has a row and a sample for each problem, linked to its section', () => {
    const rows = errorRows(operation);
    expect(rows).not.toEqual([]);
    const samples = page.split('\n## Samples\n')[1]?.split('\n### Error responses\n')[1] ?? '';
    for (const { status, type, example } of rows) {
      expect(page).toContain(`| ${status} | [\`${problemName(type)}\`](errors.md#${problemName(type)}) |`);
      if (example) expect(samples).toContain(`\`\`\`json [${status}]\n${JSON.stringify(example, null, 2)}\n`);
    }
  });
});

describe('the fields of a page', () => {
  it.each([
    [
      'createPayment',
      /\n- \*\*`customer`\*\* object, \*required\*\n\n {2}\S.*\n\n {2}- \*\*`id`\*\* string, \*required\*/,
    ],
    ['createPayment', /\*\*`id`\*\* string, \*required\*, 1 to 255 characters\n\n {4}\S.+ \(§/],
    ['createPayment', /\n- \*\*`callback_url`\*\* string \(uri\), .*, must begin with http/],
    ['createPayment', /`currency`.*\n\n.*\n\n {2}- `INR`: Indian rupee\n/],
    ['paymentSucceeded', /`status`\*\* string, always `SUCCESS`/],
    ['getPayment', /`status`\*\* string\n\n.*\n\n {2}- `CREATED`: Initiated .*(\n {2}- `\w+`: .*){4}\n {2}- `FAILED`/],
    ['getPayment', /`confirm`\*\* array of string, .*, one of `amount`, `tid`, other values possible/],
    ['getPayment', /`amount_paid`\*\* integer .*, only with `SUCCESS`\n/],
    ['getPayment', /`finalized_at`\*\* .+, only with `SUCCESS`, `FAILED`\n/],
  ])('of %s have their types, limits, values and statuses: %s', (id, pattern) => {
    expect(pages[`${id}.md`]).toMatch(pattern);
  });
});

describe.each(declineTables(bundle))('the table of $schema', ({ schema, heading, all }) => {
  it.each(Object.entries(all))('has a section for %s with its texts, linked from its tables', (code, row) => {
    const { meaning, likely_cause, suggested_action } = row;
    const section = pages[`${schema}.md`]?.split(`\n## ${code}\n`)[1]?.split('\n## ')[0];
    for (const text of [meaning, likely_cause, suggested_action, ...handlingWords(row)])
      expect(section).toContain(text);
    expect(section).toContain(`?customer.id=decline-${code}#try-it)`);
    expect(section).toContain(`&steps=decline-${code}.1#play-`);
    expect(section).toMatch(/\n {2}- English: [A-Z].*\.\n {2}- Hindi: /);
    for (const name of [`${schema}.md`, 'decline-reasons.md'])
      expect(pages[name]).toContain(`| [\`${code}\`](${schema}.md#${code.toLowerCase()}) |`);
  });

  it('is in the introduction, and linked from the operation that returns its codes', () => {
    expect(bundle.info.description).toContain(`\n## ${heading}\n`);
    const page = pages[schema === 'PaymentDeclineReason' ? 'getPayment.md' : 'getPayout.md'];
    expect(page).toContain(`**\`decline_reason\`** string, a [decline code](${schema}.md), only with \`FAILED\``);
    for (const code of Object.keys(all)) expect(page).toContain(`[\`${code}\`](${schema}.md#${code.toLowerCase()})`);
  });
});

it.each([
  ['`KYC_BLOCKED`', '[`KYC_BLOCKED`](PaymentDeclineReason.md#kyc_blocked)'],
  ['A payout over it: `LIMIT_EXCEEDED`', 'A payout over it: [`LIMIT_EXCEEDED`](PayoutDeclineReason.md#limit_exceeded)'],
  ['## Payouts\n`LIMIT_EXCEEDED`', '## Payouts\n[`LIMIT_EXCEEDED`](PayoutDeclineReason.md#limit_exceeded)'],
  ['`UNKNOWN_CODE`', '`UNKNOWN_CODE`'],
  ['## `KYC_BLOCKED`', '## `KYC_BLOCKED`'],
])('a mention of a decline code links to its table: %s', (text, linked) => {
  expect(withDeclineLinks(text, declineTables(bundle))).toBe(linked);
});

describe('the chapters', () => {
  it('have a section for each assumption, and each is referenced', () => {
    const ids = bundle['x-assumptions'].map(({ id }) => id);
    for (const id of ids) expect(pages['assumptions.md']).toContain(`\n## ${id}\n`);
    const named = Object.values(pages).flatMap((page) => [...page.matchAll(/\]\(assumptions\.md#([a-z0-9-]+)\)/g)]);
    expect([...new Set(named.map(([, id]) => id))].toSorted()).toEqual(ids.toSorted());
  });

  it('have a section for each kind of problem, with an example', () => {
    const { known = [] } = openEnum(bundle.components.schemas['Problem']?.properties?.['type'] ?? {}) ?? {};
    expect(known).not.toEqual([]);
    for (const type of known.map(String)) {
      const section = pages['errors.md']?.split(`\n### ${problemName(type)}\n`)[1]?.split('\n### ')[0] ?? '';
      expect(section, type).toMatch(/^\nStatus \d{3}\. [^.\n]+\.\n\nReturned by /);
      expect(section).toContain(`"type": "${type}"`);
    }
  });

  it('are all in the index, which lists every page', () => {
    for (const [, title] of bundle.info.description.matchAll(/^# (.*)$/gm)) expect(index).toContain(`- [${title}](`);
    const listed = [...index.matchAll(/\(\/docs\/([\w-]+\.md)\)/g)].map(([, name]) => name);
    const names = Object.keys(pages).filter((name) => name.endsWith('.md'));
    expect(listed.toSorted()).toEqual(names.toSorted());
  });
});

it('the Markdown pages contain no browser-only element', () => {
  for (const [name, page] of Object.entries(pages)) {
    if (name.endsWith('.md')) expect(page, name).not.toMatch(/<(figure|svg|sup|small|span)\b/);
  }
});

describe.each([
  ['of the contract', {}],
  ['of a sandbox', SANDBOX],
  ['with LIVE', toSiteOptions('live')],
])('the reference %s', async (_, options) => {
  const { files } = await siteParts(options);

  it('links only to pages and headings that exist', () => {
    const downloads = [...Object.keys(downloadFiles(bundle)), 'changelog-feed.json'];
    const markdown = Object.entries(files).filter(([name]) => name.endsWith('.md'));
    const dead = markdown.flatMap(([name, text]) =>
      [...withoutCode(text).matchAll(/\]\((?!https?:|\/)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(
        ([, address = '', anchor]) => {
          const [page = '', query] = address.split('?');
          const target = files[page || name];
          // A query is for the page's script, whose parts the Markdown lacks.
          if (downloads.includes(page) || (target && query)) return [];
          const anchors = [...(target?.matchAll(/^#+ (.*)$/gm) ?? [])].map(([, title = '']) => slug(title));
          return target !== undefined && (!anchor || anchors.includes(anchor)) ? [] : [`${name}: ${page}#${anchor}`];
        },
      ),
    );
    expect(dead).toEqual([]);
  });

  it("has pages for the gateway's own APIs, and for the sandbox only if it is enabled", () => {
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
