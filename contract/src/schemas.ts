/**
 * Validators for the contract's schemas. If a discriminator selects a variant, only that variant is validated, so one
 * mistake gives one violation.
 */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { type Bundle, type Json, type JsonObject, resolve, type Schema } from './model.ts';
import { toPointer } from './pointer.ts';

export interface Mistake {
  /** JSON pointer into the value. */
  pointer: string;
  expected: string;
  keyword: string;
  /** JSON pointer, in the document, of the schema whose keyword is broken; empty for a schema from elsewhere. */
  schema: string;
}

/** Returns all violations, empty if the value conforms. */
export type Validate = (value: Json) => Mistake[];

const DOCUMENT = 'contract';

/** Prepares the contract; the result compiles a schema of it, given as the schema or as a reference to it. */
export function compile(bundle: Bundle): (schema: Schema | string) => Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
  const places = locateNodes(bundle);
  ajvFormats.default(ajv);
  ajv.addSchema(bundle as object, DOCUMENT);

  const compiled = new Map<string, Validate>();
  return (given) => {
    const schema = typeof given === 'string' ? { $ref: given } : given;
    // Equal schemas in two places have mistakes in two places.
    const key = (schema.$ref === undefined && places.get(schema)) || JSON.stringify(schema);
    const known = compiled.get(key);
    if (known) return known;
    const validate = byVariant(bundle, places, schema, (one) => plain(ajv, places, one));
    compiled.set(key, validate);
    return validate;
  };
}

function plain(ajv: Ajv2020, places: Places, schema: Schema): Validate {
  const check = ajv.compile(withinDocument(places, schema) as object);
  return (value) => (check(value) ? [] : (check.errors ?? []).map((error) => readError(places, error)));
}

/** Pointers of the document's objects. Ajv reports the very object whose keyword is broken. */
type Places = Map<unknown, string>;

function locateNodes(bundle: Bundle): Places {
  const places = new Map<unknown, string>();
  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== 'object' || node === null) return;
    places.set(node, pointer);
    for (const [key, value] of Object.entries(node)) visit(value, pointer + toPointer(key));
  };
  visit(bundle, '');
  return places;
}

function byVariant(bundle: Bundle, places: Places, schema: Schema, build: (schema: Schema) => Validate): Validate {
  const union = resolve(bundle, schema);
  const { discriminator } = union;
  if (!discriminator) return build(schema);
  const { propertyName, mapping } = discriminator;
  const variants = new Map(Object.entries(mapping).map(([value, $ref]) => [value, build({ $ref })]));
  const at = places.get(union) ?? '';
  const isObject = build({ type: 'object', required: [propertyName] });
  return (value) => {
    const broken = { keyword: 'discriminator', schema: at };
    const mistakes = isObject(value);
    if (mistakes.length > 0) return mistakes.map((mistake) => ({ ...mistake, ...broken }));
    const variant = variants.get(String((value as JsonObject)[propertyName]));
    const expected = `one of ${[...variants.keys()].join(', ')}`;
    return variant?.(value) ?? [{ pointer: toPointer(propertyName), expected, ...broken }];
  };
}

/** A copy of the schema whose references point into the added document. */
function withinDocument(places: Places, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withinDocument(places, item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && String(value).startsWith('#') ? `${DOCUMENT}${value}` : withinDocument(places, value),
    ]),
  );
  const place = places.get(schema);
  if (place !== undefined) places.set(copy, place);
  return copy;
}

/** Expectations of broken keywords, in the words of the report. For other keywords, Ajv's message has them. */
const EXPECTATIONS: Record<string, (params: Record<string, unknown>) => string> = {
  required: () => 'present',
  additionalProperties: () => 'absent',
  enum: (params) => `one of ${(params['allowedValues'] as Json[]).join(', ')}`,
  const: (params) => JSON.stringify(params['allowedValue']),
  type: (params) => String(params['type']),
};

function readError(
  places: Places,
  { instancePath, keyword, params, parentSchema, message = keyword }: ErrorObject,
): Mistake {
  const member = params['missingProperty'] ?? params['additionalProperty'];
  return {
    pointer: member === undefined ? instancePath : instancePath + toPointer(member),
    expected: EXPECTATIONS[keyword]?.(params) ?? message,
    keyword,
    schema: places.get(parentSchema) ?? '',
  };
}
