/** Puts what the request determines into an example: the ID, and the fields that a creation gives. */
import { type Bundle, type Json, type JsonObject, resolve, type Schema } from '../model.ts';
import { ID } from './status-examples.ts';
import { type CheckedCall, idOf } from './transactions.ts';

/** The body of a successful response with the values of the request, and of the transaction that its ID names. */
export function echo(
  bundle: Bundle,
  call: CheckedCall,
  schema: Schema,
  example: JsonObject,
  transaction: JsonObject | undefined,
): JsonObject {
  const { properties = {} } = variantOf(bundle, schema, example);
  if (!(ID in properties)) return example;
  const given = givenBy(bundle, call);
  const body: JsonObject = {};
  const replaced: [Json, Json][] = [];
  for (const name of new Set([...Object.keys(example), ...Object.keys(properties)])) {
    const old = example[name];
    const value = determined(name, properties[name] ?? {}, given, old, transaction) ?? old;
    if (value === undefined) continue;
    body[name] = value;
    if (old !== undefined && old !== value) replaced.push([old, value]);
  }
  for (const [name, value] of Object.entries(body)) {
    if (value === example[name]) body[name] = withReplaced(value, replaced);
  }
  return body;
}

/** The schema that describes the value: of a union, the variant that its discriminator selects. */
export function variantOf(bundle: Bundle, schema: Schema, value: JsonObject): Schema {
  const { discriminator, ...own } = resolve<Schema>(bundle, schema as { $ref: string });
  const $ref = discriminator?.mapping[String(value[discriminator.propertyName])];
  return $ref === undefined ? own : resolve<Schema>(bundle, { $ref });
}

interface Given {
  name: string;
  value: Json;
  $ref?: string | undefined;
}

function givenBy(bundle: Bundle, call: CheckedCall): Given[] {
  const { operation, parameters, body } = call;
  const { properties = {} } = operation.request ? variantOf(bundle, operation.request.schema, {}) : {};
  const id = idOf(call);
  return [
    ...(id === undefined ? [] : [{ name: ID, value: id }]),
    ...Object.entries(parameters).map(([name, value]) => ({ name, value })),
    ...Object.entries((body ?? {}) as JsonObject).map(([name, value]) => ({
      name,
      value,
      $ref: properties[name]?.$ref,
    })),
  ];
}

/** A field has the value of the request's field with the same name, or of the one that has the same schema. */
function determined(
  name: string,
  { $ref }: Schema,
  given: readonly Given[],
  old: Json | undefined,
  transaction: JsonObject | undefined,
): Json | undefined {
  const same = given.find((one) => one.name === name);
  if (same) return same.value;
  if (old === undefined) return undefined;
  const alike = $ref === undefined ? undefined : given.find((one) => one.$ref === $ref);
  return alike?.value ?? (name === 'status' ? undefined : transaction?.[name]);
}

/** Repeats a change in what had the same value. Of a list with that value, the new one alone is left: the rest is unknown. */
function withReplaced(value: Json, replaced: readonly [Json, Json][]): Json {
  const change = replaced.find(([old]) => old === value);
  if (change) return change[1];
  if (Array.isArray(value)) {
    const listed = replaced.find(([old]) => value.includes(old));
    return listed ? [listed[1]] : value.map((one) => withReplaced(one, replaced));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withReplaced(one, replaced)]));
}
