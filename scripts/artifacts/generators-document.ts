/**
 * generated/openapi-generators.json: the contract for code generators. It has the same operations, schemas and
 * examples, without the reference's texts, and restates keywords that older generators don't support.
 */
import { type Bundle, type Json, type JsonObject, resolve, type Schema } from '../../contract/src/model.ts';

/** Marks that name a section of the source. */
const MARKS = / ?<sup>[^<]*<\/sup>/g;
/** Links to chapters, which this document doesn't have. */
const LINKS = /\[([^\]]+)\]\(#[^)]+\)/g;

export function generatorsDocument(bundle: Bundle): Bundle {
  const copy = structuredClone(bundle);
  const [summary = ''] = copy.info.description.split('\n\n');
  copy.info.description = summary;
  for (const { schema, value } of listBodies(copy)) addExamples(copy, schema, value);
  return plain(copy as unknown as Json) as unknown as Bundle;
}

/** Without extensions, marks and links. */
function plain(node: Json, isData = false): Json {
  if (typeof node === 'string') return isData ? node : node.replace(MARKS, '').replace(LINKS, '$1');
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => plain(item, isData));
  const entries = Object.entries(node)
    .filter(([key]) => isData || !key.startsWith('x-'))
    .map(([key, value]): [string, Json] => [key, plain(value, isData || DATA.has(key))]);
  // Many generators know `enum` and not `const`.
  const { const: only } = node;
  return { ...Object.fromEntries(entries), ...(!isData && only !== undefined && { enum: [only] }) };
}

/** Values below these keywords are not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum']);

interface Body {
  readonly schema: Schema;
  readonly value: Json;
}

/** Every body of the examples, with its schema. */
function listBodies(bundle: Bundle): Body[] {
  const found: Body[] = [];
  const walk = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return;
    if (!Array.isArray(node) && node['schema'] && node['examples'] && !node['in']) {
      const schema = node['schema'] as unknown as Schema;
      for (const example of Object.values(node['examples'] as Record<string, JsonObject>)) {
        const { value } = resolve(bundle, example as never) as { value?: Json };
        if (value !== undefined) found.push({ schema, value });
      }
      return;
    }
    for (const inner of Object.values(node)) walk(inner);
  };
  walk({ paths: bundle.paths, webhooks: bundle.webhooks, components: bundle.components } as unknown as Json);
  return found;
}

/** Gives each text of the schema the first value that an example has for it. */
function addExamples(bundle: Bundle, given: Schema, value: Json): void {
  const schema = resolve(bundle, given) as Schema & { example?: Json };
  if (typeof value === 'string') {
    const isOpen = schema.type === 'string' && !schema.enum && schema.const === undefined;
    if (isOpen) schema.example ??= value;
  }
  for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    if (fits(bundle, part, value)) addExamples(bundle, part, value);
  }
  if (Array.isArray(value) && schema.items) for (const item of value) addExamples(bundle, schema.items, item);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const own = schema.properties?.[name] ?? schema.additionalProperties;
    if (typeof own === 'object') addExamples(bundle, own, inner);
  }
}

/** Whether a branch is about the value: its constants are the value's. */
function fits(bundle: Bundle, branch: Schema, value: Json): boolean {
  const { enum: values, properties = {} } = resolve(bundle, branch);
  if (values) return values.includes(value);
  return Object.entries(properties).every(([name, inner]) => {
    const { const: only } = resolve(bundle, inner);
    return only === undefined || (value as JsonObject)[name] === only;
  });
}
