/**
 * The table of facts: the source's statements by section, in facts/*.yaml. A row has a sentence, a pointer into
 * generated/openapi.json, and one expectation from the vocabulary below. facts-basis.ts compares each fact's basis with
 * the document's marks.
 */
import { globSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type { Json } from '../../contract/src/model.ts';
import { compilePointer, expandPointer, type Found, find, type Step } from './pointers.ts';

/** A fact at one location. `holds` returns whether the document has it. */
export interface Fact {
  section: string;
  fact: string;
  pointer: string;
  expectation: string;
  expected: Json;
  /** The assumption, if the document only assumes the source's statement. */
  assumed?: string;
  /** The statement, if the location itself has no mark: a pointer, or a pattern for the introduction. */
  stated?: string;
  holds: (root: Json) => boolean;
  found: (root: Json) => Found;
}

type Row = Record<string, Json> & { fact: string; at: string; assumed?: string; stated?: string };
type Test = (found: Found, expected: Json, root: Json, steps: Step[]) => boolean;

/** The vocabulary. All except `absent` and `lacks` require a value at the pointer. */
const EXPECTATIONS: Record<string, Test> = {
  /** The value is this one. */
  equals: isSame,
  /** The array has this item, or the object this member. */
  contains: has,
  /** An array or an object without such an item or member. */
  lacks: (found, expected) => isContainer(found) && !has(found, expected),
  /** The array has exactly these items, or the object these members, in any order. */
  exactly: (found, expected) =>
    isContainer(found) &&
    isDeepStrictEqual(new Set(Array.isArray(found) ? found : Object.keys(found)), new Set(expected as Json[])),
  /** The text matches, ignoring case, or each of these members does. A full stop matches line breaks. */
  matches: (found, expected) =>
    isContainer(expected)
      ? Object.entries(expected).every(([name, pattern]) => isMatch((found as Record<string, Json>)?.[name], pattern))
      : isMatch(found, expected),
  /** There is no value at the pointer, in an object that exists. */
  absent: (found, _, root, steps) => found === undefined && isContainer(find(root, steps.slice(0, -1))),
  /** Everything at the other pointer is here, except operationIds, which are unique. */
  covers: (found, expected, root) => covers(found, find(root, compilePointer(String(expected)))),
};

/** Reads all rows, one fact for each pointer. Throws on a malformed row. */
export function readFacts(folder: URL = new URL('facts/', import.meta.url)): Fact[] {
  const groups = readYaml(new URL('groups.yaml', folder)) as Record<string, string[]>;
  return globSync('*.yaml', { cwd: folder })
    .filter((name) => name !== 'groups.yaml')
    .sort()
    .flatMap((name) => Object.entries(readYaml(new URL(name, folder)) as Record<string, Row[]>))
    .flatMap(([section, rows]) => rows.flatMap((row) => compileRow(section, row, groups)));
}

/** The facts of one row. Throws unless the row has exactly one expectation. */
export function compileRow(section: string, row: Row, groups: Record<string, string[]> = {}): Fact[] {
  const { fact, at, assumed, stated, ...rest } = row;
  const [expectation = '', ...others] = Object.keys(rest);
  const test = EXPECTATIONS[expectation];
  if (!test || others.length > 0) {
    throw new Error(`${section}, '${fact}': give one of ${Object.keys(EXPECTATIONS).join(', ')}`);
  }
  const expected = row[expectation] ?? null;
  const basis = { ...(assumed !== undefined && { assumed }), ...(stated !== undefined && { stated }) };
  return expandPointer(at, groups).map((pointer) => {
    const steps = compilePointer(pointer);
    const found = (root: Json) => find(root, steps);
    const holds = (root: Json) => test(found(root), expected, root, steps);
    return { section, fact, pointer, expectation, expected, ...basis, found, holds };
  });
}

/** Describes a failing fact: its location, the expectation, and the actual value. */
export function describeFailure(fact: Fact, root: Json): string {
  const found = JSON.stringify(fact.found(root)) ?? 'nothing';
  return [
    `${fact.section}: ${fact.fact}`,
    `at ${fact.pointer}`,
    `expected: ${fact.expectation} ${JSON.stringify(fact.expected)}`,
    `found: ${found.length > 400 ? `${found.slice(0, 400)}…` : found}`,
  ].join('\n  ');
}

function readYaml(file: URL): Json {
  return parse(readFileSync(file, 'utf8')) as Json;
}

function isContainer(found: Found): found is Json[] | { [key: string]: Json } {
  return typeof found === 'object' && found !== null;
}

function isSame(found: Found, expected: Json): boolean {
  return found === expected || (isContainer(found) && isDeepStrictEqual(found, expected));
}

function has(found: Found, expected: Json): boolean {
  if (Array.isArray(found)) return found.some((item) => isSame(item, expected));
  return isContainer(found) && Object.hasOwn(found, String(expected));
}

function isMatch(found: Found, pattern: Json): boolean {
  return typeof found === 'string' && new RegExp(String(pattern), 'is').test(found);
}

function covers(here: Found, there: Found): boolean {
  if (!isContainer(there)) return here === there && there !== undefined;
  if (!isContainer(here) || Array.isArray(here) !== Array.isArray(there)) return false;
  return Object.entries(there).every(
    ([key, value]) => key === 'operationId' || covers((here as Record<string, Json>)[key], value),
  );
}
