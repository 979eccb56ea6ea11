/** Bodies that the contract does not allow, made from an allowed one and its schema. */
import { type Json, type JsonObject, resolve, type Schema } from '../../contract/src/model.ts';
import { pointerOf } from '../../contract/src/pointer.ts';
import type { Contract } from './contract.ts';

export interface Mutation {
  title: string;
  body: Json;
}

const UNKNOWN_FIELD = 'field_unknown_to_the_contract';

/** Every way to break the body that its schema tells of; each result is checked to be against the schema. */
export function invalidBodies(contract: Contract, schema: Schema, body: Json): Mutation[] {
  const validate = contract.validator(schema);
  return mutate(contract, schema, body, '').filter((mutation) => validate(mutation.body).length > 0);
}

function mutate(contract: Contract, node: Schema, value: Json, pointer: string): Mutation[] {
  const schema = resolve<Schema>(contract.bundle, node as { $ref: string });
  if (schema.type === 'integer' && typeof value === 'number') {
    return [
      { title: `${pointer} as a string`, body: String(value) },
      { title: `${pointer} with decimals`, body: value + 0.5 },
    ];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const fields = Object.entries(value);
  return [
    ...(schema.required ?? []).map((name) => ({
      title: `without ${pointer + pointerOf(name)}`,
      body: Object.fromEntries(fields.filter(([field]) => field !== name)),
    })),
    ...(schema.additionalProperties === false
      ? [{ title: `with the unknown field ${pointer}/${UNKNOWN_FIELD}`, body: { ...value, [UNKNOWN_FIELD]: 'x' } }]
      : []),
    ...fields.flatMap(([name, inner]) => within(contract, schema, value, name, inner, pointer)),
  ];
}

function within(
  contract: Contract,
  schema: Schema,
  value: JsonObject,
  name: string,
  inner: Json,
  pointer: string,
): Mutation[] {
  const property = schema.properties?.[name];
  if (!property) return [];
  return mutate(contract, property, inner, pointer + pointerOf(name)).map(({ title, body }) => ({
    title,
    body: { ...value, [name]: body },
  }));
}
