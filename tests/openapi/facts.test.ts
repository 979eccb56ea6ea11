/**
 * Checks every row of facts/*.yaml against the contract. A failing row is a finding about openapi/, never a reason to
 * weaken the row.
 */
import { describe, expect, test } from 'vitest';
import { type Json, readBundle } from '../../contract/src/model.ts';
import { compileRow, describeFailure, type Fact, readFacts } from './facts.ts';
import { describeBasisDefect } from './facts-basis.ts';

const bundle = readBundle();
const root = bundle as unknown as Json;
const facts = readFacts();
const sections = Map.groupBy(facts, (fact) => fact.section);

for (const [section, rows] of sections) {
  describe(`${section} of the table of facts`, () => {
    for (const [sentence, places] of Map.groupBy(rows, (fact) => fact.fact)) {
      test(sentence, () => {
        expect(failures(places)).toEqual([]);
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
    sends: { 'x-sender': { pattern: '^a' }, 'x-source': '2.2', 'x-assumption': 'string-limits' },
    choices: [{ id: 'order-id', section: '4.8', assumed: 'Unique.' }],
  };

  test.each([
    ['2.2', { at: '/list/items/type', equals: 'string' }],
    ['2.3', { at: '/list/items/type', equals: 'string' }],
    ['2.2', { at: '/list/items/$ref', equals: '#/shared' }],
    ['3', { at: '/list/required', contains: 'a' }],
    ['2.2', { at: '/code/enum', contains: 'a' }],
    ['2.2', { at: '/sends/x-sender/pattern', equals: '^a' }],
    ['2.2', { at: '/shared/pattern', equals: '^a', assumed: 'string-limits' }],
    ['1', { at: '/info/description', matches: 'amounts are' }],
    ['4.8', { at: '/choices/id=order-id/section', equals: '4.8' }],
    ['2.3', { at: '/list/items', contains: 'type', stated: '/list' }],
    ['1', { at: '/list/items', contains: 'type', stated: 'amounts are' }],
    ['head', { at: '/info', contains: 'description' }],
  ])('is section %s for %o', (section, row) => {
    expect(basisDefects(section, row, document)).toEqual([]);
  });

  test.each([
    ['2.4', { at: '/list/items/type', equals: 'string' }, /is marked with 2\.3, 2\.2/],
    ['3', { at: '/list/items/type', equals: 'string' }, /is marked with/],
    ['2.2', { at: '/shared/pattern', equals: '^a' }, /write assumed with one of: string-limits/],
    ['2.2', { at: '/shared/pattern', equals: '^a', assumed: 'enums' }, /write assumed/],
    ['2.2', { at: '/code/enum', contains: 'a', assumed: 'enums' }, /is specified/],
    ['1', { at: '/info/description', matches: 'others are' }, /marked with nothing/],
    ['1', { at: '/list/items', contains: 'type', stated: 'not there' }, /marked with nothing/],
  ])('is not section %s for %o', (section, row, message) => {
    expect(basisDefects(section, row, document).join()).toMatch(message);
  });
});

describe('an expectation', () => {
  const document: Json = { list: ['a', 'b'], map: { a: 'Text\nof two lines', n: 1 }, same: { a: 'x', b: 2 } };
  const holding = [
    { at: '/map/n', equals: 1 },
    { at: '/list', equals: ['a', 'b'] },
    { at: '/list', contains: 'b' },
    { at: '/map', contains: 'a' },
    { at: '/list', lacks: 'c' },
    { at: '/list', exactly: ['b', 'a'] },
    { at: '/map', exactly: ['n', 'a'] },
    { at: '/map/a', matches: 'text.*LINES$' },
    { at: '/map/b', absent: true },
    { at: '/same', covers: '/same' },
  ];
  const failing = [
    { at: '/map/n', equals: '1' },
    { at: '/map/gone', equals: 1 },
    { at: '/list', equals: ['b', 'a'] },
    { at: '/list', contains: 'c' },
    { at: '/map', contains: 'b' },
    { at: '/list', lacks: 'a' },
    { at: '/gone', lacks: 'a' },
    { at: '/list', exactly: ['a'] },
    { at: '/list', exactly: ['a', 'b', 'c'] },
    { at: '/gone', exactly: [] },
    { at: '/map/a', matches: '^lines' },
    { at: '/map/n', matches: '1' },
    { at: '/map/a', absent: true },
    { at: '/gone/b', absent: true },
    { at: '/map', covers: '/same' },
    { at: '/same', covers: '/gone' },
  ];

  test.each(holding)('holds for %o', (row) => {
    expect(verdicts(row, document)).toEqual([true]);
  });

  test.each(failing)('fails for %o', (row) => {
    expect(verdicts(row, document)).toEqual([false]);
  });

  test('of absence fails as soon as the value exists', () => {
    const forbidding = facts.filter(({ expectation }) => expectation === 'absent' || expectation === 'lacks');
    expect(forbidding.filter((fact) => !noticesAddition(fact)).map((fact) => fact.pointer)).toEqual([]);
  });

  test('is the only one of its row', () => {
    expect(() => compileRow('1', { fact: 'Two.', at: '/list', contains: 'a', lacks: 'b' })).toThrow(/give one of/);
    expect(() => compileRow('1', { fact: 'None.', at: '/list' })).toThrow(/give one of/);
    expect(() => compileRow('1', { fact: 'Unknown.', at: '/list', is: 'a' })).toThrow(/give one of/);
  });
});

describe('a pointer of the table', () => {
  const document: Json = {
    paths: { '/a/{id}': { get: { $ref: '#/shared' } }, '/b': { get: { name: 'b' } } },
    shared: { name: 'a' },
    list: [{ from: null, to: 'A' }, { from: 'A', to: 'B' }, { $ref: '#/shared' }],
  };

  test.each([
    ['/paths/~1a~1{id}/get/name', ['a']],
    ['/paths/{~1a~1{id},~1b}/get/name', ['a', 'b']],
    ['{/paths/<both>/get,/shared}/name', ['a', 'b', 'a']],
    ['/paths/*/get/name', [['a', 'b']]],
    ['/paths/~1a~1{id}/get/$ref', ['#/shared']],
    ['/list/from=A/to', ['B']],
    ['/list/from=null&to=A/to', ['A']],
    ['/list/name=a/name', ['a']],
    ['/list/$ref=#~1shared/name', ['a']],
    ['/list/from=B/to', [undefined]],
    ['/nothing/here', [undefined]],
  ])('%s finds %j', (at, values) => {
    const rows = compileRow('1', { fact: '', at, equals: null }, { both: ['~1a~1{id}', '~1b'] });
    expect(rows.map((fact) => fact.found(document))).toEqual(values);
  });

  test('with an unknown group is refused', () => {
    expect(() => compileRow('1', { fact: '', at: '/<nobody>', equals: 1 })).toThrow(/groups\.yaml/);
  });

  test('that fails is reported with section, fact, location, expectation and finding', () => {
    const [fact] = compileRow('4.1', { fact: 'It has a name.', at: '/shared/name', equals: 'c' });
    expect(fact && describeFailure(fact, document)).toMatch(/4\.1: It.*\/shared\/name.*equals "c".*found: "a"/s);
  });
});

function failures(places: Fact[]): string[] {
  return places.filter((fact) => !fact.holds(root)).map((fact) => describeFailure(fact, root));
}

function verdicts(row: { at: string }, document: Json): boolean[] {
  return compileRow('1', { fact: 'A fact.', ...row }).map((fact) => fact.holds(document));
}

function basisDefects(section: string, row: { at: string }, document: Json): string[] {
  return compileRow(section, { fact: 'A fact.', ...row }).flatMap((fact) => describeBasisDefect(fact, document) ?? []);
}

/** Adds the forbidden value to a copy of the contract, and returns whether the fact then fails. */
function noticesAddition(fact: Fact): boolean {
  const copy = structuredClone(root);
  const target = fact.expectation === 'lacks' ? fact.pointer : fact.pointer.slice(0, fact.pointer.lastIndexOf('/'));
  const key = fact.expectation === 'lacks' ? String(fact.expected) : fact.pointer.slice(target.length + 1);
  const [place] = compileRow('', { fact: '', at: target, equals: null });
  const container = place?.found(copy);
  if (Array.isArray(container)) container.push(key);
  else if (typeof container === 'object' && container !== null) container[key] = 'added';
  return !fact.holds(copy);
}

function cited(node: unknown, key: 'x-source'): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = (node as Partial<Record<typeof key, string | string[]>>)[key] ?? [];
  return [...new Set([own, ...Object.values(node).map((value) => cited(value, key))].flat())];
}
