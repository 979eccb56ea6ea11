/** The API's documents, from which forms are made. Each is loaded when it is first needed. */
import { useEffect, useState } from 'preact/hooks';
import { call, canSimulate, facts } from './api.js';

/**
 * @typedef {{ $ref?: string, type?: string, enum?: any[], const?: any, format?: string, description?: string,
 *   required?: string[], properties?: Record<string, Schema>, items?: Schema, allOf?: Schema[], anyOf?: Schema[],
 *   oneOf?: Schema[], minimum?: number, maximum?: number, maxLength?: number, pattern?: string }} Schema
 * @typedef {{ name: string, in: string, required: boolean, description: string, schema: Schema }} Parameter
 * @typedef {{ name: string, summary: string, value: any }} Example
 * @typedef {{ id: string, method: string, path: string, tag: string, summary: string, description: string,
 *   role: string | undefined, isForMerchants: boolean, parameters: Parameter[], body: Schema | undefined, bodyRequired: boolean,
 *   examples: Example[] }} Operation
 * @typedef {{ title: string, operations: Operation[], schemas: Record<string, any> }} ApiDocument
 */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** @type {Map<string, Promise<ApiDocument>>} */
const loaded = new Map();

/** @param {string} name */
function load(name) {
  const known = loaded.get(name) ?? call('GET', `/console/${name}.json`).then(read);
  loaded.set(name, known);
  known.catch(() => loaded.delete(name));
  return known;
}

/** A document once it is loaded. @param {string} name */
export function useDocument(name) {
  const [document, setDocument] = useState(/** @type {ApiDocument | undefined} */ (undefined));
  useEffect(() => {
    let isShown = true;
    load(name).then(
      (value) => isShown && setDocument(value),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [name]);
  return document;
}

/** The documents of the session: the management API's and, in a sandbox, the sandbox's. @returns {ApiDocument[]} */
function useDocuments() {
  const management = useDocument('management');
  const sandbox = useDocument(canSimulate ? 'sandbox' : 'management');
  return management && sandbox ? [management, sandbox] : [];
}

/** An operation of these documents. @param {string} id */
export function useOperation(id) {
  return useDocuments()
    .flatMap(({ operations }) => operations)
    .find((one) => one.id === id);
}

/** The values of an enumeration of these documents. @param {string} name @returns {string[]} */
export function useEnum(name) {
  return useDocuments().find(({ schemas }) => schemas[name])?.schemas[name].enum ?? [];
}

/** The path of an operation with its parameters. @param {Operation} operation @param {Record<string, any>} values */
export function fillPath({ path, parameters }, values) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? `{${name}}`));
  const search = parameters
    .filter((one) => one.in === 'query' && values[one.name] !== undefined && values[one.name] !== '')
    .map(({ name }) => `${name}=${encodeURIComponent(values[name])}`);
  return search.length > 0 ? `${filled}?${search.join('&')}` : filled;
}

/** A schema with a property for each parameter. @param {Parameter[]} parameters @returns {Schema} */
export function toSchema(parameters) {
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        { ...schema, description: description ?? schema.description },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** @param {any} raw @returns {ApiDocument} */
function read(raw) {
  const operations = Object.entries(raw.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => readOperation(raw, path, method, item)),
  );
  return { title: raw.info.title, operations, schemas: raw.components.schemas ?? {} };
}

/** @param {any} raw @param {string} path @param {string} method @param {any} item @returns {Operation} */
function readOperation(raw, path, method, item) {
  const described = item[method];
  const content = resolve(raw, described.requestBody)?.content?.['application/json'];
  const parameters = [...(item.parameters ?? []), ...(described.parameters ?? [])].map((one) => resolve(raw, one));
  const security = /** @type {Record<string, string[]>[]} */ (described.security ?? raw.security ?? []);
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    tag: described.tags?.[0] ?? '',
    summary: described.summary ?? described.operationId,
    description: described.description ?? '',
    role: security.flatMap(({ operatorKey = [] }) => operatorKey)[0],
    isForMerchants: security.some(({ apiKey }) => apiKey && (facts.sandbox || !apiKey.includes('test'))),
    parameters: parameters
      .filter((one) => one.in === 'path' || one.in === 'query')
      .map((one) => ({ ...one, required: one.required === true, schema: flatten(raw, one.schema) })),
    body: content && flatten(raw, content.schema),
    bodyRequired: resolve(raw, described.requestBody)?.required === true,
    examples: Object.entries(content?.examples ?? {}).map(([name, example]) => {
      const { summary = name, value } = resolve(raw, example);
      return { name, summary, value };
    }),
  };
}

/** @param {any} raw @param {any} node @returns {any} */
function resolve(raw, node) {
  if (!node?.$ref) return node;
  const path = node.$ref.slice(2).split('/');
  return resolve(
    raw,
    path.reduce(
      (/** @type {any} */ at, /** @type {string} */ part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      raw,
    ),
  );
}

/**
 * A schema with its references and parts of `allOf` put in. Alternatives stay as they are.
 * @param {any} raw @param {any} node @param {number} [depth] @returns {Schema}
 */
function flatten(raw, node, depth = 0) {
  const found = resolve(raw, node) ?? {};
  if (depth > 6) return found;
  const parts = (found.allOf ?? []).map((/** @type {any} */ part) => flatten(raw, part, depth + 1));
  const merged = Object.assign({}, ...parts, found);
  delete merged.allOf;
  const properties = Object.assign({}, ...parts.map((/** @type {Schema} */ part) => part.properties), found.properties);
  for (const [name, value] of Object.entries(properties)) properties[name] = flatten(raw, value, depth + 1);
  delete merged.properties;
  if (Object.keys(properties).length > 0) merged.properties = properties;
  if (merged.items) merged.items = flatten(raw, merged.items, depth + 1);
  for (const name of ['anyOf', 'oneOf']) {
    if (merged[name]) merged[name] = merged[name].map((/** @type {any} */ one) => flatten(raw, one, depth + 1));
  }
  return merged;
}
