/** Fields of a request as they are typed: `amount=2500 customer.name='Asha Rao'`. */

import { UserError } from '../../../../contract/src/cli.ts';
import { type Bundle, resolve, type Schema } from '../../../../contract/src/model.ts';
import { didYouMean } from '../../../../contract/src/nearest.ts';
import { parsePointer } from '../../../../contract/src/pointer.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import { violations } from '../../../../contract/src/violations.ts';
import { requestExamples } from '../../../../generated/examples.ts';
import type { CreatePaymentRequest, CreatePayoutRequest } from '../../../../generated/types.ts';
import { requestBodies } from '../../../../generated/validators.js';
import { readDocumentFile } from '../../http/gateway-apis.ts';

export type CreationRequest = CreatePaymentRequest | CreatePayoutRequest;

/** A field with its value as it was typed. An empty value omits the field. */
export interface RequestField {
  /** Names of members, from the outermost. */
  readonly path: readonly string[];
  readonly text: string;
}

const OPERATIONS = { payment: 'createPayment', payout: 'createPayout' } as const;
const SCHEMAS = { payment: 'CreatePaymentRequest', payout: 'CreatePayoutRequest' } as const;

/** The default example, unless overrides select another method or currency. */
const USUAL: Readonly<Record<TransactionKind, CreationRequest>> = {
  payment: requestExamples.createPayment['h2h-upi'].body,
  payout: requestExamples.createPayout['imps-inr'].body,
};

/** Parses `field=value`. Throws a UserError. */
export function parseField(text: string, hint: string): RequestField {
  const [, field = '', value = ''] = /^([\w.]+)=(.*)$/s.exec(text) ?? [];
  if (field !== '') return { path: field.split('.'), text: value };
  throw new UserError(`'${text}' is not a field. Write fields as amount=2500 or customer.id=customer-7${hint}.`, 2);
}

/** Sets fields of a request, with values of the types in its schema. */
export function setFields(
  request: Record<string, unknown>,
  fields: readonly RequestField[],
  { bundle, schema }: DescribedSchema,
): void {
  for (const { path, text } of fields) setMember(request, path, typedValue({ bundle, schema }, path, text));
}

export interface DescribedSchema {
  /** The document that the schema's references point into. */
  readonly bundle: Bundle;
  readonly schema: Schema;
}

/** A request from an example, with the overrides in it. Throws a UserError that names each field that the contract refuses. */
export function applyOverrides(
  kind: TransactionKind,
  overrides: readonly RequestField[],
  change: (example: CreationRequest) => CreationRequest,
): CreationRequest {
  const bundle = readDocumentFile('contract');
  const described = { bundle, schema: { $ref: `#/components/schemas/${SCHEMAS[kind]}` } as Schema };
  const request: Record<string, unknown> = { ...change(structuredClone(findExample(kind, overrides))) };
  setFields(request, overrides, described);
  const validate = requestBodies[OPERATIONS[kind]];
  if (validate(request)) return request as CreationRequest;
  const found = violations(validate.errors ?? [], 'body').map(({ pointer, message }) => {
    const path = parsePointer(pointer);
    const field = path.join('.');
    const known = Object.keys(readFields(described, path.slice(0, -1)));
    const hint = known.includes(field) ? '' : didYouMean(field, known);
    return `${field} ${message}${hint && `.${hint}`}`;
  });
  throw new UserError(found.join('\n'), 2);
}

/** The example of the method and currency that the overrides name, so that a whole request fits them. */
function findExample(kind: TransactionKind, overrides: readonly RequestField[]): CreationRequest {
  const examples = Object.values<{ readonly body: CreationRequest }>(requestExamples[OPERATIONS[kind]]);
  const usual = { body: USUAL[kind] };
  const textOf = (name: string) => overrides.findLast(({ path }) => path.join('.') === name)?.text;
  const currency = textOf('currency');
  const method = textOf('payment_method_type');
  const fits = ({ body }: { readonly body: CreationRequest }) =>
    (currency ?? body.currency) === body.currency && (method ?? body.payment_method_type) === body.payment_method_type;
  return [usual, ...examples].find(fits)?.body ?? usual.body;
}

/** The value in the type of the field's schema. A value of another type stays a string, which the gateway refuses. */
function typedValue(described: DescribedSchema, path: readonly string[], text: string): unknown {
  if (text === '') return undefined;
  return toType(described.bundle, findSchema(described, path), text);
}

function toType(bundle: Bundle, schema: Schema, text: string): unknown {
  const { type, items } = schema;
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  if (type === 'array' && !text.startsWith('['))
    return text.split(',').map((item) => toType(bundle, resolved(bundle, items), item));
  if (type === 'array' || type === 'object') return parseJson(text);
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function setMember(request: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const inner = Object.hasOwn(request, name) ? request[name] : undefined;
    const object = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    request[name] = object;
    setMember(object, rest, value);
  } else if (value === undefined) delete request[name];
  else request[name] = value;
}

function findSchema({ bundle, schema }: DescribedSchema, path: readonly string[]): Schema {
  const [name, ...rest] = path;
  const own = resolved(bundle, schema);
  if (name === undefined) return own;
  const { properties = {} } = own;
  return Object.hasOwn(properties, name) ? findSchema({ bundle, schema: properties[name] ?? {} }, rest) : {};
}

/** Fields of an object in the schema, by name. */
export function readFields(described: DescribedSchema, path: readonly string[] = []): Readonly<Record<string, Schema>> {
  const fields = Object.entries(findSchema(described, path).properties ?? {});
  return Object.fromEntries(
    fields.map(([name, schema]) => [[...path, name].join('.'), resolved(described.bundle, schema)]),
  );
}

/** The names of the required fields of an object. */
export function readRequired(described: DescribedSchema): readonly string[] {
  return findSchema(described, []).required ?? [];
}

/** A schema with the keywords of the schemas that it references. Its own keywords take precedence. */
function resolved(bundle: Bundle, { $ref, ...own }: Schema = {}): Schema {
  const referred = $ref ? [resolve<Schema>(bundle, { $ref })] : [];
  const parts = [...referred, ...(own.allOf ?? [])].map((part) => resolved(bundle, part));
  return Object.assign({}, ...parts, own);
}
