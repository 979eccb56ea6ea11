import { describe, expect, it } from 'vitest';
import {
  atPointer,
  type Bundle,
  type Operation,
  operations,
  readBundle,
  type Schema,
  webhooks,
} from '../../../contract/src/model.ts';
import { API_FILES } from '../../../gateway/src/http/gateway-apis.ts';
import { slug, withPageLinks } from '../../../scripts/reference/addresses.ts';
import { downloadFiles } from '../../../scripts/reference/downloads.ts';
import { toSiteOptions } from '../../../scripts/reference/gateway-page.ts';
import { type Field, listFields } from '../../../scripts/reference/markdown-fields.ts';
import { siteParts } from '../../../scripts/reference/site.ts';

const bundle = readBundle();
const { files: pages } = await siteParts();
const SANDBOX = toSiteOptions('sandbox');
const index = pages['llms.txt'] ?? '';

describe('the Markdown pages', () => {
  it.each([...operations(bundle), ...webhooks(bundle)])('describe $id with its examples', (operation: Operation) => {
    const page = pages[`${operation.id}.md`] ?? '';
    expect(page).toContain(`# ${operation.summary}\n`);
    expect(page).toContain(withPageLinks(operation.description.trim()));
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

  it('nest the fields of objects, with their type, presence and limits on one line', () => {
    expect(pages['createPayment.md']).toMatch(
      /\n- \*\*`customer`\*\* object, \*required\*\n\n {2}\S.*\n\n {2}- \*\*`id`\*\* string, \*required\*, 1 to 255 characters\n\n {4}\S.+ \(§/,
    );
    expect(pages['createPayment.md']).toMatch(/\n- \*\*`callback_url`\*\* string \(uri\), .*, must begin with http/);
    expect(pages['paymentSucceeded.md']).toMatch(/\n- \*\*`webhook-id`\*\* string\n/);
  });

  it('list the values of a field with their meanings, or on its line', () => {
    expect(pages['createPayment.md']).toMatch(/`currency`.*\n\n.*\n\n {2}- `INR`: Indian rupee\n/);
    expect(pages['getPayment.md']).toMatch(
      /`status`\*\* string\n\n.*\n\n {2}- `CREATED`: Initiated .*(\n {2}- `\w+`: .*){4}\n {2}- `FAILED`/,
    );
    expect(pages['getPayment.md']).toMatch(
      /`confirm`\*\* array of string, .*, one of `amount`, `tid`, other values possible/,
    );
    expect(pages['paymentSucceeded.md']).toMatch(/`status`\*\* string, always `SUCCESS`/);
  });

  it('name the time to pay of payments only', () => {
    const [before = '', upi = '', ...others] = pages['payment-methods.md']?.split(/^(?=\*\*For )/m) ?? [];
    for (const part of [upi, ...others])
      expect(part.includes('**Time to pay:**'), part).toBe(/^\*\*For payments/.test(part));
    expect([before, others.length > 3]).toEqual([expect.not.stringContaining('Time to pay'), true]);
    expect(pages['limits.md']).toMatch(/\| payment \|.*minutes \|\n/);
    expect(pages['limits.md']).not.toMatch(/\| payout \|.*(minutes|hours) \|\n/);
  });

  it('name the statuses of a field', () => {
    expect(pages['getPayment.md']).toMatch(/`amount_paid`\*\* integer .*, only with `SUCCESS`\n/);
    expect(pages['getPayment.md']).toMatch(/`finalized_at`\*\* .+, only with `SUCCESS`, `FAILED`\n/);
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

describe('the types of fields', () => {
  const documents = [bundle, ...Object.values(API_FILES).map((file) => readBundle(file))];
  const bodies = documents.flatMap((document) =>
    [...operations(document), ...webhooks(document)].flatMap(({ id, request, responses }) =>
      [request, ...responses.map(({ body }) => body)].flatMap((body) =>
        body ? [{ id, document, schema: body.schema }] : [],
      ),
    ),
  );

  it.each(bodies)('of $id are the types of their schemas', ({ document, schema }) => {
    for (const field of listFields(document, schema)) expectTypes(document, schema, field);
  });
});

function expectTypes(document: Bundle, parent: Schema, field: Field): void {
  const found = findProperties(document, parent, field.name);
  const itemsOf = (schema: Schema): Schema[] => collect(document, schema, ({ items }) => (items ? [items] : []));
  let [type, schemas] = [field.type, found];
  for (; type.startsWith('array of '); type = type.replace('array of ', '')) schemas = schemas.flatMap(itemsOf);
  const words = type.split(/ or | \/ /).map((one) => /^\w+/.exec(one)?.[0]);
  const accepted = new Set(schemas.flatMap((one) => [...acceptedTypes(document, one)]));
  expect([...new Set(words)].toSorted(), field.name).toEqual([...accepted].toSorted());
  for (const inner of field.fields)
    expectTypes(document, { anyOf: found.flatMap((one) => [one, ...itemsOf(one)]) }, inner);
}

/** The results for a schema and all schemas that it consists of. */
function collect(document: Bundle, schema: Schema, read: (one: Schema) => Schema[]): Schema[] {
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  const parts = [...($ref ? [atPointer(document, $ref) as Schema] : []), ...allOf, ...anyOf, ...oneOf];
  return [...read(schema), ...parts.flatMap((part) => collect(document, part, read))];
}

function findProperties(document: Bundle, schema: Schema, name: string): Schema[] {
  const own = ({ properties, items }: Schema): Schema[] =>
    properties?.[name] ? [properties[name]] : items ? findProperties(document, items, name) : [];
  return collect(document, schema, own);
}

/** The types that the keywords of a schema leave. */
function acceptedTypes(document: Bundle, schema: Schema): Set<string> {
  const all = (parts: Schema[] = []) => parts.map((part) => acceptedTypes(document, part));
  const union = (parts: Schema[] | undefined) => (parts ? [new Set(all(parts).flatMap((one) => [...one]))] : []);
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const constraints = [
    ...(schema.$ref ? all([atPointer(document, schema.$ref) as Schema]) : []),
    ...(schema.type ? [new Set([schema.type])] : []),
    ...(values.length > 0 ? [new Set(values.map((value) => typeof value))] : []),
    ...all(schema.allOf),
    ...union(schema.anyOf),
    ...union(schema.oneOf),
  ];
  const narrowing = constraints.filter((types) => !types.has('any'));
  const [first = new Set(['any'])] = narrowing;
  return new Set([...first].filter((type) => narrowing.every((types) => types.has(type))));
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}
