/** The documents of the API and of the sandbox, of which forms are made. They are loaded when they are first needed. */
import { useEffect, useState } from 'preact/hooks';
import { call } from '../shared/api.js';

/**
 * @typedef {{ $ref?: string, type?: string, enum?: any[], const?: any, format?: string, description?: string,
 *   required?: string[], properties?: Record<string, Schema>, items?: Schema, allOf?: Schema[], anyOf?: Schema[],
 *   oneOf?: Schema[], minimum?: number, maximum?: number, maxLength?: number, pattern?: string }} Schema
 * @typedef {{ name: string, in: string, required: boolean, description: string, schema: Schema }} Parameter
 * @typedef {{ name: string, summary: string, value: any }} Example
 * @typedef {{ id: string, method: string, path: string, tag: string, summary: string, description: string,
 *   parameters: Parameter[], body: Schema | undefined, bodyRequired: boolean, examples: Example[] }} Operation
 * @typedef {{ title: string, operations: Operation[] }} ApiDocument
 * @typedef {'contract' | 'sandbox'} DocumentName
 */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** @type {Map<DocumentName, Promise<ApiDocument>>} */
const loaded = new Map();

/** @param {DocumentName} name */
function load(name) {
  const known = loaded.get(name) ?? call('GET', `/console/${name}.json`).then(read);
  loaded.set(name, known);
  known.catch(() => loaded.delete(name));
  return known;
}

/** A document once it is loaded. @param {DocumentName} name */
export function useDocument(name) {
  const [document, setDocument] = useState(/** @type {ApiDocument | undefined} */ (undefined));
  useEffect(() => {
    let shown = true;
    load(name).then(
      (value) => shown && setDocument(value),
      () => undefined,
    );
    return () => {
      shown = false;
    };
  }, [name]);
  return document;
}

/** @param {any} raw @returns {ApiDocument} */
function read(raw) {
  const operations = Object.entries(raw.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => operation(raw, path, method, item)),
  );
  return { title: raw.info.title, operations };
}

/** @param {any} raw @param {string} path @param {string} method @param {any} item @returns {Operation} */
function operation(raw, path, method, item) {
  const described = item[method];
  const content = resolve(raw, described.requestBody)?.content?.['application/json'];
  const parameters = [...(item.parameters ?? []), ...(described.parameters ?? [])].map((one) => resolve(raw, one));
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    tag: described.tags?.[0] ?? '',
    summary: described.summary ?? described.operationId,
    description: described.description ?? '',
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
  const target = node.$ref
    .slice(2)
    .split('/')
    .reduce(
      (/** @type {any} */ at, /** @type {string} */ part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
      raw,
    );
  return resolve(raw, target);
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
  merged.properties = Object.assign(
    {},
    ...parts.map((/** @type {Schema} */ part) => part.properties),
    found.properties,
  );
  for (const [name, value] of Object.entries(merged.properties))
    merged.properties[name] = flatten(raw, value, depth + 1);
  if (Object.keys(merged.properties).length === 0) delete merged.properties;
  if (merged.items) merged.items = flatten(raw, merged.items, depth + 1);
  for (const name of ['anyOf', 'oneOf']) {
    if (merged[name]) merged[name] = merged[name].map((/** @type {any} */ one) => flatten(raw, one, depth + 1));
  }
  return merged;
}
