/** The strict form: the gateway's messages are exact, although readers accept more. */
import { describe, expect, it } from 'vitest';
import { type Body, type JsonObject, operations, readBundle, type Schema, webhooks } from '../../contract/src/model.ts';
import { compile } from '../../contract/src/schemas.ts';
import { senderForm } from '../../contract/src/sender.ts';

const published = readBundle();
const strict = senderForm(published);
const accepts = { published: compile(published), strict: compile(strict) };

/** Fields that a sender may omit, depending on the flow or on the problem. */
const OPTIONAL = ['redirect_url', 'detail', 'request_id', 'violations'];
/** Members of a problem of the kind order-id-reused, which shares its schema with other kinds. */
const OF_REUSED_ID = ['transaction_id', 'differences'];

const BODIES: [string, Body | undefined][] = [
  ...operations(published).flatMap(({ id, responses }) =>
    responses.map(({ status, body }): [string, Body | undefined] => [`${id} ${status}`, body]),
  ),
  ...webhooks(published).map(({ id, request }): [string, Body | undefined] => [id, request]),
];
const SENT = BODIES.flatMap(([place, body]) =>
  (body?.examples ?? []).map(({ name, value }) => ({
    place: `${place} ${name}`,
    schema: body?.schema as Schema,
    value: value as JsonObject,
  })),
);

describe('the strict form', () => {
  it.each(SENT)('accepts $place, with exactly its members', ({ schema, value }) => {
    expect(accepts.strict(schema)(value)).toEqual([]);
    const optional = [...OPTIONAL, ...(value['status'] === 409 ? OF_REUSED_ID : [])];
    const omitted = Object.keys(value).filter((name) => {
      const { [name]: _, ...rest } = value;
      return accepts.strict(schema)(rest).length === 0;
    });
    expect(omitted.filter((name) => !optional.includes(name))).toEqual([]);
    const extended = { ...value, added_later: true };
    expect(accepts.strict(schema)(extended)).toMatchObject([{ pointer: '/added_later', expected: 'absent' }]);
    expect(accepts.published(schema)(extended)).toEqual([]);
  });

  it('excludes the moves that only readers accept', () => {
    const tolerated = Object.values(published['x-state-machines']).flatMap(({ transitions }) =>
      transitions.filter((move) => move.tolerated),
    );
    const taken = Object.values(strict['x-state-machines']).flatMap(({ transitions }) => transitions);
    expect(tolerated).not.toEqual([]);
    expect(taken.filter((move) => move.tolerated)).toEqual([]);
  });

  it('requires headers of a webhook and of a problem that are optional for readers', () => {
    expect(published.components.parameters['WebhookId']?.required).toBeUndefined();
    expect(strict.components.parameters['WebhookId']?.required).toBe(true);
  });
});
