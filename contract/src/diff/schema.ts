/** Compares two schemas, as part of a message that goes in one direction. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../model.ts';
import { toPointer } from '../pointer.ts';
import { addition, effect, removal, type Scope } from './change.ts';
import { compareRest } from './fields.ts';
import { isEditorial, RULES } from './keywords.ts';
import { asObject, child, childObject, follow, type Node, show, strings, unionKeys } from './node.ts';

type Pair = { before: Node<JsonObject>; after: Node<JsonObject> };

/** State of the walk: `path` holds the pairs of pointers above, which ends recursion; `open` see compareUnions. */
interface Walk extends Scope {
  path?: readonly string[];
  open?: boolean;
}

const STRUCTURE = new Set(['properties', 'required', 'additionalProperties', 'items', 'allOf', 'enum', 'const']);

export function compareSchemas(walk: Walk, old: Node, now: Node): void {
  if (walk.comparison.same(old.value, now.value)) return;
  const pair = { before: follow(walk.comparison, 'base', old), after: follow(walk.comparison, 'revision', now) };
  const step = `${pair.before.pointer} ${pair.after.pointer}`;
  const path = walk.path ?? [];
  if (path.includes(step)) return;
  const inside = { ...walk, path: [...path, step] };
  const words = [unionWord(pair.before.value), unionWord(pair.after.value)] as const;
  if (words[0] ?? words[1]) compareUnions(inside, pair, { before: old, after: now });
  if ((words[0] === undefined) !== (words[1] === undefined)) return;
  compareValues(inside, pair);
  compareObjects(inside, pair);
  compareItems(inside, pair);
  compareParts(inside, branches(pair.before, 'allOf'), branches(pair.after, 'allOf'), {
    gained: (at, name) => effect(walk, 'narrows', at, `allOf now also demands ${name}`),
    lost: (at, name) => effect(walk, 'widens', at, `allOf no longer demands ${name}`),
  });
  compareKeywords(walk, pair, words);
}

function compareKeywords(walk: Scope, { before, after }: Pair, words: readonly (string | undefined)[]): void {
  const skipped = new Set([...STRUCTURE, ...words.flatMap((word) => word ?? [])]);
  if (words[0] !== words[1]) {
    effect(walk, words[1] === 'oneOf' ? 'narrows' : 'widens', after.pointer, `${words[0]} is now ${words[1]}`);
  }
  for (const [key, rule] of Object.entries(RULES)) {
    const [old, now] = [before.value[key], after.value[key]];
    skipped.add(key);
    if (isDeepStrictEqual(old, now)) continue;
    effect(walk, rule(old, now), after.pointer + toPointer(key), `${key}: ${show(old)} → ${show(now)}`);
  }
  if (words[0]) compareDiscriminators(walk, { before, after }, words[0]);
  compareRest(walk, before, after, new Set([...skipped, ...(words[0] ? ['discriminator'] : [])]));
}

// --- unions -------------------------------------------------------------------------------------------------------

interface Branch {
  name: string;
  node: Node;
}

function unionWord(schema: JsonObject): string | undefined {
  return ['anyOf', 'oneOf'].find((word) => Array.isArray(schema[word]));
}

/**
 * A schema without anyOf and oneOf counts as a union of one, so that a type can be compared with a union that it joined.
 * A union is open when a plain string is among its branches: a value that it gains was valid before.
 */
function compareUnions(walk: Walk, { before, after }: Pair, written: { before: Node; after: Node }): void {
  const byValue = hasValueForEach(before) && hasValueForEach(after);
  const old = unionBranches(before, written.before, byValue);
  const now = unionBranches(after, written.after, byValue);
  const open = old.some(({ name }) => name === 'string');
  compareParts({ ...walk, open }, old, now, {
    gained: (at, name) => effect(walk, 'widens', at, `variant ${name} added`),
    lost: (at, name) => removal(walk, at, `variant ${name} removed`),
  });
}

function unionBranches(schema: Node<JsonObject>, written: Node, byValue: boolean): Branch[] {
  const word = unionWord(schema.value);
  if (!word) return [{ name: branchName(written.value), node: written }];
  return byValue ? branches(schema, word).map((branch) => namedByValue(schema.value, branch)) : branches(schema, word);
}

/** Messages carry the discriminator's value and no names of schemas, so a variant with another name is the same one. */
function namedByValue(union: JsonObject, branch: Branch): Branch {
  const ref = asObject(branch.node.value)['$ref'];
  const [value] = Object.entries(readMapping(union)).find(([, target]) => target === ref) ?? [branch.name];
  return { ...branch, name: value };
}

function readMapping(union: JsonObject): JsonObject {
  return asObject(asObject(union['discriminator'])['mapping']);
}

/** Whether each variant has one value of the discriminator. */
function hasValueForEach({ value }: Node<JsonObject>): boolean {
  const refs = Object.values(readMapping(value));
  const variants = value[unionWord(value) ?? ''];
  return (
    Array.isArray(variants) &&
    variants.length === refs.length &&
    variants.every((variant) => refs.includes(asObject(variant)['$ref'] ?? null))
  );
}

function branches({ value, pointer }: Node<JsonObject>, word: string): Branch[] {
  const list = value[word];
  const seen = new Map<string, number>();
  return (Array.isArray(list) ? list : []).map((branch, index) => {
    const name = branchName(branch);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return {
      name: count === 1 ? name : `${name} (${count})`,
      node: { value: branch, pointer: pointer + toPointer(word, index) },
    };
  });
}

/** Identifies a branch among its neighbors, whatever their order. */
function branchName(value: Json): string {
  if (!isObject(value)) return String(value);
  if (typeof value['$ref'] === 'string') return value['$ref'].slice(value['$ref'].lastIndexOf('/') + 1);
  if (value['const'] !== undefined) return show(value['const']);
  return value['enum'] ? `known values` : show(value['type'] ?? 'schema');
}

interface PartNotes {
  gained: (pointer: string, name: string) => void;
  lost: (pointer: string, name: string) => void;
}

function compareParts(walk: Walk, before: Branch[], after: Branch[], notes: PartNotes): void {
  for (const { name, node } of before) {
    const other = after.find((branch) => branch.name === name);
    if (other) compareSchemas(walk, node, other.node);
    else notes.lost(node.pointer, name);
  }
  for (const { name, node } of after) {
    if (!before.some((branch) => branch.name === name)) notes.gained(node.pointer, name);
  }
}

/** Ignores a mapping value added, removed or renamed along with its variant. */
function compareDiscriminators(walk: Scope, { before, after }: Pair, word: string): void {
  const [old, now] = [childObject(before, 'discriminator'), childObject(after, 'discriminator')];
  const [oldMapping, newMapping] = [childObject(old, 'mapping'), childObject(now, 'mapping')];
  const listed = (schema: Node<JsonObject>, ref: Json | undefined) =>
    branches(schema, word).some(({ node }) => isObject(node.value) && node.value['$ref'] === ref);
  for (const key of unionKeys(oldMapping.value, newMapping.value)) {
    const [from, to] = [oldMapping.value[key], newMapping.value[key]];
    if (from === to) continue;
    const at = newMapping.pointer + toPointer(key);
    if (from === undefined && !listed(before, to)) continue;
    if (to === undefined && !listed(after, from)) continue;
    if (listed(before, from) && !listed(before, to) && listed(after, to) && !listed(after, from)) continue;
    effect(walk, 'alters', at, `discriminator ${key}: ${show(from)} → ${show(to)}`);
  }
  compareRest(walk, old, now, new Set(['mapping']));
}

// --- values -------------------------------------------------------------------------------------------------------

function compareValues(walk: Walk, { before, after }: Pair): void {
  const [old, now] = [readValues(before), readValues(after)];
  const list = (values: Json[]) => values.map((value) => show(value)).join(', ');
  if (old && now) compareLists(walk, old.values, now);
  else if (now) effect(walk, 'narrows', now.pointer, `only ${list(now.values)} allowed now`);
  else if (old) effect(walk, 'widens', after.pointer, `any value allowed now, was ${list(old.values)}`);
}

function compareLists(walk: Walk, old: Json[], now: Values): void {
  const without = (values: Json[], others: Json[]) =>
    values.filter((value) => !others.some((other) => isDeepStrictEqual(value, other)));
  for (const value of without(old, now.values)) removal(walk, now.pointer, `value ${show(value)} removed`);
  for (const value of without(now.values, old)) {
    if (walk.open) addition(walk, now.pointer, `known value ${show(value)} added to an open enumeration`);
    else effect(walk, 'widens', now.pointer, `value ${show(value)} added`);
  }
}

type Values = { values: Json[]; pointer: string };

function readValues({ value, pointer }: Node<JsonObject>): Values | undefined {
  if (value['const'] !== undefined) return { values: [value['const']], pointer: `${pointer}/const` };
  return Array.isArray(value['enum']) ? { values: value['enum'], pointer: `${pointer}/enum` } : undefined;
}

// --- objects and lists --------------------------------------------------------------------------------------------

function compareObjects(walk: Walk, { before, after }: Pair): void {
  const [old, now] = [childObject(before, 'properties'), childObject(after, 'properties')];
  const required = { old: strings(before.value['required']), now: strings(after.value['required']) };
  for (const name of new Set([...unionKeys(old.value, now.value), ...required.old, ...required.now])) {
    const [gone, added] = [now.value[name] === undefined, old.value[name] === undefined];
    const must = { old: required.old.includes(name), now: required.now.includes(name) };
    if (gone && !added) removal(walk, child(old, name).pointer, `field ${name} removed`);
    else if (added && !gone) addField(walk, before, child(now, name), { name, must: must.now });
    else {
      compareRequired(walk, `${after.pointer}/required`, name, must);
      compareSchemas({ ...walk, open: false }, child(old, name), child(now, name));
    }
  }
  compareFurtherFields(walk, before, after);
}

function addField(walk: Walk, before: Node<JsonObject>, field: Node, { name, must }: { name: string; must: boolean }) {
  if (must) effect(walk, 'narrows', field.pointer, `required field ${name} added`);
  else addition(walk, field.pointer, `optional field ${name} added`);
  compareWithFurther(walk, before, field);
}

/** A new field had the schema of further fields until now, if there was one. */
function compareWithFurther(walk: Walk, before: Node<JsonObject>, field: Node): void {
  const further = before.value['additionalProperties'];
  if (!isObject(further)) return;
  const { value, pointer } = follow(walk.comparison, 'revision', field);
  const rules = Object.fromEntries(Object.entries(value).filter(([key]) => !isEditorial(key)));
  const from = { value: further, pointer: `${before.pointer}/additionalProperties` };
  compareSchemas({ ...walk, open: false }, from, { value: rules, pointer });
}

/** Notes that a named part of a message became required or optional. */
export function compareRequired(
  scope: Scope,
  pointer: string,
  name: string,
  { old, now }: { old: boolean; now: boolean },
): void {
  if (old !== now)
    effect(scope, now ? 'narrows' : 'widens', pointer, `${name} is now ${now ? 'required' : 'optional'}`);
}

/** Readers ignore fields that they do not know (assumption unknown-fields), so allowing more of them does not break a reader. */
function compareFurtherFields(walk: Walk, before: Node<JsonObject>, after: Node<JsonObject>): void {
  const [old = true, now = true] = [before.value['additionalProperties'], after.value['additionalProperties']];
  const at = `${after.pointer}/additionalProperties`;
  if (isObject(old) && isObject(now)) {
    const from = { value: old, pointer: `${before.pointer}/additionalProperties` };
    compareSchemas({ ...walk, open: false }, from, { value: now, pointer: at });
  } else if (!isDeepStrictEqual(old, now)) {
    const message = `further fields: ${show(old)} → ${show(now)}`;
    if (old === false || now === true) addition(walk, at, message);
    else effect(walk, 'narrows', at, message);
  }
}

function compareItems(walk: Walk, { before, after }: Pair): void {
  const [old, now] = [before.value['items'], after.value['items']];
  const at = `${after.pointer}/items`;
  if (old !== undefined && now !== undefined) {
    const from = { value: old, pointer: `${before.pointer}/items` };
    compareSchemas({ ...walk, open: false }, from, { value: now, pointer: at });
  } else if (old !== now) {
    effect(walk, now === undefined ? 'widens' : 'narrows', at, `items: ${show(old)} → ${show(now)}`);
  }
}
