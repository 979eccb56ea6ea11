/**
 * Typed access to the contract: the bundle, with references resolved on demand. Everything is derived from
 * generated/openapi.json.
 */
import { readText } from './files.ts';
import { parsePointer, toPointer } from './pointer.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Whether the value is an object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of a JSON object; undefined for other values. */
export function readMember(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

/** A JSON Schema of the document. Only the keywords that the contract uses are named. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: Json;
  enum?: Json[];
  format?: string;
  pattern?: string;
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  'x-decline-reasons'?: Record<string, DeclineText>;
  'x-decline-handling'?: Record<string, DeclineHandling>;
  'x-enumDescriptions'?: Record<string, string>;
  'x-minor-units'?: Record<string, number>;
  /** Keywords for senders. */
  'x-sender'?: JsonObject;
  'x-source'?: string | string[];
  'x-assumption'?: string | string[];
}

/** The texts about a code in the decline tables (source 7.1 and 7.2). */
export interface DeclineText {
  meaning: string;
  likely_cause: string;
  suggested_action: string;
}

/** Handling of a decline, for programs. */
export interface DeclineHandling {
  retry: 'now' | 'later' | 'changed' | 'never';
  acts: 'merchant' | 'customer' | 'service' | 'nobody';
}

/** An entry of the assumption registry. */
export interface Assumption {
  id: string;
  section: string;
  open: string;
  assumed: string;
  why: string;
  also_done_by: string;
}

export interface StateMachine {
  title: string;
  states: Record<string, { meaning: string; flows?: string[]; final: boolean }>;
  transitions: Transition[];
}

/** A move between states. `from` is null for the creation; `by` is an operationId, `customer` or `service`. */
export interface Transition {
  from: string | null;
  to: string;
  by: string;
  when: string;
  /** A transition that readers accept, and that this kit's gateway never makes. */
  tolerated?: boolean;
  'x-source'?: string;
  'x-assumption'?: string | string[];
}

/** The bundled OpenAPI document, in as much detail as its readers need. */
export interface Bundle {
  openapi: string;
  info: { title: string; version: string; description: string; [key: string]: Json };
  servers: { url: string; description?: string; variables?: Record<string, { default: string }> }[];
  tags: { name: string; description?: string }[];
  externalDocs?: { url: string; description?: string };
  paths: Record<string, Record<string, RawOperation>>;
  webhooks: Record<string, { post: RawOperation }>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, RawResponse>;
    parameters: Record<string, RawParameter>;
    examples: Record<string, RawExample>;
    [kind: string]: Record<string, unknown>;
  };
  'x-state-machines': Record<string, StateMachine>;
  'x-assumptions': Assumption[];
}

interface Reference {
  $ref: string;
}
interface RawExample {
  summary?: string;
  value: Json;
}
type RawExamples = Record<string, RawExample | Reference>;
export interface RawMedia {
  schema: Schema;
  examples?: RawExamples;
}
export interface RawParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  examples?: RawExamples;
  /** Whether senders always include it, although receivers don't require it. */
  'x-sender'?: { required: boolean };
}
export interface RawResponse {
  description: string;
  links?: Record<string, { operationId: string; parameters?: Record<string, string> }>;
  headers?: Record<string, RawParameter | Reference>;
  content?: Record<string, RawMedia>;
}
/** A program that calls the operation, as Redoc and other tools read it. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}
export interface RawOperation {
  operationId?: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: (RawParameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, RawMedia> };
  responses: Record<string, RawResponse | Reference>;
  callbacks?: Record<string, Record<string, { post: RawOperation }>>;
  'x-exactly-one-of'?: string[];
  'x-codeSamples'?: CodeSample[];
  'x-source'?: string | string[];
  'x-assumption'?: string | string[];
}

/** The key in code samples and instructions, which stands for the reader's. */
export const SAMPLE_KEY = 'sk_test_your_key';

/** A named example with the pointer to where it is used. */
export interface Example {
  name: string;
  summary: string;
  value: Json;
  pointer: string;
}

export interface Body {
  mediaType: string;
  schema: Schema;
  pointer: string;
  examples: Example[];
}

export interface Parameter extends Omit<RawParameter, 'examples'> {
  pointer: string;
  examples: Example[];
}

export interface Response {
  status: string;
  description: string;
  pointer: string;
  headers: string[];
  body?: Body;
}

/** An operation, or a webhook (then `path` is empty), with all references but those to schemas resolved. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  pointer: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: Parameter[];
  /** Optional parameters of which a request has exactly one; empty if there are none. */
  exactlyOneOf: readonly string[];
  request?: Body;
  responses: Response[];
  callbacks: string[];
}

/** The request of a named example: parameters by place and name, and the body. */
export interface RequestExample {
  name: string;
  path: Record<string, string>;
  query: Record<string, string>;
  body?: Json;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export const BUNDLE_FILE = new URL('../../generated/openapi.json', import.meta.url);

/** Reads the bundle that `npm run build` wrote. */
export function readBundle(file: URL | string = BUNDLE_FILE): Bundle {
  return JSON.parse(readText(file)) as Bundle;
}

/** Follows `$ref` (within the document) until the value is not a reference. */
export function resolve<T extends object>(bundle: Bundle, node: T | Reference): T {
  let current: T | Reference = node;
  while ('$ref' in current && typeof current.$ref === 'string') {
    current = atPointer(bundle, current.$ref) as T | Reference;
  }
  return current as T;
}

/** Returns the value at a JSON pointer, with or without a leading `#`. Throws if there is none. */
export function atPointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of parsePointer(pointer)) {
    value = (value as Record<string, unknown> | undefined)?.[key];
    if (value === undefined) throw new Error(`${pointer} does not exist`);
  }
  return value;
}

/** A path of the contract with values for its parameters. Parameters without one keep their name. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? name));
}

/** The server's URL with the defaults of its variables. */
export function serverUrl({ url, variables = {} }: Bundle['servers'][number]): string {
  return url.replaceAll(/\{(\w+)\}/g, (mark, name: string) => variables[name]?.default ?? mark);
}

export function componentName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/**
 * An open enumeration: `anyOf` of an enum and any string.
 * Returns its known values and the branch that admits the others, or undefined for every other schema.
 */
export function openEnum(schema: Schema): { known: Json[]; open: Schema } | undefined {
  const known = schema.anyOf?.find((branch) => branch.enum)?.enum;
  const open = schema.anyOf?.find((branch) => branch.type === 'string' && !branch.enum);
  return known && open ? { known, open } : undefined;
}

/** The decline table of a schema, by code, or undefined for a schema without one. */
export function declineRows(schema: Schema): Record<string, DeclineText & DeclineHandling> | undefined {
  const branch = schema.anyOf?.find((one) => one['x-decline-reasons']);
  const { 'x-decline-reasons': texts, 'x-decline-handling': handling = {} } = branch ?? {};
  if (!texts) return undefined;
  const rows = Object.entries(texts).map(([code, text]) => [code, { ...text, ...handling[code] }]);
  return Object.fromEntries(rows) as Record<string, DeclineText & DeclineHandling>;
}

/** All operations, path by path in the order of the document, and reading ones first. */
export function operations(bundle: Bundle): Operation[] {
  return Object.entries(bundle.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) =>
      readOperation(bundle, item[method] as RawOperation, method, path, toPointer('paths', path, method)),
    ),
  );
}

/** All webhooks in the order of the document; each is a POST to the merchant. */
export function webhooks(bundle: Bundle): Operation[] {
  return Object.entries(bundle.webhooks).map(([name, item]) =>
    readOperation(bundle, { ...item.post, operationId: name }, 'post', '', toPointer('webhooks', name, 'post')),
  );
}

function readOperation(bundle: Bundle, raw: RawOperation, method: string, path: string, pointer: string): Operation {
  if (!raw.operationId) throw new Error(`${pointer} has no operationId`);
  const request = raw.requestBody && readBody(bundle, raw.requestBody.content, `${pointer}/requestBody/content`);
  return {
    id: raw.operationId,
    method,
    path,
    pointer,
    tags: raw.tags,
    summary: raw.summary,
    description: raw.description,
    parameters: (raw.parameters ?? []).map((parameter, index) =>
      readParameter(bundle, parameter, `${pointer}/parameters/${index}`),
    ),
    exactlyOneOf: raw['x-exactly-one-of'] ?? [],
    ...(request && { request }),
    // `default` stands for statuses outside of the contract, so it documents none.
    responses: Object.entries(raw.responses)
      .filter(([status]) => status !== 'default')
      .map(([status, response]) => readResponse(bundle, status, response, `${pointer}/responses/${status}`)),
    callbacks: Object.keys(raw.callbacks ?? {}),
  };
}

function readParameter(bundle: Bundle, node: RawParameter | Reference, pointer: string): Parameter {
  const raw = resolve(bundle, node);
  return { ...raw, pointer, examples: readExamples(bundle, raw.examples, `${pointer}/examples`) };
}

function readResponse(bundle: Bundle, status: string, node: RawResponse | Reference, pointer: string): Response {
  const raw = resolve(bundle, node);
  const body = raw.content && readBody(bundle, raw.content, `${pointer}/content`);
  return {
    status,
    description: raw.description,
    pointer,
    headers: Object.keys(raw.headers ?? {}),
    ...(body && { body }),
  };
}

function readBody(bundle: Bundle, content: Record<string, RawMedia>, pointer: string): Body {
  const entries = Object.entries(content);
  const [entry] = entries;
  if (!entry || entries.length > 1) throw new Error(`${pointer} must have exactly one media type`);
  const [mediaType, media] = entry;
  const at = pointer + toPointer(mediaType);
  return {
    mediaType,
    schema: media.schema,
    pointer: at,
    examples: readExamples(bundle, media.examples, `${at}/examples`),
  };
}

function readExamples(bundle: Bundle, examples: RawExamples | undefined, pointer: string): Example[] {
  return Object.entries(examples ?? {}).map(([name, node]) => {
    const { summary = name, value } = resolve(bundle, node);
    return { name, summary, value, pointer: pointer + toPointer(name) };
  });
}

/**
 * The named requests of an operation: a body example with the parameter examples of the same name. An operation without
 * input has one request per named response.
 */
export function requestExamples(operation: Operation): RequestExample[] {
  const given = [
    ...operation.parameters.filter((parameter) => parameter.in !== 'header'),
    ...(operation.request ? [operation.request] : []),
  ];
  const sources = given.length > 0 ? given : successes(operation).flatMap((response) => response.body ?? []);
  const names = new Set(sources.flatMap((source) => source.examples.map((example) => example.name)));
  return [...names].map((name) => {
    const body = findExample(operation.request, name);
    return {
      name,
      path: parameterValues(operation, 'path', name),
      query: parameterValues(operation, 'query', name),
      ...(body && { body: body.value }),
    };
  });
}

/** The documented response with the status. `default` documents none. */
export function findResponse(
  { responses }: Pick<Operation, 'responses'>,
  status: number | string,
): Response | undefined {
  return responses.find((response) => response.status === String(status));
}

export function successes(operation: Operation): Response[] {
  return operation.responses.filter((response) => response.status.startsWith('2'));
}

export function findExample(body: { examples: Example[] } | undefined, name: string): Example | undefined {
  return body?.examples.find((example) => example.name === name);
}

function parameterValues(operation: Operation, place: 'path' | 'query', name: string): Record<string, string> {
  return Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === place)
      .flatMap((parameter) => {
        const example = findExample(parameter, name);
        return example ? [[parameter.name, String(example.value)]] : [];
      }),
  );
}
