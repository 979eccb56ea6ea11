/** Identifies response examples of an operation by status, decline reason, kind of problem, and known fields. */
import type { Json } from '../../../contract/src/model.ts';
import { readString } from '../service/exchange.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** A key shared by an example and the responses that show the same. */
export function exampleKey(walk: SchemaWalk, mediaPointer: string | undefined, value: Json): string {
  const told = ['status', 'decline_reason', 'type'].map((name) => readString(value, name) ?? '');
  return [...told, ...knownFields(walk, mediaPointer, value)].join(' ');
}

function knownFields(walk: SchemaWalk, mediaPointer: string | undefined, value: Json): string[] {
  if (typeof value !== 'object' || value === null || mediaPointer === undefined) return [];
  const unknown = new Set<string>();
  walk.touch(`${mediaPointer}/schema`, value, {
    schema: () => {},
    undeclared: (pointer) => unknown.add(pointer.slice(1)),
  });
  return Object.keys(value)
    .filter((name) => !unknown.has(name))
    .sort();
}
