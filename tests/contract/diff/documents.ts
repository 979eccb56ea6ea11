/** Documents to compare: the real bundle, and edited versions. */

import { compareDocuments } from '../../../contract/src/diff/document.ts';
import { atPointer, type Bundle, type Json, type JsonObject, readBundle } from '../../../contract/src/model.ts';
import { parsePointer, toPointer } from '../../../contract/src/pointer.ts';

export const CONTRACT = readBundle();

/** Changes the given document. */
export type Edit = (document: Bundle) => void;

/** The contract after some edits. */
export function edited(...edits: Edit[]): Bundle {
  const document = structuredClone(CONTRACT);
  for (const edit of edits) edit(document);
  return document;
}

/** Sets the value at the pointer; `-` as the last step appends to a list. */
export function set(pointer: string, given: Json): Edit {
  return (document) => {
    const value = structuredClone(given);
    const { parent, key } = place(document, pointer);
    if (Array.isArray(parent)) parent.splice(key === '-' ? parent.length : Number(key), key === '-' ? 0 : 1, value);
    else parent[key] = value;
  };
}

/** Removes the value at the pointer. */
export function drop(pointer: string): Edit {
  return (document) => {
    atPointer(document, pointer);
    const { parent, key } = place(document, pointer);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  };
}

/** Renames a schema with all its references. */
export function rename(from: string, to: string): Edit {
  return (document) => {
    const text = JSON.stringify(document).replaceAll(`/schemas/${from}"`, `/schemas/${to}"`);
    Object.assign(document, JSON.parse(text));
    const { schemas } = document.components;
    schemas[to] = schemas[from] ?? {};
    delete schemas[from];
  };
}

/** Combines several edits. */
export function all(...edits: Edit[]): Edit {
  return (document) => {
    for (const edit of edits) edit(document);
  };
}

/** Pointer to a schema of the contract, or into it. */
export function schema(name: string, ...steps: (string | number)[]): string {
  return ['/components/schemas', name, ...steps].join('/');
}

/** Removes a required field of a webhook, a break. */
export const LOST_FIELD = all(drop(schema('PaymentSucceeded', 'properties', 'amount_paid')), (document) => {
  const { required } = document.components.schemas['PaymentSucceeded'] ?? {};
  required?.splice(required.indexOf('amount_paid'), 1);
});

/** The changes between two documents, one line each. */
export function lines(before: Bundle, after: Bundle): string[] {
  return compareDocuments(before, after).map(({ level, message }) => `${level}: ${message}`);
}

function place(document: Bundle, pointer: string): { parent: Json[] | JsonObject; key: string } {
  const parts = parsePointer(pointer);
  const key = parts.pop() ?? '';
  return { parent: atPointer(document, toPointer(...parts)) as Json[] | JsonObject, key };
}
