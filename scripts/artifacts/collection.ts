/**
 * The requests of the examples as a Postman collection, which Bruno, Insomnia and Hoppscotch import too. A creation keeps
 * the id of its transaction in a variable that the requests about the transaction use, as the document's links say.
 */
import {
  type Bundle,
  exampleOf,
  type Operation,
  operations,
  type RawOperation,
  type RequestExample,
  requestExamples,
  resolve,
  successes,
} from '../../contract/src/model.ts';
import { baseUrl, credentialOf } from './samples/call.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

interface Variable {
  key: string;
  value: string;
  description?: string;
}

/** generated/postman-collection.json. */
export function collectionArtifact(bundle: Bundle): string {
  const all = operations(bundle);
  const ids = idsOf(all);
  const folders = bundle.tags.flatMap(({ name, description = '' }) => {
    const tagged = all.filter(({ tags }) => tags.includes(name));
    return tagged.length === 0
      ? []
      : [
          {
            name,
            description: description.trim(),
            item: tagged.map((one) => operationItem(bundle, one, new Set(ids.keys()))),
          },
        ];
  });
  const collection = {
    info: {
      name: bundle.info.title,
      description: `Made from the examples of version ${bundle.info.version}. Set \`base_url\` and \`api_key\`; creations set the others.`,
      schema: SCHEMA,
    },
    auth: auth(bundle),
    variable: variables(bundle, ids),
    item: folders,
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

/** Postman has names of its own for how a key is sent. */
function auth(bundle: Bundle): object {
  const { header, prefix } = credentialOf(bundle);
  const value = (key: string, text: string) => ({ key, value: text, type: 'string' });
  if (prefix) return { type: 'bearer', bearer: [value('token', '{{api_key}}')] };
  return { type: 'apikey', apikey: [value('key', header), value('value', '{{api_key}}'), value('in', 'header')] };
}

/** The path parameters with their first examples, which a mock serves at once. */
function idsOf(all: Operation[]): Map<string, string> {
  return new Map(all.flatMap((operation) => Object.entries(requestExamples(operation)[0]?.path ?? {})).toReversed());
}

function variables(bundle: Bundle, ids: ReadonlyMap<string, string>): Variable[] {
  return [
    { key: 'base_url', value: baseUrl(bundle), description: 'Address of the service.' },
    { key: 'api_key', value: '', description: 'Your API key. The mock accepts any.' },
    ...[...ids].map(([key, value]) => ({ key, value, description: 'ID of the transaction that was created last.' })),
  ];
}

/** An operation whose examples all send the same request is one item, and otherwise a folder with an item for each request. */
function operationItem(bundle: Bundle, operation: Operation, ids: ReadonlySet<string>): object {
  const byRequest = Map.groupBy(requestExamples(operation), (example) =>
    JSON.stringify(requestOf(operation, example, ids)),
  );
  const items = [...byRequest.values()].map((examples) => item(bundle, operation, examples, ids));
  const [only, ...others] = items;
  const named = { name: operation.summary, description: operation.description.trim() };
  if (others.length > 0) return { ...named, item: items };
  return { ...only, name: named.name };
}

function item(bundle: Bundle, operation: Operation, examples: RequestExample[], ids: ReadonlySet<string>): object {
  const [example] = examples;
  if (!example) throw new Error(`${operation.id} has no example`);
  const [success] = successes(operation);
  const script = keepIds(bundle, operation);
  const responses = examples.flatMap(({ name }) => exampleOf(success?.body, name) ?? []);
  return {
    name: titleOf(operation, example),
    ...(script.length > 0 && { event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }] }),
    request: { ...requestOf(operation, example, ids), description: operation.description.trim() },
    response: responses.map(({ summary, value }) => ({
      name: summary,
      originalRequest: requestOf(operation, example, ids),
      code: Number(success?.status),
      header: [{ key: 'Content-Type', value: success?.body?.mediaType }],
      body: JSON.stringify(value, null, 2),
    })),
  };
}

function titleOf(operation: Operation, { name }: RequestExample): string {
  const places = [operation.request, ...operation.parameters, ...successes(operation).map(({ body }) => body)];
  return places.map((place) => exampleOf(place, name)?.summary).find(Boolean) ?? name;
}

function requestOf(operation: Operation, { query, body }: RequestExample, ids: ReadonlySet<string>): object {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1').slice(1);
  const given = Object.entries(query).map(([key, value]) => ({ key, value: ids.has(key) ? `{{${key}}}` : value }));
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const search = given.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    method: operation.method.toUpperCase(),
    header: body === undefined ? [] : [{ key: 'Content-Type', value: operation.request?.mediaType }],
    url: {
      raw: `{{base_url}}/${path}${search && `?${search}`}`,
      host: ['{{base_url}}'],
      path: path.split('/'),
      ...(given.length > 0 && { query: given }),
      ...(inPath.length > 0 && { variable: inPath.map(({ name }) => ({ key: name, value: `{{${name}}}` })) }),
    },
    ...(body !== undefined && {
      body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
    }),
  };
}

/** Statements that keep what the links of a creation hand on, if it has succeeded. */
function keepIds(bundle: Bundle, operation: Operation): string[] {
  const raw = bundle.paths[operation.path]?.[operation.method] as RawOperation;
  const isCreation = !operation.path.includes('{') && operation.method === 'post';
  const links = Object.entries(raw.responses)
    .filter(([status]) => isCreation && status.startsWith('2'))
    .flatMap(([, response]) => Object.values(resolve(bundle, response).links ?? {}));
  const handed = new Map(links.flatMap(({ parameters = {} }) => Object.entries(parameters)));
  return [...handed].flatMap(([parameter, expression]) => {
    const [, field] = /^\$response\.body#\/(\w+)$/.exec(expression) ?? [];
    if (!field) throw new Error(`${operation.id} links by ${expression}, which a collection cannot keep`);
    return [`if (pm.response.code < 300) pm.collectionVariables.set('${parameter}', pm.response.json().${field});`];
  });
}
