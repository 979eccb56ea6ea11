/** The fields of a schema as rows of a table. */
import { table } from '../../contract/src/markdown.ts';
import { type Bundle, componentName, openEnum, resolve, type Schema } from '../../contract/src/model.ts';
import { basisMark } from './basis.ts';
import { joined } from './pieces.ts';

export interface Field {
  /** Names from the outermost object, such as `customer.id`; `[]` stands for each item. */
  path: string;
  type: string;
  limits: string;
  required: boolean;
  text: string;
  basis: string;
  /** Lists the shapes that have the field, if a field such as `status` selects between shapes. */
  only?: readonly string[];
}

/** Every field at any depth. Shapes that a field selects between, such as a status, are merged. */
export function listFields(bundle: Bundle, schema: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [], items, oneOf = [], allOf = [], discriminator } = resolve(bundle, schema);
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    return [toField(bundle, path, property, required.includes(name)), ...listFields(bundle, property, `${path}.`)];
  });
  const parts = allOf.flatMap((part) => listFields(bundle, part, prefix));
  const names = Object.entries(discriminator?.mapping ?? {});
  const shapes = oneOf.map((shape) => ({
    name: names.find(([, ref]) => ref === shape.$ref)?.[0] ?? '',
    fields: listFields(bundle, shape, prefix),
  }));
  const each = items ? listFields(bundle, items, `${prefix.replace(/\.$/, '')}[].`) : [];
  return [...own, ...parts, ...merged(shapes), ...each];
}

/** A body: what it is, its shapes if it has several, and its fields. */
export function formatBody(bundle: Bundle, schema: Schema, fieldTable: typeof requestTable): string {
  const { oneOf = [], ...whole } = resolve(bundle, schema);
  const shapes = oneOf.map((shape) => {
    const found = resolve(bundle, shape);
    return `- ${[code(found.properties?.['status']?.const ?? 'other'), described(found)].join(': ')}`;
  });
  return joined([described(whole), shapes.join('\n'), fieldTable(listFields(bundle, schema))]);
}

function described(schema: Schema): string {
  return [(schema.description ?? '').trim().replaceAll(/\s*\n/g, ' '), basisMark(schema)].filter(Boolean).join(' ');
}

export function requestTable(fields: readonly Field[]): string {
  return table(
    ['Field', 'Type', 'Required', 'Limits', 'Meaning'],
    fields.map((field) => [
      `\`${field.path}\``,
      field.type,
      field.required ? 'yes' : 'no',
      field.limits,
      meaning(field),
    ]),
  );
}

/** A table of response fields, with the condition under which each is present. */
export function responseTable(fields: readonly Field[]): string {
  return table(
    ['Field', 'Type', 'Present', 'Meaning'],
    fields.map((field) => [`\`${field.path}\``, field.type, presence(field), meaning(field)]),
  );
}

function meaning({ text, basis }: Field): string {
  return [text.trim().replaceAll(/\s*\n/g, ' '), basis].filter(Boolean).join(' ');
}

function presence({ only, required }: Field): string {
  if (only) return `${required ? 'Only with' : 'Optional, only with'} ${only.map(code).join(', ')}`;
  return required ? 'Always' : 'Optional';
}

function toField(bundle: Bundle, path: string, property: Schema, required: boolean): Field {
  const found = resolve(bundle, property);
  return {
    path,
    type: formatType(bundle, property),
    limits: formatLimits(bundle, { ...found, ...property }),
    required,
    text: property.description ?? found.description ?? '',
    basis: basisMark({ ...found, ...property }),
  };
}

interface Shape {
  name: string;
  fields: Field[];
}

/** One row for a field of several shapes, with each of its values as the type. */
function merged(shapes: readonly Shape[]): Field[] {
  const paths = [...new Set(shapes.flatMap(({ fields }) => fields.map(({ path }) => path)))];
  return paths.flatMap((path) => {
    const having = shapes.filter(({ fields }) => fields.some((field) => field.path === path));
    const found = having.flatMap(({ fields }) => fields.filter((field) => field.path === path));
    const [first] = found;
    if (!first) return [];
    const unique = (key: 'type' | 'text', separator: string) =>
      [...new Set(found.map((field) => field[key].trim().replace(/, always \w+ here/, '')))].join(separator);
    const named = having.every(({ name }) => name);
    return [
      {
        ...first,
        required: found.every((field) => field.required) && (named || having.length === shapes.length),
        type: unique('type', ' or '),
        text: unique('text', ' / '),
        ...(named && having.length < shapes.length && { only: having.map(({ name }) => name) }),
      },
    ];
  });
}

/** The type in words, with the known values of an enumeration. */
function formatType(bundle: Bundle, schema: Schema): string {
  const found = resolve(bundle, schema);
  const open = openEnum(found);
  const isDecline = found.anyOf?.some((branch) => branch['x-decline-reasons']);
  if (isDecline && schema.$ref) return `string, a [decline code](${componentName(schema.$ref)}.md)`;
  if (open) return `string, such as ${open.known.map(code).join(', ')}`;
  if (found.const !== undefined) return code(found.const);
  if (found.enum) return `${found.type ?? 'value'}: ${found.enum.map(code).join(', ')}`;
  if (found.items) return `array of ${formatType(bundle, found.items)}`;
  if (found.oneOf ?? found.allOf) return 'object';
  return [found.type ?? 'any', ...(found.format ? [`(${found.format})`] : [])].join(' ');
}

/** The pattern that only rejects NUL. */
const WITHOUT_NUL = '^[^\\u0000]*$';

/** The accepted values in words. */
function formatLimits(bundle: Bundle, schema: Schema): string {
  const found = schema as Schema & Record<string, unknown>;
  const items = found.items && resolve(bundle, found.items);
  const parts = [
    span(found['minLength'], found['maxLength'], 'characters'),
    span(found['minimum'], found['maximum'], ''),
    span(found['minItems'], found['maxItems'], 'items'),
    span(found['minProperties'], found['maxProperties'], 'members'),
    found.pattern && found.pattern !== WITHOUT_NUL ? `matches \`${found.pattern}\`` : '',
    found['default'] === undefined ? '' : `default ${code(found['default'])}`,
    items && formatLimits(bundle, items) ? `each: ${formatLimits(bundle, items)}` : '',
    openEnum(found) ? formatLimits(bundle, openEnum(found)?.open ?? {}) : '',
  ];
  return parts.filter(Boolean).join('; ');
}

function span(least: unknown, most: unknown, unit: string): string {
  const words = unit && ` ${unit}`;
  const top = most === Number.MAX_SAFE_INTEGER ? '2⁵³ - 1' : most;
  if (most === undefined) return least === undefined ? '' : `at least ${least}${words}`;
  return least === undefined ? `at most ${top}${words}` : `${least} to ${top}${words}`;
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
