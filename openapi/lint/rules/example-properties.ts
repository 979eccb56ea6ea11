/**
 * Examples have no property that their schema does not declare, whether or not the schema is closed.
 * An open schema lets a misspelt property through, and a validator then says that the example is fine.
 *
 * Known limits: `patternProperties`, `if`, `not`, `dependentSchemas` and `$dynamicRef` are not followed, and of `anyOf`
 * and of a `oneOf` without discriminator all branches count.
 */
import { type Described, entries, follow, type Maybe, type Placed, readItems, type Schema } from '../document.ts';
import type { Context, Location, Rule } from '../redocly.ts';

/** The rule `contract/example-properties`. */
export const exampleProperties: Rule = () => ({ MediaType: check, Parameter: check, Header: check });

function check(node: Described, context: Context): void {
  const schema = follow(context, node.schema, context.location.child('schema'));
  if (!schema) return;
  for (const [, example] of entries(context, node.examples, context.location.child('examples'))) {
    walk(example.node.value, [schema], example.location.child('value'), context);
  }
}

/** Reports what the value has and none of the schemas declares. */
function walk(value: unknown, schemas: Placed<Schema>[], location: Location, context: Context): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const declared = schemas
        .flatMap((schema) => applicable(schema, value, context))
        .flatMap((schema) => subschema(schema, ['items'], readItems(schema.node), context));
      walk(item, declared, location.child(index), context);
    }
    return;
  }
  if (!isObject(value)) return;
  const applied = schemas.flatMap((schema) => applicable(schema, value, context));
  for (const [name, member] of Object.entries(value)) {
    const declared = applied.flatMap((schema) => declarations(schema, name, context));
    if (declared.length > 0) walk(member, declared, location.child(name), context);
    else {
      context.report({
        message: `the schema declares no property '${name}'; declare it, or leave it out of the example`,
        location: location.child(name).key(),
      });
    }
  }
}

/** The schema and those that it is composed of, as far as they apply to the value. */
function applicable(schema: Placed<Schema>, value: unknown, context: Context): Placed<Schema>[] {
  const { node } = schema;
  const variant = discriminated(schema, value, context);
  const branches = (keyword: 'allOf' | 'anyOf' | 'oneOf') =>
    (node[keyword] ?? []).flatMap((branch, index) => subschema(schema, [keyword, index], branch, context));
  const parts = [...branches('allOf'), ...(variant ? [variant] : [...branches('anyOf'), ...branches('oneOf')])];
  return [schema, ...parts.flatMap((part) => applicable(part, value, context))];
}

/** The variant that the discriminator selects. */
function discriminated({ node, location }: Placed<Schema>, value: unknown, context: Context) {
  if (!node.discriminator || !isObject(value)) return undefined;
  const $ref = node.discriminator.mapping?.[String(value[node.discriminator.propertyName])];
  return $ref === undefined ? undefined : follow<Schema>(context, { $ref }, location);
}

/** Schemas of a property with this name. */
function declarations(schema: Placed<Schema>, name: string, context: Context): Placed<Schema>[] {
  const { properties = {}, additionalProperties } = schema.node;
  if (Object.hasOwn(properties, name)) return subschema(schema, ['properties', name], properties[name], context);
  if (typeof additionalProperties !== 'object') return [];
  return subschema(schema, ['additionalProperties'], additionalProperties, context);
}

function subschema(
  parent: Placed<Schema>,
  path: (string | number)[],
  node: Maybe<Schema>,
  context: Context,
): Placed<Schema>[] {
  const found = follow(context, node, parent.location.child(path));
  return found ? [found] : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
