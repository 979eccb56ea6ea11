/** Compares the document for code generators with the complete document. */
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from 'vitest';
import { type Json, type JsonObject, operations, readBundle, requestExamples } from '../../../contract/src/model.ts';
import { compile } from '../../../contract/src/schemas.ts';
import { generatorsDocument } from '../../../scripts/artifacts/generators-document.ts';

const WHOLE = readBundle();
const DOCUMENT = generatorsDocument(WHOLE);
const SCHEMAS = listSchemas({ ...DOCUMENT.components.schemas } as unknown as Json, '/components/schemas');

/** Each schema with its pointer. */
function listSchemas(node: Json, pointer: string): [string, JsonObject][] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((item, index) => listSchemas(item, `${pointer}/${index}`));
  const inner = Object.entries(node).filter(([key]) => !['example', 'enum', 'const'].includes(key));
  return [[pointer, node], ...inner.flatMap(([key, value]) => listSchemas(value, `${pointer}/${key}`))];
}

describe('the document for code generators', () => {
  it('is a valid OpenAPI document', async () => {
    await expect(SwaggerParser.validate(structuredClone(DOCUMENT) as never)).resolves.toBeDefined();
  });

  it('has the operations, schemas and examples of the complete document', () => {
    expect(Object.keys(DOCUMENT.components.schemas)).toEqual(Object.keys(WHOLE.components.schemas));
    expect(Object.keys(DOCUMENT.webhooks)).toEqual(Object.keys(WHOLE.webhooks));
    expect(DOCUMENT.components.examples).toEqual(WHOLE.components.examples);
    const requests = (bundle: typeof WHOLE) =>
      operations(bundle).flatMap((one) => requestExamples(one).map(({ name, body }) => [name, body]));
    expect(requests(DOCUMENT)).toEqual(requests(WHOLE));
  });

  it('has an enum next to each const', () => {
    const constants = SCHEMAS.filter(([, schema]) => schema['const'] !== undefined);
    expect(constants.length).toBeGreaterThan(10);
    for (const [pointer, { const: only, enum: values }] of constants) expect(values, pointer).toEqual([only]);
  });

  it('has an example of each text that conforms to its schema', () => {
    const validatorOf = compile(WHOLE);
    const texts = SCHEMAS.filter(([, schema]) => schema['type'] === 'string' && !schema['enum']);
    expect(texts.length).toBeGreaterThan(30);
    for (const [pointer, { example, ...schema }] of texts) {
      expect(example, pointer).toBeTypeOf('string');
      expect(validatorOf(schema)(example ?? null), pointer).toEqual([]);
    }
  });

  it('omits extensions, chapters, links to chapters, and marks of the source', () => {
    const text = JSON.stringify(DOCUMENT);
    expect(text).not.toMatch(/"x-|<sup>|\]\(#/);
    expect(text.length).toBeLessThan(JSON.stringify(WHOLE).length / 2);
  });
});
