/** Known values of fields that take any text, so that forms can offer them. */
import { facts } from '../shared/contract-facts.js';
import { useResource } from '../shared/resource.js';
import { useDocument } from './documents.js';

/** @typedef {import('./documents.js').Schema} Schema */

const DECLINE_REASONS = [...new Set(Object.values(facts.declineReasons).flat())];

/** A function that adds the known values to the schema of a form. @returns {(schema: Schema | undefined) => Schema | undefined} */
export function useChoices() {
  const contract = useDocument('contract');
  /** @type {import('../shared/resource.js').Resource<{ data: { method: string }[] }>} */
  const channels = useResource('/sandbox/channels');
  const methods = [...new Set(channels.data?.data.map(({ method }) => method))];
  /** @type {Record<string, string[]>} */
  const known = {
    operation: contract?.operations.map(({ id }) => id) ?? [],
    method: methods,
    payment_method_type: methods,
    decline_reason: DECLINE_REASONS,
    events: facts.webhooks,
  };
  return (schema) => {
    if (!schema?.properties) return schema;
    const properties = Object.entries(schema.properties).map(([name, part]) => [
      name,
      offered(part, known[name] ?? []),
    ]);
    return { ...schema, properties: Object.fromEntries(properties) };
  };
}

/** @param {Schema} schema @param {string[]} values @returns {Schema} */
function offered(schema, values) {
  if (values.length === 0 || schema.enum || schema.anyOf) return schema;
  if (schema.type === 'array') return { ...schema, items: offered(schema.items ?? {}, values) };
  return { ...schema, anyOf: [{ enum: values }, { type: 'string' }] };
}
