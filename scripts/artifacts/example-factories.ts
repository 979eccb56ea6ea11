/** Example factories for tests: a function for each schema with examples. */
import { withStatusExamples } from '../../contract/src/mock/status-examples.ts';
import {
  type Bundle,
  componentName,
  type Json,
  type JsonObject,
  operations,
  resolve,
  type Schema,
} from '../../contract/src/model.ts';

const HELPERS = `type Changes<T> = { [K in Exclude<keyof T, 'status'>]?: T[K] | undefined };
type WithStatus<T, S> = T extends { status?: infer X } ? (S extends X ? T : never) : never;
type ChangesOf<T, S> = { status?: S | undefined } & Changes<WithStatus<T, S>>;

/** The example with the changes. What repeats the value of a changed field before it changes too, as amount_paid does. */
function withChanges<T extends object>(example: object, changes: object): T {
  const replaced = new Map<unknown, unknown>();
  const copy = (value: unknown): unknown => {
    if (replaced.has(value)) return replaced.get(value);
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
  };
  const given = Object.entries(changes).filter(([, change]) => change !== undefined);
  const body: Record<string, unknown> = Object.fromEntries(given);
  for (const [name, value] of Object.entries(example)) {
    if (name in body) replaced.set(value, body[name]);
    else body[name] = copy(value);
  }
  const names = new Set([...Object.keys(example), ...Object.keys(body)]);
  return Object.fromEntries([...names].map((name) => [name, body[name]])) as T;
}
`;

/** generated/example-factories.ts without its banner. */
export function exampleFactoriesArtifact(bundle: Bundle): string {
  const own = examplesBySchema(bundle);
  const schemas = Object.entries(examplesBySchema(withStatusExamples(bundle))).map(
    ([type, more]) => [type, [...(own[type] ?? []), ...more]] as const,
  );
  return [
    `import type {\n${schemas.map(([type]) => `  ${type},`).join('\n')}\n} from './types.ts';`,
    '',
    HELPERS,
    ...schemas.map(([type, examples]) => factory(type, examples)),
  ].join('\n');
}

/** A function for a schema. If its examples differ in status, there is one example for each, which \`status\` selects. */
function factory(type: string, examples: readonly JsonObject[]): string {
  const statuses = [...new Set(examples.map(({ status }) => status ?? null))];
  const [first] = statuses;
  const isSingle = statuses.length === 1 || first === undefined;
  const data = `${type.charAt(0).toLowerCase()}${type.slice(1)}Example${isSingle ? '' : 's'}`;
  if (isSingle) {
    return `const ${data} = ${JSON.stringify(examples[0])} satisfies ${type};

/** The contract's example of ${type}, with your changes. */
export function a${type}(changes: Changes<${type}> = {}): ${type} {
  return withChanges<${type}>(${data}, changes);
}
`;
  }
  const entries = statuses.map(
    (status) => `${status}: ${JSON.stringify(examples.find((one) => one['status'] === status))}`,
  );
  return `const ${data} = {\n${entries.map((entry) => `  ${entry},`).join('\n')}\n} satisfies Record<string | number, ${type}>;

/** The contract's example of ${type} with this status, by default ${first}, with your changes. */
export function a${type}<S extends keyof typeof ${data} = ${JSON.stringify(first)}>(
  changes: ChangesOf<${type}, S> = {},
): WithStatus<${type}, S> {
  return withChanges<WithStatus<${type}, S>>(${data}[changes.status ?? ${JSON.stringify(first)}], changes);
}
`;
}

/** The examples of each schema that describes a body, an object within one, or a part of either. */
function examplesBySchema(bundle: Bundle): Record<string, JsonObject[]> {
  const found: Record<string, JsonObject[]> = {};
  const add = (type: string, value: Json) => {
    found[type] = [...(found[type] ?? []), value as JsonObject];
  };
  const visit = (schema: Schema, value: Json): void => {
    const own = resolve<Schema>(bundle, schema as { $ref: string });
    if (Array.isArray(value)) for (const one of value) visit(own.items ?? {}, one);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    if (schema.$ref) add(componentName(schema.$ref), value);
    for (const branch of own.allOf ?? []) visit(branch, value);
    const variant = own.discriminator?.mapping[String(value[own.discriminator.propertyName])];
    const { properties = {} } = variant ? resolve<Schema>(bundle, { $ref: variant }) : own;
    for (const [name, member] of Object.entries(value)) visit(properties[name] ?? {}, member);
  };
  for (const { request, responses } of operations(bundle)) {
    for (const body of [request, ...responses.map((response) => response.body)]) {
      for (const { value } of body?.examples ?? []) visit(body?.schema ?? {}, value);
    }
  }
  return found;
}
