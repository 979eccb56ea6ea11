/**
 * An example of every status and every decline reason, derived from the contract's examples and tables. Each has an id
 * that selects it, such as `pay_VERIFYING` or `out_declined_BANK_REJECTED`.
 */
import {
  type Bundle,
  declineRows,
  type Example,
  type JsonObject,
  type Operation,
  operations,
  resolve,
  type Schema,
  successes,
} from '../model.ts';

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

/** The examples of an operation that creates or reads a transaction, whose status selects the variant; none for any other. */
export function statusExamples(bundle: Bundle, known: readonly Operation[], operation: Operation): StatusExample[] {
  const schema = successes(operation)[0]?.body?.schema;
  if (!schema || (operation.method !== 'get' && !isCreation(bundle, operation))) return [];
  const { discriminator } = resolve(bundle, schema);
  if (!discriminator) return [];
  const { propertyName, mapping } = discriminator;
  const told = examplesAbout(known, operation, schema);
  return Object.entries(mapping).flatMap(([status, $ref]) => {
    const variant = resolve<Schema>(bundle, { $ref });
    const base = told.find((value) => value[propertyName] === status);
    if (!base) throw new Error(`the contract has no example with the status ${status}`);
    const fields = Object.entries(base).filter(([field]) => variant.properties?.[field]);
    const example = (name: string, summary: string, changes: JsonObject) =>
      named({ ...Object.fromEntries(fields), ...changes }, name, summary);
    return [
      example(status, status, {}),
      ...declines(bundle, variant, told).map(({ field, reason, meaning }) =>
        example(`declined-${reason}`, meaning, { [field]: reason }),
      ),
    ];
  });
}

/** Whether a transaction begins with the operation. */
export function isCreation(bundle: Bundle, { id }: Operation): boolean {
  const machines = Object.values(bundle['x-state-machines']);
  return machines.some(({ transitions }) => transitions.some(({ from, by }) => from === null && by === id));
}

/** Example bodies for the operation's kind of transaction, starting with the operation's own schema. */
function examplesAbout(known: readonly Operation[], { path }: Operation, { $ref }: Schema): JsonObject[] {
  const kind = (one: string) => one.split('/')[1];
  const bodies = known.filter((one) => kind(one.path) === kind(path)).flatMap((one) => successes(one));
  const own = bodies.filter(({ body }) => body?.schema.$ref === $ref);
  return [...own, ...bodies].flatMap(({ body }) => (body?.examples ?? []).map(({ value }) => value as JsonObject));
}

function named(value: JsonObject, name: string, summary: string): StatusExample {
  const [prefix] = String(value[ID]).split('_');
  return { name, summary, value: { ...value, [ID]: `${prefix}_${name.replaceAll('-', '_')}` } };
}

interface Decline {
  field: string;
  reason: string;
  meaning: string;
}

/** Decline reasons of a variant: the table's, and any others named in the contract's texts. */
function declines(bundle: Bundle, variant: Schema, told: readonly JsonObject[]): Decline[] {
  return Object.entries(variant.properties ?? {}).flatMap(([field, property]) => {
    const schema = resolve(bundle, property);
    const table = declineRows(schema);
    if (!table) return [];
    const others = [...told.flatMap((value) => value[field] ?? []), ...assumedCodes(bundle, schema)].map(String);
    return [
      ...Object.entries(table).map(([reason, { meaning }]) => ({ field, reason, meaning })),
      ...[...new Set(others)]
        .filter((reason) => !(reason in table))
        .map((reason) => ({ field, reason, meaning: `${reason}, a reason outside the table` })),
    ];
  });
}

/** Codes that the assumptions of a schema choose: such an assumption begins with its code. */
function assumedCodes(bundle: Bundle, schema: Schema): string[] {
  const ids = [schema['x-assumption'] ?? []].flat();
  return bundle['x-assumptions'].flatMap(({ id, assumed }) =>
    ids.includes(id) ? (/^[A-Z]+(_[A-Z]+)+/.exec(assumed)?.slice(0, 1) ?? []) : [],
  );
}
