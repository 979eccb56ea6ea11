/** A function for each webhook that returns its body, for tests of the people who receive it. */
import { type Bundle, componentName, webhooks } from '../../contract/src/model.ts';

const HELPERS = `type Changes<T> = { [K in Exclude<keyof T, 'status'>]?: T[K] | undefined };

/** The example with the changes. What repeats the value of a changed field before it changes too, as amount_paid does. */
function withChanges<T extends object>(example: T, changes: Changes<T>): T {
  const replaced = new Map<unknown, unknown>();
  const copy = (value: unknown): unknown => {
    if (replaced.has(value)) return replaced.get(value);
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
  };
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(example)) {
    const change = (changes as Record<string, unknown>)[name];
    body[name] = change ?? copy(value);
    if (change !== undefined) replaced.set(value, change);
  }
  return body as T;
}
`;

/** generated/webhook-fixtures.ts without its banner. */
export function webhookFixturesArtifact(bundle: Bundle): string {
  const events = webhooks(bundle).map(({ id, summary, request }) => {
    const [example] = request?.examples ?? [];
    if (!request || !example) throw new Error(`the webhook ${id} has no example`);
    return { id, summary, type: componentName(request.schema.$ref ?? ''), example: example.name };
  });
  return [
    "import { webhookExamples } from './examples.ts';",
    `import type {\n${events.map(({ type }) => `  ${type},`).join('\n')}\n} from './types.ts';`,
    '',
    HELPERS,
    ...events.map(({ id, summary, type, example }) => {
      const name = `example${id.charAt(0).toUpperCase()}${id.slice(1)}`;
      return `/** ${summary}: the contract's example of ${id}, with your changes. */
export function ${name}(changes: Changes<${type}> = {}): ${type} {
  return withChanges<${type}>(webhookExamples.${id}[${JSON.stringify(example)}], changes);
}
`;
    }),
  ].join('\n');
}
