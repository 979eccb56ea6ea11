/** The fields of a schema as rows, for the Markdown pages. */
import { type Bundle, openEnum, resolve, type Schema } from '../../contract/src/model.ts';
import { basisLine } from './annotate.ts';

export interface Field {
  /** Names from the outermost object, such as `customer.id`; `[]` stands for each item. */
  path: string;
  type: string;
  required: boolean;
  text: string;
  basis: string;
}

/** Every field at any depth. Shapes that a field selects between, such as a status, follow one another. */
export function fieldsOf(bundle: Bundle, schema: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [], items, oneOf = [], allOf = [] } = resolve(bundle, schema);
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    return [fieldOf(bundle, path, property, required.includes(name)), ...fieldsOf(bundle, property, `${path}.`)];
  });
  const parts = allOf.flatMap((part) => fieldsOf(bundle, part, prefix));
  const shapes = oneOf.map((shape) => fieldsOf(bundle, shape, prefix));
  const each = items ? fieldsOf(bundle, items, `${prefix.replace(/\.$/, '')}[].`) : [];
  return [...own, ...parts, ...merged(shapes), ...each];
}

function fieldOf(bundle: Bundle, path: string, property: Schema, required: boolean): Field {
  const found = resolve(bundle, property);
  return {
    path,
    type: typeOf(bundle, property),
    required,
    text: property.description ?? found.description ?? '',
    basis: basisLine({ ...found, ...property } as never),
  };
}

/** One row for a field of several shapes: required if it is in every one, with each of its values as the type. */
function merged(shapes: Field[][]): Field[] {
  const paths = [...new Set(shapes.flatMap((shape) => shape.map(({ path }) => path)))];
  return paths.flatMap((path) => {
    const found = shapes.flatMap((shape) => shape.filter((field) => field.path === path));
    const [first] = found;
    if (!first) return [];
    const required = found.length === shapes.length && found.every((field) => field.required);
    const unique = (key: 'type' | 'text', separator: string) =>
      [...new Set(found.map((field) => field[key].trim().replace(/, always \w+ here/, '')))].join(separator);
    return [{ ...first, required, type: unique('type', ' or '), text: unique('text', ' / ') }];
  });
}

/** The type in words, with the known values of an enumeration. */
function typeOf(bundle: Bundle, schema: Schema): string {
  const found = resolve(bundle, schema);
  const open = openEnum(found);
  const code = (value: unknown) => `\`${String(value)}\``;
  if (open) return `string, such as ${open.known.map(code).join(', ')}`;
  if (found.const !== undefined) return code(found.const);
  if (found.enum) return `${found.type ?? 'value'}: ${found.enum.map(code).join(', ')}`;
  if (found.items) return `array of ${typeOf(bundle, found.items)}`;
  if (found.oneOf ?? found.allOf) return 'object';
  return [found.type ?? 'any', ...(found.format ? [`(${found.format})`] : [])].join(' ');
}
