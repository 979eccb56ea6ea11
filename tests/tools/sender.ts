/** The contract's strict form, for checking the gateway's messages: no unknown fields, and every promised field. */
import { type Body, type Json, operations, readBundle, webhooks } from '../../contract/src/model.ts';
import { compile, type Mistake } from '../../contract/src/schemas.ts';
import { senderForm } from '../../contract/src/sender.ts';

const bundle = senderForm(readBundle());
const validator = compile(bundle);

function bodies(entries: readonly (readonly [string, Body | undefined])[]): ReadonlyMap<string, Body> {
  return new Map(entries.flatMap(([name, body]) => (body ? [[name, body] as const] : [])));
}

const RESPONSES = bodies(
  operations(bundle).flatMap(({ id, responses }) =>
    responses.map(({ status, body }) => [`${id} ${status}`, body] as const),
  ),
);
const WEBHOOKS = bodies(webhooks(bundle).map(({ id, request }) => [id, request] as const));

/** Mistakes in a response of the gateway. Undefined if the contract has no such response. */
export function mistakesInResponse(id: string, status: number | string, body: unknown): Mistake[] | undefined {
  const documented = RESPONSES.get(`${id} ${status}`);
  return documented && validator(documented.schema)(body as Json);
}

/** The webhooks that a body conforms to. */
export function matchWebhooks(body: unknown): string[] {
  return [...WEBHOOKS].flatMap(([name, { schema }]) => (validator(schema)(body as Json).length === 0 ? [name] : []));
}

/** Throws if a response deviates from the gateway's contract. */
export function checkResponse(id: string, status: number | string, body: unknown): void {
  const mistakes = mistakesInResponse(id, status, body);
  if (mistakes?.length === 0) return;
  throw new Error(`${id} ${status} is not what the contract says: ${JSON.stringify(mistakes)} ${JSON.stringify(body)}`);
}
