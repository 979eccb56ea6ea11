/** What a request says, whichever part of it says so. */
import type { Json, JsonObject } from '../../contract/src/model.ts';
import type { Call } from './http.ts';

/** Parameters and top-level fields of a request by name. */
export function fieldsOf({ path, query, body }: Call): Record<string, Json> {
  return { ...path, ...query, ...asObject(body) };
}

/** The value, if it is an object; else an empty one. */
export function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
