/**
 * Compares fields without a dedicated rule. Prose is editorial, the table below rates known fields, and everything else
 * counts as breaking.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../model.ts';
import { toPointer } from '../pointer.ts';
import { type Comparison, effect, type Level, type Scope } from './change.ts';
import { isEditorial } from './keywords.ts';
import { type Node, show, unionKeys } from './node.ts';

type Rating = (scope: Scope, before: Json | undefined, after: Json | undefined) => Level;

/** Fields whose change is rated by who meets it. */
const RATINGS: Record<string, Rating> = {
  deprecated: (_, before, after) => (after === true || before === undefined ? 'minor' : 'patch'),
  default: ({ direction }, before) => {
    if (direction === 'toMerchant') return 'patch';
    return before === undefined ? 'minor' : 'major';
  },
};

/** Compares every field but `skipped`. */
export function compareRest(
  scope: Scope,
  before: Node<JsonObject>,
  after: Node<JsonObject>,
  skipped: ReadonlySet<string>,
): void {
  for (const key of unionKeys(before.value, after.value)) {
    const [old, now] = [before.value[key], after.value[key]];
    if (skipped.has(key) || isDeepStrictEqual(old, now)) continue;
    const pointer = after.pointer + toPointer(key);
    if (isEditorial(key)) {
      compareWords(scope.comparison, key, old, now, pointer, scope.place);
      continue;
    }
    const level = RATINGS[key]?.(scope, old, now);
    const message = `${key}: ${show(old)} → ${show(now)}`;
    if (level && level !== 'major') scope.comparison.add({ level, pointer, message }, scope.place);
    else effect(scope, 'alters', pointer, message);
  }
}

/** Reports an editorial change; for a table, the changed entries. */
export function compareWords(
  comparison: Comparison,
  name: string,
  before: Json | undefined,
  after: Json | undefined,
  pointer: string,
  place?: string,
): void {
  if (isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of unionKeys(before, after)) {
      compareWords(comparison, `${name} ${key}`, before[key], after[key], pointer + toPointer(key), place);
    }
    return;
  }
  const verb = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  comparison.add({ level: 'patch', pointer, message: `${name} ${verb}` }, place);
}
