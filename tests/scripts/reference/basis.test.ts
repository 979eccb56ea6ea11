import { describe, expect, it } from 'vitest';
import { operations, readBundle, webhooks } from '../../../contract/src/model.ts';
import { basisMark, MARK } from '../../../scripts/reference/basis.ts';
import { siteParts } from '../../../scripts/reference/site.ts';

const bundle = readBundle();
const { files } = await siteParts();

describe('the mark of a basis', () => {
  it('names one section, several sections, assumptions, or no basis', () => {
    expect(basisMark({ 'x-source': '4.1' })).toBe('(§4.1)');
    expect(basisMark({ 'x-source': ['2.1', '4.1'] })).toBe('(§2.1, §4.1)');
    expect(basisMark({ 'x-source': '5', 'x-assumption': ['auth', 'errors'] })).toBe(
      '(§5, [auth](assumptions.md#auth), [errors](assumptions.md#errors))',
    );
    expect(basisMark({})).toBe('');
  });

  it.each([
    '(§4.1)',
    '(§2.1, §4.1)',
    '(§5, [auth](assumptions.md#auth))',
    '([string-limits](assumptions.md#string-limits))',
  ])('is found in a text: %s', (mark) => expect(`Some (other) words ${mark} and more`.match(MARK)).toEqual([mark]));
});

describe('the pages', () => {
  it.each([...operations(bundle), ...webhooks(bundle)])('mark the basis of $id and of each of its fields', ({ id }) => {
    const page = files[`${id}.md`] ?? '';
    expect(page.split(/^## /m)[0]).toMatch(MARK);
    const fields = page.split(/^ *- (?=\*\*`)/m).slice(1);
    expect(fields).not.toEqual([]);
    expect(fields.filter((field) => !field.split('\n\n')[1]?.match(MARK))).toEqual([]);
  });

  it('have a section for each assumption, and each is referenced', () => {
    const ids = bundle['x-assumptions'].map(({ id }) => id);
    for (const id of ids) expect(files['assumptions.md']).toContain(`\n## ${id}\n`);
    const named = Object.values(files).flatMap((page) => [...page.matchAll(/\]\(assumptions\.md#([a-z0-9-]+)\)/g)]);
    expect([...new Set(named.map(([, id]) => id))].toSorted()).toEqual(ids.toSorted());
  });
});
