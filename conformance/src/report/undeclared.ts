/** Fields of a message that the contract doesn't declare. It allows them, and reports list them. */
import { type Bundle, type Json, resolve, type Schema } from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';

/** JSON pointers into the value; `*` stands for any index. */
export function listUndeclared(bundle: Bundle, schema: Schema, value: Json, at = ''): string[] {
  const parts = listParts(bundle, schema, value);
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    return items.flatMap((item) => value.flatMap((one) => listUndeclared(bundle, item, one, `${at}/*`)));
  }
  if (!isObject(value) || parts.every(({ properties }) => properties === undefined)) return [];
  const isOpen = parts.some(({ additionalProperties = false }) => additionalProperties !== false);
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = at + toPointer(name);
    const declared = parts.flatMap(({ properties = {} }) => (Object.hasOwn(properties, name) ? properties[name] : []));
    if (declared.length === 0) return isOpen ? [] : [here];
    return declared.flatMap((one) => (one ? listUndeclared(bundle, one, inner, here) : []));
  });
}

/** The schema with all its parts, and the variant that the discriminator names. */
function listParts(bundle: Bundle, schema: Schema, value: Json): Schema[] {
  const whole = resolve<Schema>(bundle, schema as { $ref: string });
  const { allOf = [], anyOf = [], oneOf = [], discriminator } = whole;
  const name = discriminator && isObject(value) ? String(value[discriminator.propertyName]) : '';
  const variant = discriminator && Object.hasOwn(discriminator.mapping, name) ? discriminator.mapping[name] : undefined;
  const variants = variant === undefined ? oneOf : oneOf.filter(({ $ref }) => $ref === variant);
  return [whole, ...[...allOf, ...anyOf, ...variants].flatMap((part) => listParts(bundle, part, value))];
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
