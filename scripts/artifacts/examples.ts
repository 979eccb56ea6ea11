/** The document's named examples as data, each checked by the compiler against the type of its place. */
import {
  type Body,
  type Bundle,
  componentName,
  type Operation,
  operations,
  requestExamples,
  webhooks,
} from '../../contract/src/model.ts';

/** generated/examples.ts without its banner. */
export function examplesArtifact(bundle: Bundle): string {
  const described = operations(bundle);
  const types = new Set<string>();
  const sections = [
    section(
      'requestExamples',
      'The requests of each operation, by operation and name of the example.',
      described,
      (operation) =>
        record(requestExamples(operation).map((example) => [example.name, requestValue(operation, example, types)])),
    ),
    section(
      'responseExamples',
      'The responses of each operation, by operation, status and name of the example.',
      described,
      (operation) =>
        record(
          operation.responses.flatMap((response) =>
            response.body ? [[response.status, bodyExamples(response.body, types)]] : [],
          ),
        ),
    ),
    section(
      'webhookExamples',
      'The bodies of each webhook, by webhook and name of the example.',
      webhooks(bundle),
      (webhook) => (webhook.request ? bodyExamples(webhook.request, types) : '{}'),
    ),
  ];
  return [
    `import type {\n${[...types]
      .sort()
      .map((type) => `  ${type},`)
      .join('\n')}\n} from './types.ts';\n`,
    ...sections,
  ].join('\n');
}

function section(name: string, summary: string, all: Operation[], value: (operation: Operation) => string): string {
  const entries = record(all.map((operation) => [operation.id, value(operation)]));
  return `/** ${summary} */\nexport const ${name} = ${entries} as const;\n`;
}

function requestValue(
  operation: Operation,
  example: ReturnType<typeof requestExamples>[number],
  types: Set<string>,
): string {
  const { name: _, body, ...parameters } = example;
  const entries = Object.entries(parameters).map(([place, values]) => [place, JSON.stringify(values)]);
  if (operation.request) entries.push(['body', typed(body, operation.request, types)]);
  return record(entries as [string, string][]);
}

function bodyExamples(body: Body, types: Set<string>): string {
  return record(body.examples.map((example) => [example.name, typed(example.value, body, types)]));
}

function typed(value: unknown, body: Body, types: Set<string>): string {
  const type = componentName(body.schema.$ref ?? '');
  types.add(type);
  return `${JSON.stringify(value)} satisfies ${type}`;
}

function record(entries: (readonly [string, string] | string[])[]): string {
  return `{\n${entries.map(([key, value]) => `${JSON.stringify(key)}: ${value},`).join('\n')}\n}`;
}
