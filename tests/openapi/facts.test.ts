/**
 * Checks every row of facts/*.yaml against the contract. A failing row is a finding about openapi/, never a reason to
 * weaken the row.
 */
import { describe, expect, test } from 'vitest';
import { type Json, readBundle } from '../../contract/src/model.ts';
import { compileRow, describeFailure, readFacts } from './facts.ts';
import { describeBasisDefect } from './facts-basis.ts';

const bundle = readBundle();
const root = bundle as unknown as Json;
const facts = readFacts();
const sections = Map.groupBy(facts, (fact) => fact.section);

for (const [section, rows] of sections) {
  describe(`${section} of the table of facts`, () => {
    for (const [sentence, places] of Map.groupBy(rows, (fact) => fact.fact)) {
      test(sentence, () => {
        const failures = places.filter((fact) => !fact.holds(root)).map((fact) => describeFailure(fact, root));
        expect(failures).toEqual([]);
      });
    }
  });
}

describe('the table of facts', () => {
  test('has each fact of a section once', () => {
    const names = facts.map((fact) => `${fact.section} ${fact.fact} ${fact.pointer} ${fact.expectation}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('has rows for every section cited by the contract', () => {
    expect(cited(bundle, 'x-source').filter((section) => !sections.has(section))).toEqual([]);
  });
});

describe('the basis of a fact', () => {
  test("matches the document's mark at the fact's location", () => {
    expect(facts.flatMap((fact) => describeBasisDefect(fact, root) ?? [])).toEqual([]);
  });

  const document: Json = {
    info: { description: 'Amounts are integers. <sup>§1, [amounts](#a)</sup>\nOthers are not.\n' },
    shared: { type: 'string', pattern: '^a', 'x-source': '2.2', 'x-assumption': 'string-limits' },
    list: { items: { $ref: '#/shared' }, required: ['a'], properties: { a: { 'x-source': '3' } }, 'x-source': '2.3' },
    code: { enum: ['a'], 'x-source': '2.2', 'x-specified': ['enum'], 'x-assumption': 'enums' },
  };

  test.each([
    ['2.4', { at: '/list/items/type', equals: 'string' }, /is marked with 2\.3, 2\.2/],
    ['2.2', { at: '/shared/pattern', equals: '^a' }, /write assumed with one of: string-limits/],
    ['2.2', { at: '/code/enum', contains: 'a', assumed: 'enums' }, /is specified/],
    ['1', { at: '/info/description', matches: 'others are' }, /marked with nothing/],
  ])('is not section %s for %o', (section, row, message) => {
    expect(basisDefects(section, row, document).join()).toMatch(message);
  });
});

function basisDefects(section: string, row: { at: string }, document: Json): string[] {
  return compileRow(section, { fact: 'A fact.', ...row }).flatMap((fact) => describeBasisDefect(fact, document) ?? []);
}

function cited(node: unknown, key: 'x-source'): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = (node as Partial<Record<typeof key, string | string[]>>)[key] ?? [];
  return [...new Set([own, ...Object.values(node).map((value) => cited(value, key))].flat())];
}
