/** The contract's webhooks as an AsyncAPI document, for event tooling without OpenAPI support. */
import { type Bundle, type Json, type JsonObject, type Operation, webhooks } from '../../contract/src/model.ts';

/** The bodies are schemas of OpenAPI 3.1, whose keywords AsyncAPI's own schemas lack. */
const SCHEMA_FORMAT = 'application/vnd.oai.openapi;version=3.1.0';

/** A schema of the components has a format next to it, so references lead one level deeper. */
const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

export function asyncapiDocument(bundle: Bundle): JsonObject {
  const text = JSON.stringify(createDocument(bundle));
  return JSON.parse(text.replace(REFERENCE, '"#/components/schemas/$1/schema"')) as JsonObject;
}

function createDocument(bundle: Bundle): JsonObject {
  const all = webhooks(bundle);
  const names = all.map(({ id }) => id);
  const schemas = closure(bundle, JSON.stringify(all.map(({ request, parameters }) => [request?.schema, parameters])));
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${bundle.info.title}: webhooks`,
      version: bundle.info.version,
      description: 'The service sends each message as an HTTP POST to the `callback_url` of its transaction.',
      ...Object.fromEntries(['contact', 'license'].flatMap((key) => toEntry(bundle.info, key))),
    },
    defaultContentType: all[0]?.request?.mediaType ?? 'application/json',
    channels: {
      callback: {
        // The merchant gives the address with each transaction.
        address: null,
        description: 'The `callback_url` of a transaction.',
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: Object.fromEntries(all.map((webhook) => [webhook.id, toOperation(webhook)])),
    components: { messages: Object.fromEntries(all.map((webhook) => [webhook.id, toMessage(webhook)])), schemas },
  };
}

function toEntry(info: Record<string, Json>, key: string): [string, Json][] {
  const { identifier, ...value } = (info[key] ?? {}) as JsonObject;
  return 'name' in value ? [[key, value]] : [];
}

function toOperation({ id, summary, description }: Operation): JsonObject {
  return {
    action: 'send',
    channel: { $ref: '#/channels/callback' },
    summary,
    description,
    messages: [{ $ref: `#/channels/callback/messages/${id}` }],
    bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
  };
}

function toMessage({ id, summary, parameters, request }: Operation): JsonObject {
  const headers = parameters.filter(({ in: place }) => place === 'header');
  return {
    name: id,
    title: summary,
    headers: withFormat({
      type: 'object',
      required: headers.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(headers.map(({ name, schema }) => [name, schema as unknown as Json])),
    }),
    payload: withFormat((request?.schema ?? {}) as unknown as Json),
    examples: (request?.examples ?? []).map(({ name, summary: about, value }) => ({
      name,
      summary: about,
      payload: value,
    })),
  };
}

function withFormat(schema: Json): JsonObject {
  return { schemaFormat: SCHEMA_FORMAT, schema };
}

/** Returns all schemas referenced by a text, directly or indirectly. */
function closure(bundle: Bundle, text: string): JsonObject {
  const found = new Map<string, Json>();
  const visit = (source: string): void => {
    for (const [, name = ''] of source.matchAll(REFERENCE)) {
      if (found.has(name)) continue;
      const schema = bundle.components.schemas[name];
      found.set(name, withFormat(schema as unknown as Json));
      visit(JSON.stringify(schema));
    }
  };
  visit(text);
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
