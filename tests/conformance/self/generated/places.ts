/** Every place in which a service shows something, and the fields there: read from the document. */
import {
  type Bundle,
  type Json,
  type JsonObject,
  type Operation,
  operations,
  readBundle,
  resolve,
  type Schema,
  webhooks,
} from '../../../../contract/src/model.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';

/** A response with one status code, or a webhook; of transactions, in one status. */
export interface Shown {
  /** Such as `getPayment/200/SUCCESS` or `paymentFailed/FAILED`. */
  readonly id: string;
  /** Operation or webhook. */
  readonly on: string;
  /** Status code; undefined for a webhook. */
  readonly code?: number;
  /** Status of the transaction; undefined if the body is none. */
  readonly status?: string;
  readonly kind?: TransactionKind;
  readonly fields: readonly Field[];
}

export interface Field {
  /** Names from the body to the field; `*` stands for each item of an array. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Other values that the document lists for this field; empty if it lists none. */
  readonly known: readonly Json[];
  /** The name of the type by which siblings are compared, such as `string date-time`. */
  readonly type: string;
}

export const ITEM = '*';
export const BUNDLE = readBundle();

/** The places of the document, operations first. */
export const PLACES: readonly Shown[] = [
  ...operations(BUNDLE).flatMap((operation) =>
    operation.responses.flatMap(({ status, body }) =>
      body ? listShown(BUNDLE, operation, body.schema, Number(status)) : [],
    ),
  ),
  ...webhooks(BUNDLE).flatMap((webhook) =>
    webhook.request ? listShown(BUNDLE, webhook, webhook.request.schema, undefined) : [],
  ),
];

function listShown(bundle: Bundle, { id: on }: Operation, schema: Schema, code: number | undefined): Shown[] {
  const union = findSchema(bundle, schema);
  const variants = union.oneOf ?? [schema];
  const states = variants.flatMap((variant) => findSchema(bundle, variant).properties?.['status']?.const ?? []);
  return variants.map((variant) => {
    const whole = findSchema(bundle, variant);
    const status = whole.properties?.['status']?.const;
    const isTransaction = typeof status === 'string';
    const id = [on, code, isTransaction ? status : undefined].filter((part) => part !== undefined).join('/');
    return {
      ...{ id, on, fields: listFields(bundle, whole, states) },
      ...(code !== undefined && { code }),
      ...(isTransaction && { status, kind: findKind(on) }),
    };
  });
}

/** Names of operations and webhooks contain their kind. */
function findKind(on: string): TransactionKind {
  return /payout/i.test(on) ? 'payout' : 'payment';
}

/** The schema without references, and with the properties of all its parts. */
function findSchema(bundle: Bundle, schema: Schema): Schema {
  const whole = resolve<Schema>(bundle, schema as { $ref: string });
  const parts = (whole.allOf ?? []).map((part) => findSchema(bundle, part));
  const all = [whole, ...parts];
  return {
    ...whole,
    ...(all.some(({ properties }) => properties) && {
      properties: Object.assign({}, ...all.map(({ properties }) => properties ?? {})),
    }),
    required: all.flatMap(({ required = [] }) => required),
  };
}

function listFields(bundle: Bundle, { properties = {}, required = [] }: Schema, states: readonly Json[]): Field[] {
  return Object.entries(properties).flatMap(([name, given]) => {
    const schema = findSchema(bundle, given);
    const known = name === 'status' && states.length > 0 ? listStates(bundle, states) : knownValues(schema);
    const field = { path: [name], schema, isRequired: required.includes(name), known, type: readType(schema) };
    const items = schema.items && findSchema(bundle, schema.items);
    const inner = [
      ...listFields(bundle, { properties: schema.properties ?? {}, required: schema.required ?? [] }, []),
      ...(items?.properties ? listFields(bundle, items, []).map(within(ITEM)) : []),
    ];
    return [field, ...inner.map(within(name))];
  });
}

function within(name: string): (field: Field) => Field {
  return (field) => ({ ...field, path: [name, ...field.path] });
}

/** The statuses of the machine to which these belong. */
function listStates(bundle: Bundle, states: readonly Json[]): Json[] {
  const machines = Object.values(bundle['x-state-machines']).map((machine) => Object.keys(machine.states));
  return machines.find((names) => states.every((state) => names.includes(String(state)))) ?? [...states];
}

function knownValues(schema: Schema): readonly Json[] {
  return schema.enum ?? schema.anyOf?.find((branch) => branch.enum)?.enum ?? [];
}

function readType({ type, format, anyOf }: Schema): string {
  return [type ?? anyOf?.[0]?.type, format].filter((part) => part !== undefined).join(' ');
}

/** Objects that hold the field, each with the name under which they do. */
export function listHolders(body: Json | undefined, path: readonly string[]): { holder: JsonObject; name: string }[] {
  const [name, ...rest] = path;
  if (name === undefined || typeof body !== 'object' || body === null) return [];
  if (Array.isArray(body)) return name === ITEM ? body.flatMap((item) => listHolders(item, rest)) : [];
  if (rest.length > 0) return listHolders(body[name], rest);
  return name in body ? [{ holder: body, name }] : [];
}

/** The name under which a value is remembered: a wallet's belong to its currency. */
export function findKey(holder: JsonObject, path: readonly string[]): string {
  return path.length > 1 ? `${path.join('/')} ${holder['currency'] ?? ''}` : path.join('/');
}
