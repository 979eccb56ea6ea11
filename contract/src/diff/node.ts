/** Values of a document with the pointers to where they are written, and references followed. */
import { atPointer, isObject, type Json, type JsonObject } from '../model.ts';
import { toPointer } from '../pointer.ts';
import type { Comparison } from './change.ts';

/** A value together with the pointer to where it is written. */
export interface Node<T = Json> {
  value: T;
  pointer: string;
}

/** An empty object without a prototype, in which no name is found by accident. */
function nothing(): JsonObject {
  return Object.create(null) as JsonObject;
}

/** A copy whose objects have no prototype, so that a field may be called `constructor`. */
export function bare(document: JsonObject): JsonObject {
  const copy = nothing();
  for (const [key, value] of Object.entries(document)) copy[key] = bareValue(value);
  return copy;
}

function bareValue(value: Json): Json {
  return Array.isArray(value) ? value.map(bareValue) : isObject(value) ? bare(value) : value;
}

/** The node itself, or the target of its `$ref`, which siblings of the `$ref` override. */
export function follow(comparison: Comparison, side: 'base' | 'revision', node: Node): Node<JsonObject> {
  let { value, pointer } = node;
  let beside: JsonObject = {};
  while (isObject(value) && typeof value['$ref'] === 'string') {
    const { $ref, ...others } = value;
    beside = { ...others, ...beside };
    pointer = String($ref).slice(1);
    comparison.reached.add(pointer);
    value = atPointer(comparison[side], pointer) as Json;
  }
  return { value: Object.assign(nothing(), asObject(value), beside), pointer };
}

/** The node under a key; an empty object replaces a missing one. */
export function child(node: Node<JsonObject>, key: string): Node {
  return { value: node.value[key] ?? nothing(), pointer: node.pointer + toPointer(key) };
}

/** The object under a key; empty when there is none. */
export function childObject(node: Node<JsonObject>, key: string): Node<JsonObject> {
  const found = child(node, key);
  return { value: asObject(found.value), pointer: found.pointer };
}

/** The objects of the list under a key, by name. */
export function listObjects(
  node: Node<JsonObject>,
  key: string,
  readName: (value: JsonObject) => string,
): Map<string, Node<JsonObject>> {
  const list = node.value[key];
  return new Map(
    (Array.isArray(list) ? list : []).map((entry, index) => {
      const value = asObject(entry);
      return [readName(value), { value, pointer: node.pointer + toPointer(key, index) }];
    }),
  );
}

/** The keys of both objects, starting with the first object's. */
export function unionKeys(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

/**
 * Returns the value if it is an object, otherwise an empty one. As schemas, `false` accepts no value and `true` accepts
 * all.
 */
export function asObject(value: Json | undefined): JsonObject {
  if (value === false) return Object.assign(nothing(), { not: true });
  return isObject(value) ? value : nothing();
}

/** The value as a list of strings; empty when it is not an array. */
export function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A value for people, short. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
