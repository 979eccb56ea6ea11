/** The request that a form stands for. Pure functions. */

import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import type { SampleCall } from '../../../artifacts/samples/call.ts';
import { curlSample, pythonSample, typescriptSample } from '../../../artifacts/samples/languages.ts';
import { templateSamples } from '../../../artifacts/samples/templates.ts';
import type { Input, Panel } from '../../try-it.ts';

/** The values of a form. */
export interface Values {
  path: Record<string, string>;
  query: Record<string, string>;
  body?: JsonObject | undefined;
}

/** The value of an input such as `customer.id`. */
export function valueAt(values: JsonObject | undefined, name: string): Json | undefined {
  return name.split('.').reduce<Json | undefined>((value, key) => (value as JsonObject | undefined)?.[key], values);
}

/** Returns the values with one replaced, or removed if it is undefined. Empty objects are removed too. */
export function withValue(values: JsonObject | undefined, name: string, value: Json | undefined): JsonObject {
  const [key = '', ...rest] = name.split('.');
  const inner = rest.length > 0 ? withValue(values?.[key] as JsonObject | undefined, rest.join('.'), value) : value;
  if (inner !== undefined && (rest.length === 0 || Object.keys(inner as JsonObject).length > 0))
    return { ...values, [key]: inner };
  const { [key]: _, ...others } = values ?? {};
  return others;
}

/** Converts an input's text to its type. Invalid numbers are sent unchanged, so that the service reports the error. */
export function parsed(text: string, type: Input['type']): Json | undefined {
  if (text === '') return undefined;
  return type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** A named request with the reader's values: known IDs, and a fresh order ID. */
export function prefilled(
  request: Pick<Panel['requests'][number], 'path' | 'query' | 'body'>,
  known: Record<string, string>,
): Values {
  const { path, query } = request;
  const body = request.body as JsonObject | undefined;
  const replaced = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, known[name] ?? value]));
  const own = body && {
    ...body,
    ...('merchant_order_id' in body && { merchant_order_id: freshOrderId() }),
    ...('callback_url' in body && known['callback_url'] && { callback_url: known['callback_url'] }),
  };
  return { path: replaced(path), query: replaced(query), body: own };
}

/** What a transaction of the reader asked for, by the fields that supply it, such as `confirm_data`; and its amount. */
export interface Asked {
  items: Record<string, string[] | undefined>;
  amount?: number;
}

/** The body with the items that a transaction asked for, with values of the examples. Other bodies are unchanged. */
export function withAsked(body: JsonObject | undefined, requests: Panel['requests'], asked?: Asked) {
  const [field = ''] = Object.keys(body ?? {});
  const items = asked?.items[field];
  if (!items) return body;
  const given = requests.map((request) => (request.body as Record<string, JsonObject>)[field]);
  const known: JsonObject = Object.assign({}, ...given, asked.amount !== undefined && { amount: String(asked.amount) });
  return { [field]: Object.fromEntries(items.map((name) => [name, known[name] ?? ''])) };
}

/** The values with those of an address, such as `?customer.id=decline-LIMIT_EXCEEDED`, for inputs of the form. */
export function withQuery(values: Values, inputs: readonly Input[], query: URLSearchParams): Values {
  const result = { ...values };
  for (const { place, name, type } of inputs) {
    const text = query.get(name);
    if (text !== null) Object.assign(result, { [place]: withValue(result[place], name, parsed(text, type)) });
  }
  return result;
}

export function freshOrderId(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `try-${random.toString(36)}`;
}

/** The request as the code samples know it. */
export function createCall(
  panel: Panel,
  values: Values,
  { baseUrl, apiKey }: Pick<SampleCall, 'baseUrl' | 'apiKey'>,
): SampleCall {
  const path = panel.call.operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.path[name] ?? ''),
  );
  return { ...panel.call, baseUrl, apiKey, path, request: values as SampleCall['request'] };
}

export function createSamples(call: SampleCall): [language: string, source: string][] {
  return [
    ['curl', curlSample(call)],
    ['TypeScript', typescriptSample(call)],
    ['Python', pythonSample(call)],
    ...templateSamples(call).map(({ label, source }): [string, string] => [label, source]),
  ];
}

export function toRequest({ operation, baseUrl, path, credential, apiKey, request }: SampleCall): Request {
  const query = new URLSearchParams(request.query).toString();
  const hasBody = request.body !== undefined;
  return new Request(`${baseUrl}${path}${query && `?${query}`}`, {
    method: operation.method.toUpperCase(),
    headers: {
      [credential.header]: `${credential.prefix}${apiKey}`,
      ...(hasBody && { 'content-type': operation.request?.mediaType ?? 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(request.body) }),
  });
}
