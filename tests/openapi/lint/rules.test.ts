import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../../contract/src/model.ts';
import { parsePointer } from '../../../contract/src/pointer.ts';
import { CASES } from './cases.ts';
import { type Finding, lintDocuments, RULES } from './lint.ts';

const sound = parse(await readFile(new URL('sound.yaml', import.meta.url), 'utf8')) as JsonObject;

const ROWS = Object.entries(CASES).flatMap(([rule, rows]) =>
  rows.map(([change, message, at = String(Object.keys(change)[0])]) => ({ rule, change, message, at })),
);

let findings: Finding[][];
let ofSound: Finding[];

beforeAll(async () => {
  const broken = ROWS.map(({ change }) => changed(sound, change));
  [ofSound = [], ...findings] = await lintDocuments([sound, ...broken]);
});

describe('the rules', () => {
  it('accept the valid document', () => {
    expect(ofSound).toEqual([]);
  });

  it('are each broken by a case', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(RULES.toSorted());
  });
});

describe.each(ROWS.map((row, index) => ({ ...row, index })))('$rule', ({ rule, message, at, index }) => {
  it(`reports at ${at}: ${message}`, () => {
    const found = findings[index]?.filter((finding) => finding.rule === rule);
    expect(found).toContainEqual({ rule, message: expect.stringContaining(message), pointer: at });
  });
});

/** A copy of a document with other values at the pointers. */
function changed(document: JsonObject, change: Record<string, Json | undefined>): JsonObject {
  const copy = structuredClone(document);
  for (const [pointer, value] of Object.entries(change)) {
    const path = parsePointer(pointer);
    const last = path.pop() as string;
    const parent = path.reduce<JsonObject>((node, key) => node[key] as JsonObject, copy);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return copy;
}
