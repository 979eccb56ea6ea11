/**
 * The requests of the examples as a Postman collection, which Bruno, Insomnia and Hoppscotch import too. A creation keeps
 * the id of its transaction in a variable that the requests about the transaction use, as the document's links say. Order
 * ids are new in each run, and each response is checked, so that the collection can be run as often as needed.
 */
import {
  type Bundle,
  findExample,
  type Json,
  type JsonObject,
  type Operation,
  operations,
  type RawOperation,
  type RequestExample,
  requestExamples,
  resolve,
  successes,
} from '../../contract/src/model.ts';
import { baseUrl, readCredential } from './samples/call.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

interface Variable {
  key: string;
  value: string;
  description?: string;
}

/** generated/postman-collection.json. */
export function collectionArtifact(bundle: Bundle): string {
  // Creations come first because later requests use their IDs.
  const all = operations(bundle).sort((one, other) => Number(isCreation(other)) - Number(isCreation(one)));
  const ids = collectIds(bundle);
  const folders = bundle.tags.flatMap(({ name, description = '' }) => {
    const tagged = all.filter(({ tags }) => tags.includes(name));
    return tagged.length === 0
      ? []
      : [
          {
            name,
            description: description.trim(),
            item: tagged.map((one) => operationItem(bundle, one, ids)),
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

/** Postman's names for the locations of an API key. */
function auth(bundle: Bundle): object {
  const { header, prefix } = readCredential(bundle);
  const value = (key: string, text: string) => ({ key, value: text, type: 'string' });
  if (prefix) return { type: 'bearer', bearer: [value('token', '{{api_key}}')] };
  return { type: 'apikey', apikey: [value('key', header), value('value', '{{api_key}}'), value('in', 'header')] };
}

/** The body member that each run replaces with a new value, and the variable that stores the latest one. */
const ORDER_ID = 'merchant_order_id';

interface Ids {
  /** Variables for the id of a path parameter and for the order id, with first values that a mock serves at once. */
  readonly last: ReadonlyMap<string, string>;
  /** The variable of a transaction that an example creates, by its id in the examples: calls that need its status use it. */
  readonly created: ReadonlyMap<string, string>;
}

function collectIds(bundle: Bundle): Ids {
  const all = operations(bundle);
  const values = all.flatMap((operation) => Object.entries(requestExamples(operation)[0]?.path ?? {}));
  const orders = all.flatMap((operation) => requestExamples(operation).flatMap(({ query }) => query[ORDER_ID] ?? []));
  const acted = all.flatMap((one) =>
    requestExamples(one).flatMap(({ body, path }) => (body ? Object.values(path) : [])),
  );
  const created = all.flatMap((operation) =>
    listLinkedParameters(bundle, operation).flatMap(({ parameter, field }) =>
      successes(operation).flatMap(({ body }) =>
        (body?.examples ?? []).map(({ name, value }) => {
          const id = String((value as JsonObject)[field]);
          return [id, `${parameter}_of_${name.replaceAll('-', '_')}`] as const;
        }),
      ),
    ),
  );
  return {
    last: new Map([...values.toReversed(), ...orders.slice(0, 1).map((order) => [ORDER_ID, order] as const)]),
    created: new Map(created.filter(([id]) => acted.includes(id))),
  };
}

function variables(bundle: Bundle, { last, created }: Ids): Variable[] {
  return [
    { key: 'base_url', value: baseUrl(bundle), description: 'Address of the service.' },
    { key: 'api_key', value: '', description: 'Your API key. The mock accepts any.' },
    ...[...last].map(([key, value]) => ({ key, value, description: 'ID of the transaction that was created last.' })),
    ...[...created].map(([value, key]) => ({ key, value, description: 'ID of the transaction of this example.' })),
  ];
}

/** An operation whose examples all send the same request is one item, and otherwise a folder with an item for each request. */
function operationItem(bundle: Bundle, operation: Operation, ids: Ids): object {
  const byRequest = Map.groupBy(requestExamples(operation), (example) =>
    JSON.stringify(toRequest(operation, example, ids)),
  );
  const items = [...byRequest.values()].map((examples) => item(bundle, operation, examples, ids));
  const [only, ...others] = items;
  const named = { name: operation.summary, description: operation.description.trim() };
  if (others.length > 0) return { ...named, item: items };
  return { ...only, name: named.name };
}

function item(bundle: Bundle, operation: Operation, examples: RequestExample[], ids: Ids): object {
  const [example] = examples;
  if (!example) throw new Error(`${operation.id} has no example`);
  const [success] = successes(operation);
  const script = [...assertions(bundle, operation), ...keepIds(bundle, operation, example, ids)];
  const responses = examples.flatMap(({ name }) => findExample(success?.body, name) ?? []);
  return {
    name: formatTitle(operation, example),
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }],
    request: { ...toRequest(operation, example, ids), description: operation.description.trim() },
    response: responses.map(({ summary, value }) => ({
      name: summary,
      originalRequest: toRequest(operation, example, ids),
      code: Number(success?.status),
      header: [{ key: 'Content-Type', value: success?.body?.mediaType }],
      body: JSON.stringify(value, null, 2),
    })),
  };
}

function formatTitle(operation: Operation, { name }: RequestExample): string {
  const places = [operation.request, ...operation.parameters, ...successes(operation).map(({ body }) => body)];
  return places.map((place) => findExample(place, name)?.summary).find(Boolean) ?? name;
}

function toRequest(operation: Operation, { path: places, query, body }: RequestExample, ids: Ids): object {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1').slice(1);
  const given = Object.entries(query).map(([key, value]) => ({ key, value: ids.last.has(key) ? `{{${key}}}` : value }));
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  // A request that only reads works with any transaction; an action needs one in its status.
  const variable = (name: string) => (body && ids.created.get(places[name] ?? '')) || name;
  const search = given.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    method: operation.method.toUpperCase(),
    header: body === undefined ? [] : [{ key: 'Content-Type', value: operation.request?.mediaType }],
    url: {
      raw: `{{base_url}}/${path}${search && `?${search}`}`,
      host: ['{{base_url}}'],
      path: path.split('/'),
      ...(given.length > 0 && { query: given }),
      ...(inPath.length > 0 && { variable: inPath.map(({ name }) => ({ key: name, value: `{{${variable(name)}}}` })) }),
    },
    ...(body !== undefined && {
      body: { mode: 'raw', raw: JSON.stringify(withNewOrder(body), null, 2), options: { raw: { language: 'json' } } },
    }),
  };
}

/** The body of an example with an order id that no other run has. */
function withNewOrder(body: Json): Json {
  const members = body as JsonObject;
  return ORDER_ID in members ? { ...members, [ORDER_ID]: `${members[ORDER_ID]}-{{$guid}}` } : body;
}

/** Statements that check the status, and the members that every example of the response's schema has. */
function assertions(bundle: Bundle, operation: Operation): string[] {
  const [success] = successes(operation);
  const alike = operations(bundle)
    .flatMap(successes)
    .filter(({ body }) => body?.schema.$ref === success?.body?.schema.$ref);
  const examples = alike.flatMap(({ body }) => body?.examples ?? []);
  const members = examples.map(({ value }) => Object.keys(value as JsonObject));
  const common = (members[0] ?? []).filter((name) => members.every((names) => names.includes(name)));
  return [
    `pm.test('responds with ${success?.status}', () => pm.response.to.have.status(${success?.status}));`,
    `pm.test('has ${common.join(', ')}', () => pm.expect(pm.response.json()).to.include.all.keys(${common.map((name) => `'${name}'`).join(', ')}));`,
  ];
}

/** Script that stores the values of a creation's links after a success. */
function keepIds(bundle: Bundle, operation: Operation, { name, body }: RequestExample, ids: Ids): string[] {
  const [success] = successes(operation);
  const response = findExample(success?.body, name)?.value as JsonObject | undefined;
  const kept = listLinkedParameters(bundle, operation).flatMap(({ parameter, field }) => {
    const own = ids.created.get(String(response?.[field]));
    return [parameter, ...(own ? [own] : [])].map((variable) => [variable, field]);
  });
  const order = kept.length > 0 && ORDER_ID in ((body ?? {}) as JsonObject) ? [[ORDER_ID, ORDER_ID]] : [];
  return [...kept, ...order].map(
    ([variable, field]) =>
      `if (pm.response.code < 300) pm.collectionVariables.set('${variable}', pm.response.json().${field});`,
  );
}

function isCreation({ path, method }: Operation): boolean {
  return !path.includes('{') && method === 'post';
}

/** Links of a creation: a parameter of another operation, and the response field with its value. */
function listLinkedParameters(bundle: Bundle, operation: Operation): { parameter: string; field: string }[] {
  const raw = bundle.paths[operation.path]?.[operation.method] as RawOperation;
  const links = Object.entries(raw.responses)
    .filter(([status]) => isCreation(operation) && status.startsWith('2'))
    .flatMap(([, response]) => Object.values(resolve(bundle, response).links ?? {}));
  const handed = new Map(links.flatMap(({ parameters = {} }) => Object.entries(parameters)));
  return [...handed].map(([parameter, expression]) => {
    const [, field] = /^\$response\.body#\/(\w+)$/.exec(expression) ?? [];
    if (!field) throw new Error(`${operation.id} links by ${expression}, which a collection cannot keep`);
    return { parameter, field };
  });
}
