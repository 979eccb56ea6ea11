import type { Json, JsonObject } from '../model.ts';

/** The example with other values of some of its fields. What repeats a value changes too, as the amounts to choose from do. */
export function replaceFields(example: JsonObject, values: JsonObject): JsonObject {
  const changed = Object.entries(values).filter(([name, value]) => name in example && example[name] !== value);
  const replaced = changed.map(([name, value]) => [example[name] as Json, value] as const);
  return Object.fromEntries(
    Object.entries(example).map(([name, old]) => [name, values[name] ?? withReplaced(old, replaced)]),
  );
}

/** Of a list with a replaced value, the new one alone is left: the others are unknown. */
function withReplaced(value: Json, replaced: readonly (readonly [Json, Json])[]): Json {
  const change = replaced.find(([old]) => old === value);
  if (change) return change[1];
  if (Array.isArray(value)) {
    const listed = replaced.find(([old]) => value.includes(old));
    return listed ? [listed[1]] : value.map((one) => withReplaced(one, replaced));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withReplaced(one, replaced)]));
}
