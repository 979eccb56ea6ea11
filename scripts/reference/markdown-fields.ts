/** The fields of a schema as nested lists. */
import { type Bundle, componentName, type Json, openEnum, resolve, type Schema } from '../../contract/src/model.ts';
import { basisMark } from './basis.ts';
import { METHODS_PAGE } from './payment-methods.ts';
import { joined } from './pieces.ts';

export interface Field {
  name: string;
  type: string;
  /** The known values, with their meanings if the document has them. */
  values: { value: Json; meaning: string }[];
  /** Whether other values are possible. */
  isOpen: boolean;
  /** Limits in words. */
  limits: string[];
  required: boolean;
  /** Lists the shapes that have the field, if a field such as `status` selects between shapes. */
  only?: string[];
  text: string;
  basis: string;
  /** The fields of an object, or of each object of an array. */
  fields: Field[];
}

/** Whether readers send the fields or receive them. */
export type Direction = 'sent' | 'received';

/** The fields of an object, or of each item of an array. Shapes that a field selects between, such as a status, are merged. */
export function listFields(bundle: Bundle, schema: Schema): Field[] {
  const { properties = {}, required = [], oneOf = [], discriminator, items } = flatten(bundle, schema);
  if (items) return listFields(bundle, items);
  const own = Object.entries(properties).map(([name, property]) =>
    toField(bundle, name, property, required.includes(name)),
  );
  const names = Object.entries(discriminator?.mapping ?? {});
  const shapes = oneOf.map((shape) => ({
    name: names.find(([, ref]) => ref === shape.$ref)?.[0] ?? '',
    text: described(resolve(bundle, shape)),
    fields: listFields(bundle, shape),
  }));
  return [...own, ...merge(shapes, discriminator?.propertyName)];
}

/** A body: its description and its fields. */
export function formatBody(bundle: Bundle, schema: Schema, direction: Direction): string {
  return joined([described(flatten(bundle, schema)), fieldList(listFields(bundle, schema), direction)]);
}

/** An item for each field, with the fields in it as its own list. */
export function fieldList(fields: readonly Field[], direction: Direction): string {
  return fields.map((field) => fieldItem(field, direction)).join('\n\n');
}

function fieldItem(field: Field, direction: Direction): string {
  const isListed = field.values.some(({ meaning }) => meaning);
  const codes = field.values.map(({ value }) => code(value));
  const words = [
    field.type,
    presence(field, direction),
    ...(direction === 'sent' ? field.limits : []),
    !isListed && codes.length > 0 && inWords(codes),
    field.isOpen && 'other values possible',
  ];
  const parts = [
    `**\`${field.name}\`** ${joined(words, ', ')}`,
    joined([oneLine(field.text), field.basis], ' '),
    isListed && field.values.map(({ meaning }, index) => joined([`- ${codes[index]}`, meaning], ': ')).join('\n'),
    fieldList(field.fields, direction),
  ];
  return `- ${joined(parts).replaceAll(/\n(?=.)/g, '\n  ')}`;
}

function inWords(codes: readonly string[]): string {
  return codes.length === 1 ? `always ${codes[0]}` : `one of ${codes.join(', ')}`;
}

function presence({ only, required }: Field, direction: Direction): string {
  if (only) return `${required ? 'only' : 'optional, only'} with ${only.map(code).join(', ')}`;
  if (direction === 'sent') return required ? '*required*' : '';
  return required ? '' : 'optional';
}

function described(schema: Schema): string {
  return joined([oneLine(schema.description ?? ''), basisMark(schema)], ' ');
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n/g, ' ');
}

/** A schema with the keywords of all that it refers to. Its own keywords take precedence. */
function flatten(bundle: Bundle, { $ref, allOf = [], ...own }: Schema): Schema {
  const referred = $ref ? [resolve(bundle, { $ref } as Schema)] : [];
  const parts = [...[...referred, ...allOf].map((part) => flatten(bundle, part)), own];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function toField(bundle: Bundle, name: string, property: Schema, required: boolean): Field {
  const found = flatten(bundle, property);
  const each = found.items ? flatten(bundle, found.items) : found;
  return {
    name,
    type: formatType(bundle, property),
    values: listValues(each),
    isOpen: openEnum(each) !== undefined,
    limits: formatLimits(bundle, found),
    required,
    text: found.description ?? '',
    basis: basisMark(found),
    fields: listFields(bundle, found),
  };
}

interface Shape {
  name: string;
  text: string;
  fields: Field[];
}

/** Merges the fields of several shapes by name. Each value of the selecting field is explained by its shape. */
function merge(shapes: readonly Shape[], selecting?: string): Field[] {
  const names = new Set(shapes.flatMap(({ fields }) => fields.map(({ name }) => name)));
  const isNamed = shapes.every(({ name }) => name);
  return [...names].map((name) => {
    const having = shapes.flatMap((shape) => {
      const field = shape.fields.find((one) => one.name === name);
      return field ? [{ ...shape, field }] : [];
    });
    const found = having.map(({ field }) => field);
    const unique = (texts: string[]) => [...new Set(texts)].join(' / ');
    const values = found.flatMap((field) => field.values);
    return {
      ...(found[0] as Field),
      type: unique(found.map(({ type }) => type)),
      values:
        name === selecting
          ? shapes.map((shape) => ({ value: shape.name, meaning: shape.text }))
          : values.filter(({ value }, index) => values.findIndex((one) => one.value === value) === index),
      required: found.every(({ required }) => required) && (isNamed || having.length === shapes.length),
      text: unique(found.map(({ text }) => oneLine(text).replace(/, always \w+ here/, ''))),
      fields: merge(having.map(({ field, ...shape }) => ({ ...shape, fields: field.fields }))),
      ...(isNamed && having.length < shapes.length && { only: having.map((shape) => shape.name) }),
    };
  });
}

/** The known values with their meanings. Decline codes have pages instead. */
function listValues(schema: Schema): Field['values'] {
  if (schema.const !== undefined) return [{ value: schema.const, meaning: '' }];
  const branch = schema.anyOf?.find((one) => one.enum) ?? schema;
  if (branch['x-decline-reasons']) return [];
  return (branch.enum ?? []).map((value) => ({
    value,
    meaning: branch['x-enumDescriptions']?.[String(value)] ?? '',
  }));
}

/** The type in words. */
function formatType(bundle: Bundle, schema: Schema): string {
  const found = flatten(bundle, schema);
  const { type, anyOf = [], oneOf = anyOf, additionalProperties: values } = found;
  if (schema.$ref && anyOf.some((branch) => branch['x-decline-reasons']))
    return `string, a [decline code](${componentName(schema.$ref)}.md)`;
  if (schema.$ref && /MethodType$/.test(schema.$ref)) return `string, a [payment method](${METHODS_PAGE}.md)`;
  if (found.items) return `array of ${formatType(bundle, found.items)}`;
  if (typeof values === 'object' && Object.keys(found.properties ?? {}).length === 0)
    return `object of ${formatType(bundle, values)}`;
  if (type) return joined([type, found.format && `(${found.format})`], ' ');
  if (oneOf.length > 0) return [...new Set(oneOf.map((one) => formatType(bundle, one)))].join(' or ');
  const [value] = listValues(found);
  return value ? typeof value.value : 'any';
}

/** The pattern that only rejects NUL. */
const WITHOUT_NUL = '^[^\\u0000]*$';

/** The accepted values in words. */
function formatLimits(bundle: Bundle, schema: Schema): string[] {
  const found = schema as Schema & Record<string, unknown>;
  const each = found.items ? formatLimits(bundle, flatten(bundle, found.items)) : [];
  const { open } = openEnum(found) ?? {};
  const parts = [
    span(found['minLength'], found['maxLength'], 'characters'),
    span(found['minimum'], found['maximum'], ''),
    span(found['minItems'], found['maxItems'], 'items'),
    span(found['minProperties'], found['maxProperties'], 'members'),
    found.pattern && found.pattern !== WITHOUT_NUL ? formatPattern(found) : '',
    found['default'] === undefined ? '' : `default ${code(found['default'])}`,
    each.length > 0 ? `each ${each.join(', ')}` : '',
  ];
  return [...parts.filter(Boolean), ...(open ? formatLimits(bundle, open) : [])];
}

/** The rule that the service names when a value breaks it, or the pattern. */
function formatPattern(schema: Schema & { 'x-violations'?: { pattern?: string } }): string {
  return schema['x-violations']?.pattern ?? `matches ${code(schema.pattern)}`;
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
