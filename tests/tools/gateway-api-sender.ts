/** The strict form of the documents of the gateway's own APIs, for checking its responses. */

import {
  type Bundle,
  type Json,
  type Operation,
  operations,
  readBundle,
  resolve,
  type Schema,
} from '../../contract/src/model.ts';
import { compile } from '../../contract/src/schemas.ts';
import { senderForm } from '../../contract/src/sender.ts';
import { API_FILES, GATEWAY_APIS, type GatewayApi } from '../../gateway/src/http/gateway-apis.ts';

const DOCUMENTS = GATEWAY_APIS.map((api) => strict(api));

function strict(api: GatewayApi) {
  const bundle: Bundle = senderForm(merged(readBundle(API_FILES[api])));
  const described = operations(bundle).map((operation) => ({ operation, pattern: toPattern(operation) }));
  return { prefix: `/${api}/`, validator: compile(bundle), described };
}

const PROBLEM: Schema = { $ref: '#/components/schemas/Problem' };

/**
 * Throws if a response of one of the gateway's own APIs deviates from its document. Undocumented statuses must be
 * problems. Other responses are not checked.
 */
export function checkOwnResponse(method: string, url: string, status: number, body: unknown): void {
  const document = DOCUMENTS.find(({ prefix }) => url.startsWith(prefix));
  if (!document) return;
  const [path = ''] = url.split('?', 1);
  const found = document.described.find(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(path),
  );
  const documented = found?.operation.responses.find((response) => response.status === String(status));
  if (documented && !documented.body) {
    if (body !== '') throw new Error(`${method} ${path} ${status} must have no body`);
    return;
  }
  if (!documented && status < 400) throw new Error(`${method} ${path} has no response ${status}`);
  const mistakes = document.validator(documented?.body?.schema ?? PROBLEM)(body as Json);
  if (mistakes.length === 0) return;
  const text = JSON.stringify(body);
  throw new Error(`${method} ${path} ${status} is not what the document says: ${JSON.stringify(mistakes)} ${text}`);
}

/** Objects that extend others get the properties of both, so that they can be closed. */
function merged(document: Bundle): Bundle {
  const extend = (schema: Schema): Schema => {
    const parts = (schema.allOf ?? []).map((part) => extend(resolve(document, part as Schema)));
    if (parts.length < 2) return schema;
    return {
      type: 'object',
      required: parts.flatMap(({ required = [] }) => required),
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    };
  };
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [name, extend(schema)] as const);
  const components = { ...document.components, schemas: Object.fromEntries(schemas) };
  return { ...document, components, 'x-state-machines': {} };
}

/** Literal paths come before parameters, as in the server's routing. */
function toPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
