/** Every named response as data that a handler in a page or a test needs: the contract's examples, and one for each status and reason. */
import { isCreation, withStatusExamples } from '../../contract/src/mock/status-examples.ts';
import {
  type Bundle,
  type Json,
  type Operation,
  operations,
  type RawParameter,
  type Response,
  resolve,
  type Schema,
  successes,
} from '../../contract/src/model.ts';

const TYPES = `/** A response by name. */
export interface NamedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface OperationResponses {
  readonly method: 'get' | 'post';
  /** Parameters are in braces. */
  readonly path: string;
  /** Fields of the response that repeat a field of the request, whose name is the value. */
  readonly repeated: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<string, NamedResponse>>;
}
`;

/** generated/example-responses.ts without its banner. */
export function exampleResponsesArtifact(document: Bundle): string {
  const bundle = withStatusExamples(document);
  const all = operations(bundle).map((operation) => ({ operation, responses: toNamedResponses(bundle, operation) }));
  const names = all.map(({ operation, responses }) => {
    const union = Object.keys(responses).map((name) => `    | ${JSON.stringify(name)}`);
    return `  ${operation.id}:\n${union.join('\n')};`;
  });
  const data = all.map(({ operation, responses }) => {
    const { id, method, path } = operation;
    return `  ${id}: ${JSON.stringify({ method, path, repeated: listEchoedFields(bundle, operation), responses })},`;
  });
  return [
    '/** The names of the responses of each operation. */',
    `export interface ExampleNames {\n${names.join('\n')}\n}\n`,
    TYPES,
    '/** Each operation with its responses. The first one is the usual one. */',
    `export const exampleResponses: Readonly<Record<keyof ExampleNames, OperationResponses>> = {\n${data.join('\n')}\n};\n`,
  ].join('\n');
}

interface NamedResponse {
  status: number;
  headers: Record<string, string>;
  body: Json;
}

function toNamedResponses(bundle: Bundle, { id, responses }: Operation): Record<string, NamedResponse> {
  const found: Record<string, NamedResponse> = {};
  for (const response of responses) {
    for (const { name, value } of response.body?.examples ?? []) {
      if (found[name]) throw new Error(`${id} has two examples named ${name}`);
      found[name] = { status: Number(response.status), headers: readHeaders(bundle, response), body: value };
    }
  }
  return found;
}

/** The media type, and the first example of each header. */
function readHeaders(bundle: Bundle, { pointer, body }: Response): Record<string, string> {
  const [, , path = '', method = '', , status = ''] = pointer.split('/');
  const raw = bundle.paths[path.replaceAll('~1', '/')]?.[method]?.responses[status];
  const headers = Object.entries((raw && resolve(bundle, raw).headers) ?? {}).flatMap(([name, header]) => {
    const [example] = Object.values(resolve<RawParameter>(bundle, header).examples ?? {});
    return example ? [[name, String(resolve(bundle, example).value)]] : [];
  });
  return Object.fromEntries([...(body ? [['Content-Type', body.mediaType]] : []), ...headers]);
}

function listEchoedFields(bundle: Bundle, operation: Operation): Record<string, string> {
  const schema = successes(operation)[0]?.body?.schema;
  if (!schema || !operation.request || !isCreation(bundle, operation)) return {};
  const request = listProperties(bundle, operation.request.schema);
  const fields = listProperties(bundle, schema).map(({ name, $ref }) => {
    const source = request.find((one) => one.name === name) ?? request.find((one) => $ref && one.$ref === $ref);
    return [name, source?.name];
  });
  return Object.fromEntries(fields.filter(([, source]) => source !== undefined));
}

/** The properties of a schema and of its variants. */
function listProperties(bundle: Bundle, schema: Schema): { name: string; $ref: string | undefined }[] {
  const { properties = {}, oneOf = [] } = resolve<Schema>(bundle, schema as { $ref: string });
  const own = Object.entries(properties).map(([name, { $ref }]) => ({ name, $ref }));
  return [...own, ...oneOf.flatMap((variant) => listProperties(bundle, variant))];
}
