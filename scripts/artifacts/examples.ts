/** The document's named examples as data, as responses for handlers, and as factories for tests. */

import { isCreation, withStatusExamples } from '../../contract/src/mock/status-examples.ts';
import {
  type Body,
  type Bundle,
  componentName,
  type Json,
  type JsonObject,
  type Operation,
  operations,
  type RawParameter,
  type Response,
  requestExamples,
  resolve,
  type Schema,
  successes,
  webhooks,
} from '../../contract/src/model.ts';

/** generated/examples.ts without its banner: the examples, each checked by the compiler against the type of its place. */
export function examplesArtifact(bundle: Bundle): string {
  const described = operations(bundle);
  const types = new Set<string>();
  const sections = [
    section(
      'requestExamples',
      'The requests of each operation, by operation and name of the example.',
      described,
      (operation) =>
        record(requestExamples(operation).map((example) => [example.name, requestValue(operation, example, types)])),
    ),
    section(
      'responseExamples',
      'The responses of each operation, by operation, status and name of the example.',
      described,
      (operation) =>
        record(
          operation.responses.flatMap((response) =>
            response.body ? [[response.status, bodyExamples(response.body, types)]] : [],
          ),
        ),
    ),
    section(
      'webhookExamples',
      'The bodies of each webhook, by webhook and name of the example.',
      webhooks(bundle),
      (webhook) => (webhook.request ? bodyExamples(webhook.request, types) : '{}'),
    ),
  ];
  return [
    `import type {\n${[...types]
      .sort()
      .map((type) => `  ${type},`)
      .join('\n')}\n} from './types.ts';\n`,
    ...sections,
  ].join('\n');
}

function section(name: string, summary: string, all: Operation[], value: (operation: Operation) => string): string {
  const entries = record(all.map((operation) => [operation.id, value(operation)]));
  return `/** ${summary} */\nexport const ${name} = ${entries} as const;\n`;
}

function requestValue(
  operation: Operation,
  example: ReturnType<typeof requestExamples>[number],
  types: Set<string>,
): string {
  const { name: _, body, ...parameters } = example;
  const entries = Object.entries(parameters).map(([place, values]) => [place, JSON.stringify(values)]);
  if (operation.request) entries.push(['body', typed(body, operation.request, types)]);
  return record(entries as [string, string][]);
}

function bodyExamples(body: Body, types: Set<string>): string {
  return record(body.examples.map((example) => [example.name, typed(example.value, body, types)]));
}

function typed(value: unknown, body: Body, types: Set<string>): string {
  const type = componentName(body.schema.$ref ?? '');
  types.add(type);
  return `${JSON.stringify(value)} satisfies ${type}`;
}

function record(entries: (readonly [string, string] | string[])[]): string {
  return `{\n${entries.map(([key, value]) => `${JSON.stringify(key)}: ${value},`).join('\n')}\n}`;
}

const TYPES = `/** A response by name. */
export interface NamedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface OperationResponses {
  readonly method: 'get' | 'post';
  /** Parameters are in braces. */
  readonly path: string;
  /** Fields of the response that repeat a field of the request, whose name is the value. */
  readonly repeated: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<string, NamedResponse>>;
}
`;

/** generated/example-responses.ts without its banner: responses by name, with one for each status and reason. */
export function exampleResponsesArtifact(document: Bundle): string {
  const bundle = withStatusExamples(document);
  const all = operations(bundle).map((operation) => ({ operation, responses: toNamedResponses(bundle, operation) }));
  const names = all.map(({ operation, responses }) => {
    const union = Object.keys(responses).map((name) => `    | ${JSON.stringify(name)}`);
    return `  ${operation.id}:\n${union.join('\n')};`;
  });
  const data = all.map(({ operation, responses }) => {
    const { id, method, path } = operation;
    return `  ${id}: ${JSON.stringify({ method, path, repeated: listEchoedFields(bundle, operation), responses })},`;
  });
  return [
    '/** The names of the responses of each operation. */',
    `export interface ExampleNames {\n${names.join('\n')}\n}\n`,
    TYPES,
    '/** Each operation with its responses. The first one is the usual one. */',
    `export const exampleResponses: Readonly<Record<keyof ExampleNames, OperationResponses>> = {\n${data.join('\n')}\n};\n`,
  ].join('\n');
}

interface NamedResponse {
  status: number;
  headers: Record<string, string>;
  body: Json;
}

function toNamedResponses(bundle: Bundle, { id, responses }: Operation): Record<string, NamedResponse> {
  const found: Record<string, NamedResponse> = {};
  for (const response of responses) {
    for (const { name, value } of response.body?.examples ?? []) {
      if (found[name]) throw new Error(`${id} has two examples named ${name}`);
      found[name] = { status: Number(response.status), headers: readHeaders(bundle, response), body: value };
    }
  }
  return found;
}

/** The media type, and the first example of each header. */
function readHeaders(bundle: Bundle, { pointer, body }: Response): Record<string, string> {
  const [, , path = '', method = '', , status = ''] = pointer.split('/');
  const raw = bundle.paths[path.replaceAll('~1', '/')]?.[method]?.responses[status];
  const headers = Object.entries((raw && resolve(bundle, raw).headers) ?? {}).flatMap(([name, header]) => {
    const [example] = Object.values(resolve<RawParameter>(bundle, header).examples ?? {});
    return example ? [[name, String(resolve(bundle, example).value)]] : [];
  });
  return Object.fromEntries([...(body ? [['Content-Type', body.mediaType]] : []), ...headers]);
}

function listEchoedFields(bundle: Bundle, operation: Operation): Record<string, string> {
  const schema = successes(operation)[0]?.body?.schema;
  if (!schema || !operation.request || !isCreation(bundle, operation)) return {};
  const request = listProperties(bundle, operation.request.schema);
  const fields = listProperties(bundle, schema).map(({ name, $ref }) => {
    const source = request.find((one) => one.name === name) ?? request.find((one) => $ref && one.$ref === $ref);
    return [name, source?.name];
  });
  return Object.fromEntries(fields.filter(([, source]) => source !== undefined));
}

function listProperties(bundle: Bundle, schema: Schema): { name: string; $ref: string | undefined }[] {
  const { properties = {}, oneOf = [] } = resolve(bundle, schema);
  const own = Object.entries(properties).map(([name, { $ref }]) => ({ name, $ref }));
  return [...own, ...oneOf.flatMap((variant) => listProperties(bundle, variant))];
}

const HELPERS = `type Changes<T> = { [K in Exclude<keyof T, 'status'>]?: T[K] | undefined };
type WithStatus<T, S> = T extends { status?: infer X } ? (S extends X ? T : never) : never;
type ChangesOf<T, S> = { status?: S | undefined } & Changes<WithStatus<T, S>>;

/** The example with the changes. What repeats the value of a changed field before it changes too, as amount_paid does. */
function withChanges<T extends object>(example: object, changes: object): T {
  const replaced = new Map<unknown, unknown>();
  const copy = (value: unknown): unknown => {
    if (replaced.has(value)) return replaced.get(value);
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
  };
  const given = Object.entries(changes).filter(([, change]) => change !== undefined);
  const body: Record<string, unknown> = Object.fromEntries(given);
  for (const [name, value] of Object.entries(example)) {
    if (name in body) replaced.set(value, body[name]);
    else body[name] = copy(value);
  }
  const names = new Set([...Object.keys(example), ...Object.keys(body)]);
  return Object.fromEntries([...names].map((name) => [name, body[name]])) as T;
}
`;

/** generated/example-factories.ts without its banner: a function for each schema with examples. */
export function exampleFactoriesArtifact(bundle: Bundle): string {
  const own = examplesBySchema(bundle);
  const schemas = Object.entries(examplesBySchema(withStatusExamples(bundle))).map(
    ([type, more]) => [type, [...(own[type] ?? []), ...more]] as const,
  );
  return [
    `import type {\n${schemas.map(([type]) => `  ${type},`).join('\n')}\n} from './types.ts';`,
    '',
    HELPERS,
    ...schemas.map(([type, examples]) => factory(type, examples)),
  ].join('\n');
}

/** A function for a schema. If its examples differ in status, there is one example for each, which \`status\` selects. */
function factory(type: string, examples: readonly JsonObject[]): string {
  const statuses = [...new Set(examples.map(({ status }) => status ?? null))];
  const [first] = statuses;
  const isSingle = statuses.length === 1 || first === undefined;
  const data = `${type.charAt(0).toLowerCase()}${type.slice(1)}Example${isSingle ? '' : 's'}`;
  if (isSingle) {
    return `const ${data} = ${JSON.stringify(examples[0])} satisfies ${type};

/** The contract's example of ${type}, with your changes. */
export function a${type}(changes: Changes<${type}> = {}): ${type} {
  return withChanges<${type}>(${data}, changes);
}
`;
  }
  const entries = statuses.map(
    (status) => `${status}: ${JSON.stringify(examples.find((one) => one['status'] === status))}`,
  );
  return `const ${data} = {\n${entries.map((entry) => `  ${entry},`).join('\n')}\n} satisfies Record<string | number, ${type}>;

/** The contract's example of ${type} with this status, by default ${first}, with your changes. */
export function a${type}<S extends keyof typeof ${data} = ${JSON.stringify(first)}>(
  changes: ChangesOf<${type}, S> = {},
): WithStatus<${type}, S> {
  return withChanges<WithStatus<${type}, S>>(${data}[changes.status ?? ${JSON.stringify(first)}], changes);
}
`;
}

/** The examples of each schema that describes a body, an object within one, or a part of either. */
function examplesBySchema(bundle: Bundle): Record<string, JsonObject[]> {
  const found: Record<string, JsonObject[]> = {};
  const add = (type: string, value: Json) => {
    found[type] = [...(found[type] ?? []), value as JsonObject];
  };
  const visit = (schema: Schema, value: Json): void => {
    const own = resolve(bundle, schema);
    if (Array.isArray(value)) for (const one of value) visit(own.items ?? {}, one);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    if (schema.$ref) add(componentName(schema.$ref), value);
    for (const branch of own.allOf ?? []) visit(branch, value);
    const variant = own.discriminator?.mapping[String(value[own.discriminator.propertyName])];
    const { properties = {} } = variant ? resolve<Schema>(bundle, { $ref: variant }) : own;
    for (const [name, member] of Object.entries(value)) visit(properties[name] ?? {}, member);
  };
  for (const { request, responses } of operations(bundle)) {
    for (const body of [request, ...responses.map((response) => response.body)]) {
      for (const { value } of body?.examples ?? []) visit(body?.schema ?? {}, value);
    }
  }
  return found;
}
