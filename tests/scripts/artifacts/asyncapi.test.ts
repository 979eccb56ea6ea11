import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { atPointer, type JsonObject, readBundle, webhooks } from '../../../contract/src/model.ts';
import { asyncapiDocument } from '../../../scripts/artifacts/asyncapi.ts';

const bundle = readBundle();
const document = asyncapiDocument(bundle);
const require = createRequire(import.meta.url);

describe('the AsyncAPI document', () => {
  it('conforms to the schema of AsyncAPI 3.0', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(require('@asyncapi/specs/schemas/3.0.0-without-$id.json'));
    expect([validate(document), validate.errors]).toEqual([true, null]);
    expect(validate({ ...document, operations: { x: { action: 'none' } } })).toBe(false);
  });

  it('has a message for each webhook, with its headers, its body and its examples', () => {
    const messages = (document['components'] as JsonObject)['messages'] as Record<string, JsonObject>;
    expect(Object.keys(messages)).toEqual(webhooks(bundle).map(({ id }) => id));
    for (const { id, request, parameters } of webhooks(bundle)) {
      const { headers, examples } = messages[id] as { headers: { schema: JsonObject }; examples: JsonObject[] };
      expect(Object.keys(headers.schema['properties'] as JsonObject)).toEqual(parameters.map(({ name }) => name));
      expect(examples.map(({ payload }) => payload)).toEqual(request?.examples.map(({ value }) => value));
    }
  });

  it('references only its own contents, and schemas rather than their parents', () => {
    const references = [...JSON.stringify(document).matchAll(/"(#\/[^"]+)"/g)].map(([, pointer = '']) => pointer);
    expect(references.length).toBeGreaterThan(20);
    for (const pointer of references) expect(atPointer(document, pointer), pointer).not.toHaveProperty('schemaFormat');
  });
});
