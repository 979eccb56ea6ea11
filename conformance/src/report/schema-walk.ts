/** Walks a value along its schema: which places of the document it touches, and which of its fields they don't declare. */
import { type Bundle, type Json, resolve, type Schema } from '../../../contract/src/model.ts';
import { parsePointer, toPointer } from '../../../contract/src/pointer.ts';

export interface SchemaVisitor {
  /** Called with the pointer of each schema that applied to a part of the value. */
  schema(pointer: string): void;
  /** Called with the pointer into the value of each field that no schema declares; indexes are `*`. */
  undeclared(pointer: string): void;
}

/** Keywords that say something about a value, and not only about its parts. */
const ASSERTIONS = [
  ...['type', 'const', 'enum', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['required', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'additionalProperties'],
];

interface Declared {
  readonly names: Set<string>;
  open: boolean;
}

export class SchemaWalk {
  readonly #bundle: Bundle;
  readonly #nodes = new Map<string, Schema>();

  constructor(bundle: Bundle) {
    this.#bundle = bundle;
  }

  /** Walks the value along the schema at the pointer. */
  touch(pointer: string, value: Json, touch: SchemaVisitor, at = ''): void {
    const declared: Declared = { names: new Set(), open: false };
    this.#apply(pointer, value, touch, at, declared);
    if (!isObject(value) || declared.open || declared.names.size === 0) return;
    for (const name of Object.keys(value)) {
      if (!declared.names.has(name)) touch.undeclared(at + toPointer(name));
    }
  }

  /** The pointers of all schemas that can be reached from the one at the pointer. */
  reach(pointer: string, found: Set<string>): void {
    if (found.has(pointer)) return;
    found.add(pointer);
    const node = this.#node(pointer);
    if (node.$ref !== undefined) this.reach(node.$ref.slice(1), found);
    for (const part of listParts(node)) this.reach(pointer + part, found);
  }

  /** The keywords of a schema that say something about a value. */
  assertions(pointer: string): string[] {
    const node = this.#node(pointer);
    return ASSERTIONS.filter((keyword) => keyword in node);
  }

  #apply(pointer: string, value: Json, touch: SchemaVisitor, at: string, declared: Declared): void {
    touch.schema(pointer);
    const node = this.#node(pointer);
    if (node.$ref !== undefined) this.#apply(node.$ref.slice(1), value, touch, at, declared);
    for (const branch of this.#branches(node, value)) {
      this.#apply(pointer + branch, value, touch, at, declared);
    }
    if (Array.isArray(value)) {
      if (node.items) for (const item of value) this.touch(`${pointer}/items`, item, touch, `${at}/*`);
      return;
    }
    if (!isObject(value)) return;
    const { properties = {}, additionalProperties } = node;
    if (additionalProperties !== undefined && additionalProperties !== false) declared.open = true;
    for (const name of Object.keys(properties)) {
      declared.names.add(name);
      const inner = value[name];
      if (inner !== undefined)
        this.touch(`${pointer}/properties${toPointer(name)}`, inner, touch, at + toPointer(name));
    }
    if (typeof additionalProperties !== 'object') return;
    for (const [name, inner] of Object.entries(value)) {
      if (name in properties) continue;
      this.touch(`${pointer}/additionalProperties`, inner, touch, at + toPointer(name));
    }
  }

  /** The branches that apply to the value itself, by type, constants and enums. */
  #branches({ allOf = [], anyOf = [], oneOf = [], discriminator }: Schema, value: Json): string[] {
    const all = allOf.map((_, index) => `/allOf/${index}`);
    if (discriminator && isObject(value)) {
      const { mapping, propertyName } = discriminator;
      const name = String(value[propertyName]);
      const ref = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
      const index = oneOf.findIndex(({ $ref }) => $ref === ref);
      return index < 0 ? all : [...all, `/oneOf/${index}`];
    }
    const fitting = (branches: readonly Schema[], keyword: string) =>
      branches.flatMap((branch, index) => (fits(this.#resolved(branch), value) ? [`/${keyword}/${index}`] : []));
    return [...all, ...fitting(anyOf, 'anyOf'), ...fitting(oneOf, 'oneOf')];
  }

  #resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.#resolved(this.#node(schema.$ref.slice(1)));
  }

  #node(pointer: string): Schema {
    const known = this.#nodes.get(pointer);
    if (known) return known;
    const node: Schema = readPlace(this.#bundle, pointer);
    this.#nodes.set(pointer, node);
    return node;
  }
}

function listParts({
  properties = {},
  additionalProperties,
  items,
  allOf = [],
  anyOf = [],
  oneOf = [],
}: Schema): string[] {
  return [
    ...Object.keys(properties).map((name) => `/properties${toPointer(name)}`),
    ...(typeof additionalProperties === 'object' ? ['/additionalProperties'] : []),
    ...(items ? ['/items'] : []),
    ...allOf.map((_, index) => `/allOf/${index}`),
    ...anyOf.map((_, index) => `/anyOf/${index}`),
    ...oneOf.map((_, index) => `/oneOf/${index}`),
  ];
}

function fits({ type, const: constant, enum: values, required, properties = {} }: Schema, value: Json): boolean {
  if (constant !== undefined && constant !== value) return false;
  if (values && !values.includes(value)) return false;
  if (type !== undefined && type !== readType(value) && !(type === 'number' && typeof value === 'number')) return false;
  if (!isObject(value)) return true;
  if (required?.some((name) => value[name] === undefined)) return false;
  return Object.entries(properties).every(
    ([name, schema]) => schema.const === undefined || value[name] === undefined || schema.const === value[name],
  );
}

function readType(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a JSON pointer. Follows references along the pointer, but not at its end. */
function readPlace(bundle: Bundle, pointer: string): object {
  let node: unknown = bundle;
  for (const name of parsePointer(pointer)) {
    node = (resolve(bundle, node as object) as Record<string, unknown>)[name];
    if (node === undefined) throw new Error(`${pointer} does not exist`);
  }
  return node as object;
}

/** The assumptions of the place and of its reference. */
export function listAssumptionsAt(bundle: Bundle, pointer: string): string[] {
  const place = readPlace(bundle, pointer);
  const marks = [place, resolve(bundle, place)].map((node) => (node as Marked)['x-assumption'] ?? []);
  return [...new Set(marks.flat())];
}

interface Marked {
  readonly 'x-assumption'?: string | string[];
}
