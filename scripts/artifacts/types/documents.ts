/**
 * Prepares the document for TypeScript: shared names for common parts of messages, and unions that narrow by a field.
 * IDs stay plain strings (docs/decisions/0007-plain-ids.md).
 */
import {
  type Bundle,
  componentName,
  type Operation,
  operations,
  resolve,
  type Schema,
  successes,
} from '../../../contract/src/model.ts';
import { METHOD_NAMES, typeName } from '../statuses.ts';

/** A copy of the document for type generation, and the additions its schemas don't express. */
export interface TypedDocument {
  document: Bundle;
  /** The interface that a variant extends, by the name of the variant. */
  bases: ReadonlyMap<string, string>;
}

type Schemas = Record<string, Schema>;

/** Derives the copy. The given document stays unchanged. */
export function forTypes(bundle: Bundle): TypedDocument {
  const document = structuredClone(bundle);
  const { schemas } = document.components;
  const bases = new Map<string, string>();
  for (const kind of Object.keys(bundle['x-state-machines'])) nameTransactions(document, kind, bases);
  for (const [name, schema] of Object.entries(schemas)) narrowByStatus(schemas, name, schema);
  describeReferences(document);
  return { document, bases };
}

/** Marks a field that a variant never has. JSON Schema has no such type, TypeScript has `undefined`. */
export const ABSENT = 'x-absent';

// --- payments and payouts -----------------------------------------------------------------------------------------

/** Adds PaymentStatus and PaymentBase for payments, and the same for payouts. */
function nameTransactions(document: Bundle, kind: string, bases: Map<string, string>): void {
  const { schemas } = document.components;
  const type = typeName(kind);
  const machine = document['x-state-machines'][kind];
  const creation = machine?.transitions.find(({ from }) => from === null)?.by;
  const created = operations(document).find(({ id }) => id === creation);
  const shown = variants(schemas, type);
  const opened = variants(schemas, componentName(bodyRef(created)));
  for (const [status, name] of opened) relax(schemas[shown.get(status) ?? ''], schemas[name]);
  const names = [...new Set([...shown.values(), ...opened.values()])];
  const status = `${type}Status`;
  const base = `${type}Base`;
  schemas[status] = {
    type: 'string',
    enum: Object.keys(machine?.states ?? {}),
    description: `Status of a ${kind}.`,
  };
  schemas[base] = commonFields(schemas, names, kind, { $ref: `#/components/schemas/${status}` });
  schemas[base].description = `What every ${kind} has, whatever its status.`;
  for (const name of names) bases.set(name, base);
}

/** Variants of a union by the value of their discriminator. */
function variants(schemas: Schemas, name: string): Map<string, string> {
  const mapping = schemas[name]?.discriminator?.mapping;
  if (!mapping) throw new Error(`${name} has no discriminator, by which types could tell its variants apart`);
  return new Map(Object.entries(mapping).map(([value, ref]) => [value, componentName(ref)]));
}

function bodyRef(operation: Operation | undefined): string {
  return (operation && successes(operation)[0]?.body?.schema.$ref) ?? '';
}

/** Lets fields be absent that the response of a creation lacks in this status, so that a program can keep both in one map. */
function relax(shown: Schema | undefined, created: Schema | undefined): void {
  if (!shown || shown === created) return;
  shown.required = (shown.required ?? []).filter((field) => created?.required?.includes(field));
}

/**
 * The fields that all variants have. Either name of the method is a field of every payment, and none is required. A payout
 * has neither, which its type says: a payment would fit the type of a payout otherwise, since it has all of its fields.
 */
function commonFields(schemas: Schemas, names: readonly string[], kind: string, status: Schema): Schema {
  const all = names.map((name) => schemas[name]);
  const properties = Object.assign({}, ...all.map((schema) => schema?.properties)) as Schemas;
  const common = Object.keys(properties).filter((field) => all.every((schema) => schema?.properties?.[field]));
  const fields = [...new Set([...common, ...METHOD_NAMES])].map((field) => [
    field,
    properties[field] ?? absent(`A ${kind} never has it.`),
  ]);
  return {
    type: 'object',
    required: common.filter((field) => all.every((schema) => schema?.required?.includes(field))),
    properties: { ...(Object.fromEntries(fields) as Schemas), status },
  };
}

// --- problems -----------------------------------------------------------------------------------------------------

/**
 * A schema such as ValidationProblem extends another one and has one status. TypeScript narrows a union by a number only if
 * each variant lists its numbers, so the other schema becomes a union of this one and the problems of all other statuses.
 */
function narrowByStatus(schemas: Schemas, name: string, schema: Schema): void {
  const [general, special] = schema.allOf ?? [];
  const status = special?.properties?.['status']?.const;
  const generalName = componentName(general?.$ref ?? '');
  const source = schemas[generalName];
  if (typeof status !== 'number' || !source?.properties) return;
  const own = senderRequires(special);
  const { properties } = source;
  const { status: anyStatus = {} } = properties;
  schemas['OtherErrorStatus'] = {
    type: 'integer',
    enum: range(anyStatus).filter((code) => code !== status),
    description: `HTTP status code of an error that is not ${status}.`,
  };
  schemas[name] = {
    type: 'object',
    description: schema.description ?? '',
    required: ['status', ...own],
    properties: { ...properties, status: { ...anyStatus, enum: [status] } },
  };
  schemas[`Other${generalName}`] = {
    type: 'object',
    description: `${generalName} with a status that is not ${status}.`,
    properties: {
      ...properties,
      status: { $ref: '#/components/schemas/OtherErrorStatus' },
      ...Object.fromEntries(own.map((field) => [field, absent(`Only a problem with the status ${status} has it.`)])),
    },
  };
  const variantsOf = [name, `Other${generalName}`].map((variant) => ({ $ref: `#/components/schemas/${variant}` }));
  schemas[generalName] = { oneOf: variantsOf, description: source.description ?? '' };
}

function absent(description: string): Schema {
  return { [ABSENT]: true, description } as Schema;
}

function senderRequires(schema: Schema | undefined): string[] {
  return (schema?.['x-sender'] as { required?: string[] } | undefined)?.required ?? [];
}

function range(schema: Schema | undefined): number[] {
  const { minimum = 0, maximum = -1 } = (schema ?? {}) as { minimum?: number; maximum?: number };
  return Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index);
}

// --- comments -----------------------------------------------------------------------------------------------------

/** Editors show a field's comment rather than its type's, so a reference inherits the target's description. */
function describeReferences(document: Bundle): void {
  for (const { properties = {} } of Object.values(document.components.schemas)) {
    for (const [field, schema] of Object.entries(properties)) {
      if (!schema.$ref || schema.description) continue;
      const { description } = resolve(document, schema);
      if (description) properties[field] = { ...schema, description };
    }
  }
}
