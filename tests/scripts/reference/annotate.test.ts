import { describe, expect, it } from 'vitest';
import { atPointer, type Bundle, type Json, readBundle } from '../../../contract/src/model.ts';
import { pointerOf } from '../../../contract/src/pointer.ts';
import { assumptionAddress } from '../../../scripts/artifacts/introduction.ts';
import { annotate, basisLine } from '../../../scripts/reference/annotate.ts';

const bundle = readBundle();
const site = annotate(bundle);

interface Place {
  pointer: string;
  node: { [key: string]: Json };
}

describe('the line on the basis', () => {
  it('names one section, several sections and nothing', () => {
    expect(basisLine({ 'x-source': '4.1' })).toBe('<small>Specified: section 4.1.</small>');
    expect(basisLine({ 'x-source': ['2.1', '4.1'] })).toBe('<small>Specified: sections 2.1, 4.1.</small>');
    expect(basisLine({})).toBe('');
  });

  it('links each assumption to its entry', () => {
    const line = basisLine({ 'x-source': '5', 'x-assumption': ['auth', 'errors'] });
    expect(line).toBe(
      '<small>Specified: section 5. Assumed: [auth](#section/Assumptions/auth), [errors](#section/Assumptions/errors).</small>',
    );
  });
});

describe('the annotated document', () => {
  const marked = places(bundle).filter(({ node }) => 'x-source' in node || 'x-assumption' in node);

  it('ends the description of everything that has a basis with that basis', () => {
    expect(marked.length).toBeGreaterThan(100);
    for (const { pointer, node } of marked) {
      const description = (atPointer(site, pointer) as { description: string }).description;
      expect(description.endsWith(basisLine(node)), pointer).toBe(true);
      expect(description.startsWith(String(node['description'] ?? '').trimEnd()), pointer).toBe(true);
    }
  });

  it('says of every operation, webhook, schema and property where it comes from', () => {
    const wanted = [
      ...Object.values(site.paths).flatMap((item) => Object.values(item)),
      ...Object.values(site.webhooks).map(({ post }) => post),
      ...Object.values(site.components.schemas),
      ...places(site).flatMap(({ node }) => Object.values(propertiesOf(node))),
    ] as { $ref?: string; description?: string }[];
    const silent = wanted.filter(({ $ref, description = '' }) => !$ref && !/(Specified|Assumed): /.test(description));
    expect(silent).toEqual([]);
  });

  it('leaves examples unchanged', () => {
    expect(site.components.examples).toEqual(bundle.components.examples);
  });

  it('has a section for each assumption, and no link to one that is not there', () => {
    for (const { id } of bundle['x-assumptions']) expect(site.info.description).toContain(`\n## ${id}\n`);
    const known = bundle['x-assumptions'].map(({ id }) => assumptionAddress(id));
    const links = JSON.stringify(site).match(/#section\/Assumptions\/[\w-]+/g) ?? [];
    expect(links.filter((link) => !known.includes(link))).toEqual([]);
    expect(new Set(links).size).toBe(known.length);
  });

  it('keeps what the introduction says', () => {
    expect(site.info.description.replace(/<small>.*<\/small>\n\n/, '')).toBe(bundle.info.description);
  });

  it('names a server that is an address', () => {
    for (const { url } of site.servers) expect(URL.canParse(url), url).toBe(true);
  });

  it('does not change the bundle it is given', () => {
    expect(bundle).toEqual(readBundle());
  });
});

/** Every object of the statements, without examples and extensions. */
function places(document: Bundle): Place[] {
  const walk = (node: Json, pointer: string): Place[] => {
    if (Array.isArray(node)) return node.flatMap((item, index) => walk(item, pointer + pointerOf(index)));
    if (node === null || typeof node !== 'object') return [];
    const inner = Object.entries(node).filter(([key]) => key !== 'examples' && !key.startsWith('x-'));
    return [{ pointer, node }, ...inner.flatMap(([key, value]) => walk(value, pointer + pointerOf(key)))];
  };
  return (['paths', 'webhooks', 'components'] as const).flatMap((part) =>
    walk(document[part] as unknown as Json, `/${part}`),
  );
}

function propertiesOf(node: { [key: string]: Json }): object {
  const { properties } = node;
  return properties !== null && typeof properties === 'object' && 'type' in node ? properties : {};
}

it('shows descriptions of servers without backticks, which the page does not turn into code', () => {
  const { servers } = annotate(readBundle());
  for (const server of servers) expect((server as { description?: string }).description).toMatch(/^[^`]+sk_[^`]+$/);
});
