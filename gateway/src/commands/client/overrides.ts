/** Fields of the transaction that `trigger` creates, as they are typed: `--set amount=2500 customer.name='Asha Rao'`. */

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

/** A field with its value as it was typed; an empty one leaves the field out. */
export interface Override {
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

/** Reads `field=value`. Throws a UserError. */
export function readOverride(text: string): Override {
  const [, field = '', value = ''] = /^([\w.]+)=(.*)$/s.exec(text) ?? [];
  if (field !== '') return { path: field.split('.'), text: value };
  throw new UserError(
    `--set has '${text}'. Write fields as amount=2500 or customer.id=customer-7, after the event.`,
    2,
  );
}

/** A request from an example, with the overrides in it. Throws a UserError that names each field that the contract refuses. */
export function applyOverrides(
  kind: TransactionKind,
  overrides: readonly Override[],
  change: (example: CreationRequest) => CreationRequest,
): CreationRequest {
  const bundle = readDocumentFile('contract');
  const request: Record<string, unknown> = { ...change(structuredClone(findExample(kind, overrides))) };
  for (const { path, text } of overrides) place(request, path, typedValue(bundle, kind, path, text));
  const validate = requestBodies[OPERATIONS[kind]];
  if (validate(request)) return request as CreationRequest;
  const found = violations(validate.errors ?? [], 'body').map(({ pointer, message }) => {
    const path = parsePointer(pointer);
    const field = path.join('.');
    const known = namesBeside(bundle, kind, path);
    const hint = known.includes(field) ? '' : didYouMean(field, known);
    return `${field} ${message}${hint && `.${hint}`}`;
  });
  throw new UserError(found.join('\n'), 2);
}

/** The example of the method and currency that the overrides name, so that a whole request fits them. */
function findExample(kind: TransactionKind, overrides: readonly Override[]): CreationRequest {
  const examples = Object.values<{ readonly body: CreationRequest }>(requestExamples[OPERATIONS[kind]]);
  const usual = { body: USUAL[kind] };
  const textOf = (name: string) => overrides.findLast(({ path }) => path.join('.') === name)?.text;
  const currency = textOf('currency');
  const method = textOf('payment_method_type');
  const fits = ({ body }: { readonly body: CreationRequest }) =>
    (currency ?? body.currency) === body.currency && (method ?? body.payment_method_type) === body.payment_method_type;
  return [usual, ...examples].find(fits)?.body ?? usual.body;
}

/** The value in the type that the contract gives the field. What isn't of that type stays a string, which is refused. */
function typedValue(bundle: Bundle, kind: TransactionKind, path: readonly string[], text: string): unknown {
  if (text === '') return undefined;
  const { type } = findSchema(bundle, kind, path);
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  return text;
}

function place(request: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const inner = Object.hasOwn(request, name) ? request[name] : undefined;
    const object = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    request[name] = object;
    place(object, rest, value);
  } else if (value === undefined) delete request[name];
  else request[name] = value;
}

function findSchema(bundle: Bundle, kind: TransactionKind, path: readonly string[]): Schema {
  const name = path.at(-1);
  if (name === undefined) return resolved(bundle, bundle.components.schemas[SCHEMAS[kind]]);
  const members = listMembers(bundle, kind, path.slice(0, -1));
  return Object.hasOwn(members, name) ? resolved(bundle, members[name]) : {};
}

/** Member names of the object that contains a field. */
function namesBeside(bundle: Bundle, kind: TransactionKind, path: readonly string[]): string[] {
  const holder = path.slice(0, -1);
  return Object.keys(listMembers(bundle, kind, holder)).map((name) => [...holder, name].join('.'));
}

function listMembers(bundle: Bundle, kind: TransactionKind, path: readonly string[]): Readonly<Record<string, Schema>> {
  return findSchema(bundle, kind, path).properties ?? {};
}

function resolved(bundle: Bundle, schema: Schema = {}): Schema {
  return resolve<Schema>(bundle, schema as { $ref: string });
}
