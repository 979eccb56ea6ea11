/** The strict form: the gateway's messages are exact, although readers accept more. */
import { describe, expect, it } from 'vitest';
import { type Body, type JsonObject, operations, readBundle, webhooks } from '../../contract/src/model.ts';
import { compile } from '../../contract/src/schemas.ts';
import { senderForm } from '../../contract/src/sender.ts';

const published = readBundle();
const strict = senderForm(published);
const accepts = { published: compile(published), strict: compile(strict) };

/** Fields that a sender may omit, depending on the flow or on the problem. */
const OPTIONAL = ['redirect_url', 'detail', 'request_id', 'violations'];
/** Members of a problem of the kind order-id-reused, which shares its schema with other kinds. */
const OF_REUSED_ID = ['transaction_id', 'differences'];

/** A status outside of the contract comes from a proxy, with any body. */
function sentBodies(): { place: string; body: Body; value: JsonObject }[] {
  const bodies: [string, Body | undefined][] = [
    ...operations(published).flatMap(({ id, responses }) =>
      responses.map(({ status, body }): [string, Body | undefined] => [`${id} ${status}`, body]),
    ),
    ...webhooks(published).map(({ id, request }): [string, Body | undefined] => [id, request]),
  ];
  return bodies.flatMap(([place, body]) =>
    (body?.examples ?? []).map(({ name, value }) => ({
      place: `${place} ${name}`,
      body: body as Body,
      value: value as JsonObject,
    })),
  );
}

const SENT = sentBodies();

describe('the strict form', () => {
  it.each(SENT)('accepts the example $place', ({ body, value }) => {
    expect(accepts.strict(body.schema)(value)).toEqual([]);
  });

  it.each(SENT)('refuses $place without one of its members', ({ body, value }) => {
    const optional = [...OPTIONAL, ...(value['status'] === 409 ? OF_REUSED_ID : [])];
    const members = Object.keys(value).filter((name) => !optional.includes(name));
    const missed = members.filter((name) => {
      const { [name]: _, ...rest } = value;
      return accepts.strict(body.schema)(rest).length === 0;
    });
    expect(missed).toEqual([]);
  });

  it.each(SENT)('refuses $place with an additional member, which a reader accepts', ({ body, value }) => {
    const extended = { ...value, added_later: true };
    expect(accepts.strict(body.schema)(extended)).toMatchObject([{ pointer: '/added_later', expected: 'absent' }]);
    expect(accepts.published(body.schema)(extended)).toEqual([]);
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

  it('leaves its source document unchanged', () => {
    expect(readBundle()).toEqual(published);
  });
});
