/**
 * A service that follows the source literally, and differs from this contract's choices, is accepted. The types accept
 * the rows where they are written.
 */
import { describe, expect, it } from 'vitest';
import { type Json, operations, readBundle, webhooks } from '../../contract/src/model.ts';
import { compile } from '../../contract/src/schemas.ts';
import { senderForm } from '../../contract/src/sender.ts';
import * as validators from '../../generated/validators.js';
import { REQUESTS, RESPONSES, WEBHOOKS } from './source-only.ts';

const bundle = readBundle();
const strict = compile(senderForm(bundle));

describe('a response that follows only the source', () => {
  it.each(RESPONSES)('is accepted: $operation $status, $what', ({ operation, status, body }) => {
    const byStatus = (validators.responseBodies as Record<string, Record<string, validators.Validator<unknown>>>)[
      operation
    ];
    const validate = byStatus?.[status];
    expect(validate?.(body), JSON.stringify(validate?.errors)).toBe(true);
  });

  it.each(RESPONSES)('is never sent by this kit: $operation $status, $what', ({ operation, status, body }) => {
    const found = operations(bundle).find(({ id }) => id === operation);
    const schema = found?.responses.find((response) => response.status === String(status))?.body?.schema;
    expect(strict(schema ?? {})(body as Json)).not.toEqual([]);
  });
});

describe('a webhook that follows only the source', () => {
  it.each(WEBHOOKS)('is accepted: $event, $what', ({ event, body }) => {
    const validate = (validators.webhookBodies as Record<string, validators.Validator<unknown>>)[event];
    expect(validate?.(body), JSON.stringify(validate?.errors)).toBe(true);
  });

  it.each(WEBHOOKS)('is never sent by this kit: $event, $what', (row) => {
    const schema = webhooks(bundle).find(({ id }) => id === row.event)?.request?.schema;
    expect(strict(schema ?? {})(row.body as Json)).not.toEqual([]);
  });
});

describe('a request that follows only the source', () => {
  it.each(REQUESTS)('is accepted: $operation, $what', ({ operation, body }) => {
    const validate = (validators.requestBodies as Record<string, validators.Validator<unknown>>)[operation];
    expect(validate?.(body), JSON.stringify(validate?.errors)).toBe(true);
  });
});

describe('the list', () => {
  it('has at least sixty rows', () => {
    expect(RESPONSES.length + WEBHOOKS.length + REQUESTS.length).toBeGreaterThanOrEqual(60);
  });
});
