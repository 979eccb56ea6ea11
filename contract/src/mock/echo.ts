/** Copies values of the request into an example: the ID, and the fields of a creation. */
import { type Bundle, type Json, type JsonObject, resolve, type Schema } from '../model.ts';
import { replaceFields } from './replace.ts';
import { ID } from './status-examples.ts';
import { type CheckedCall, requestedId } from './transactions.ts';

/** The body of a successful response with the values of the request, and of the transaction that its ID names. */
export function echo(
  bundle: Bundle,
  call: CheckedCall,
  schema: Schema,
  example: JsonObject,
  transaction: JsonObject | undefined,
): JsonObject {
  const { properties = {} } = selectVariant(bundle, schema, example);
  if (!(ID in properties)) return example;
  const given = collectGivenValues(bundle, call);
  const fields = Object.keys(example).flatMap((name) => {
    const value =
      determined(name, properties[name] ?? {}, given) ?? (name === 'status' ? undefined : transaction?.[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return replaceFields(example, Object.fromEntries(fields));
}

/** The schema that describes the value: of a union, the variant that its discriminator selects. */
export function selectVariant(bundle: Bundle, schema: Schema, value: JsonObject): Schema {
  const { discriminator, ...own } = resolve(bundle, schema);
  const $ref = discriminator?.mapping[String(value[discriminator.propertyName])];
  return $ref === undefined ? own : resolve<Schema>(bundle, { $ref });
}

interface Given {
  name: string;
  value: Json;
  $ref?: string | undefined;
}

function collectGivenValues(bundle: Bundle, call: CheckedCall): Given[] {
  const { operation, parameters, body } = call;
  const { properties = {} } = operation.request ? selectVariant(bundle, operation.request.schema, {}) : {};
  const id = requestedId(call);
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

/** Copies the request field with the same name, or else the one with the same schema. */
function determined(name: string, { $ref }: Schema, given: readonly Given[]): Json | undefined {
  const same = given.find((one) => one.name === name);
  return (same ?? given.find((one) => $ref !== undefined && one.$ref === $ref))?.value;
}
