/**
 * An example of every status and every decline reason, made from the contract's examples and tables. Each has an id
 * that tells which one it is (`pay_VERIFYING`, `out_declined_BANK_REJECTED`), so that the id alone selects it.
 */
import {
  type Body,
  type Bundle,
  type Example,
  type JsonObject,
  type Operation,
  operations,
  resolve,
  type Schema,
  successes,
} from '../model.ts';

/** The field that identifies a transaction. */
export const ID = 'transaction_id';

/** A copy of the document with the examples added after its own. */
export function withStatusExamples(bundle: Bundle): Bundle {
  const copy = structuredClone(bundle);
  const known = operations(bundle);
  for (const operation of known) {
    const added = statusExamples(bundle, known, operation);
    if (added.length === 0) continue;
    for (const { status, body } of successes(operation)) {
      const raw = copy.paths[operation.path]?.[operation.method]?.responses[status];
      const media = body && raw && resolve(copy, raw).content?.[body.mediaType];
      if (!media) continue;
      media.examples = {
        ...media.examples,
        ...Object.fromEntries(added.map(({ name, summary, value }) => [name, { summary, value }])),
      };
    }
  }
  return copy;
}

type StatusExample = Omit<Example, 'pointer' | 'value'> & { value: JsonObject };

/** The examples of an operation that reads a transaction, whose status selects the variant; none for any other. */
export function statusExamples(bundle: Bundle, known: readonly Operation[], operation: Operation): StatusExample[] {
  const schema = operation.method === 'get' ? successes(operation)[0]?.body?.schema : undefined;
  if (!schema) return [];
  const { discriminator } = follow(bundle, schema);
  if (!discriminator) return [];
  const { propertyName, mapping } = discriminator;
  const bases = known.flatMap(successes).flatMap(({ body }) => (isOf(body, schema) ? body.examples : []));
  return Object.entries(mapping).flatMap(([status, $ref]) => {
    const base = bases.find(({ value }) => (value as JsonObject)[propertyName] === status)?.value as JsonObject;
    if (!base) throw new Error(`the contract has no example with the status ${status}`);
    return [
      named(base, status, status, {}),
      ...declines(bundle, { $ref }).map(({ field, reason, meaning }) =>
        named(base, `declined-${reason}`, meaning, { [field]: reason }),
      ),
    ];
  });
}

function named(base: JsonObject, name: string, summary: string, fields: JsonObject): StatusExample {
  const [prefix] = String(base[ID]).split('_');
  return { name, summary, value: { ...base, [ID]: `${prefix}_${name.replaceAll('-', '_')}`, ...fields } };
}

/** The decline reasons of a variant, from the table of the field that has one. */
function declines(bundle: Bundle, variant: Schema): { field: string; reason: string; meaning: string }[] {
  return Object.entries(follow(bundle, variant).properties ?? {}).flatMap(([field, schema]) => {
    const branches = follow(bundle, schema).anyOf ?? [];
    const table = branches.find((branch) => branch['x-decline-reasons'])?.['x-decline-reasons'] ?? {};
    return Object.entries(table).map(([reason, { meaning }]) => ({ field, reason, meaning }));
  });
}

function isOf(body: Body | undefined, { $ref }: Schema): body is Body {
  return body !== undefined && $ref !== undefined && body.schema.$ref === $ref;
}

function follow(bundle: Bundle, schema: Schema): Schema {
  return resolve<Schema>(bundle, schema as { $ref: string });
}
