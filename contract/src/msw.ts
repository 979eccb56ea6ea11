/**
 * payments-contract/msw: MSW handlers that respond with the contract's examples without storing data, or forward
 * requests to a sandbox.
 */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { type ExampleNames, exampleResponses, type OperationResponses } from '../../generated/example-responses.ts';
import { parseExampleName } from './mock/customers.ts';
import { replaceFields } from './mock/replace.ts';
import type { JsonObject } from './model.ts';

export type { ExampleNames } from '../../generated/example-responses.ts';

/** The name of the response for each operation. An operation without one responds as the mock does without `Prefer`. */
export type SelectedExamples = { readonly [O in keyof ExampleNames]?: ExampleNames[O] | undefined };

interface Call {
  /** Parameters of the path and the query. */
  readonly parameters: JsonObject;
  readonly body: JsonObject;
}

const ID = 'transaction_id';

/**
 * A handler for each operation of the service at `baseUrl`; `*` stands for any address. Throws an Error that lists the
 * names if a selected one is unknown.
 */
export function exampleHandlers(baseUrl: string, selected: SelectedExamples = {}): HttpHandler[] {
  const operations: Readonly<Record<string, OperationResponses>> = exampleResponses;
  for (const [id, name] of Object.entries(selected)) {
    if (name !== undefined) checkName(id, name, operations[id]);
  }
  const names: Readonly<Record<string, string | undefined>> = selected;
  return Object.entries(operations).map(([id, operation]) => createHandler(baseUrl, operation, names[id]));
}

/** A request handler, such as the sandbox of `payments-gateway/sandbox`. */
export interface RespondingSandbox {
  /** Its base URL, without a slash at the end. */
  readonly url: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Handlers that pass each request for the service at `baseUrl`, by default the sandbox's own URL, to a sandbox, which keeps state. */
export function sandboxHandlers(sandbox: RespondingSandbox, baseUrl: string = sandbox.url): HttpHandler[] {
  const base = baseUrl.replace(/\/$/, '');
  return [
    http.all(`${base}/*`, ({ request }) =>
      sandbox.fetch(new Request(sandbox.url + request.url.slice(base.length), request)),
    ),
  ];
}

function checkName(id: string, name: string, operation: OperationResponses | undefined): void {
  if (!operation) {
    throw new Error(`The contract has no operation ${id}. Use one of ${Object.keys(exampleResponses).join(', ')}.`);
  }
  if (!Object.hasOwn(operation.responses, name)) {
    throw new Error(`${id} has no example ${name}. Use one of ${Object.keys(operation.responses).join(', ')}.`);
  }
}

function createHandler(baseUrl: string, operation: OperationResponses, selected: string | undefined): HttpHandler {
  const url = baseUrl.replace(/\/$/, '') + operation.path.replace(/\{(\w+)\}/g, ':$1');
  return http[operation.method](url, async ({ request, params }) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const call = { parameters: { ...query, ...params } as JsonObject, body: await readBody(request) };
    const { status, headers, body } = selectResponse(operation, call, selected);
    const isSuccess = status < 300;
    return HttpResponse.json(
      isSuccess ? replaceFields(body as JsonObject, collectEchoedValues(operation, call)) : body,
      {
        status,
        headers,
      },
    );
  });
}

/** An empty object if the body is not a JSON object: handlers check no requests. */
async function readBody(request: Request): Promise<JsonObject> {
  const body: unknown = await request.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? (body as JsonObject) : {};
}

function selectResponse({ responses }: OperationResponses, { parameters, body }: Call, selected: string | undefined) {
  const all = Object.values(responses);
  const [usual] = all;
  if (!usual) throw new Error('an operation without examples');
  if (selected !== undefined) return responses[selected] ?? usual;
  const { id } = (body['customer'] ?? {}) as JsonObject;
  const ofCustomer = responses[parseExampleName(String(id)) ?? ''];
  const given = Object.values(parameters);
  const named = all.find(({ body: { transaction_id, merchant_order_id } }) =>
    given.some((value) => value === transaction_id || value === merchant_order_id),
  );
  const redirecting = 'return_url' in body ? all.find((one) => 'redirect_url' in one.body) : undefined;
  return ofCustomer ?? named ?? redirecting ?? usual;
}

/** Fields of the response that the request determines. */
function collectEchoedValues({ path, repeated }: OperationResponses, { parameters, body }: Call): JsonObject {
  const [, inPath] = /\{(\w+)\}/.exec(path) ?? [];
  const fields = Object.entries(repeated).map(([field, source]) => [field, body[source]]);
  const id = inPath === undefined ? {} : { [ID]: parameters[inPath] };
  const defined = Object.entries({ ...parameters, ...Object.fromEntries(fields), ...id });
  return Object.fromEntries(defined.filter(([, value]) => value !== undefined)) as JsonObject;
}
