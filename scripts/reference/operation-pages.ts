/** A page of the reference for each operation and webhook. */
import { table } from '../../contract/src/markdown.ts';
import {
  type Bundle,
  type Example,
  findExample,
  type Json,
  type Operation,
  operations,
  type RawOperation,
  type RequestExample,
  type Response,
  requestExamples,
  webhooks,
} from '../../contract/src/model.ts';
import { operationSamples, pageSamples } from '../artifacts/samples/samples.ts';
import { slug, withPageLinks } from './addresses.ts';
import { basisMark } from './basis.ts';
import { declineTables } from './declines.ts';
import { errorRows, problemLink } from './errors.ts';
import { type Direction, type Field, fieldList, formatBody, listFields } from './markdown-fields.ts';
import type { Page } from './page.ts';
import { METHODS_PAGE } from './payment-methods.ts';
import { fenced, firstLine, joined, section } from './pieces.ts';

export function operationPage(bundle: Bundle, operation: Operation): Page {
  const { id, summary } = operation;
  return {
    name: id,
    title: summary,
    method: operation.method.toUpperCase(),
    summary: firstLine(operation.description),
    markdown: operationText(bundle, operation),
  };
}

/** All about an operation. `level` is the number of `#` of its sections. */
export function operationText(bundle: Bundle, operation: Operation, level = 2): string {
  const succeeding = operation.responses.filter(({ status }) => !/^[45]/.test(status));
  const sections = [
    ['Parameters', formatParameters(bundle, operation, 'sent')],
    ['Request', operation.request && formatBody(bundle, operation.request.schema, 'sent')],
    ...succeeding.map((response) => [`Response ${response.status}`, responseText(bundle, response)] as const),
    ['Errors', formatErrors(bundle, operation)],
    ['Decline codes', formatDeclines(bundle, succeeding)],
    ['Webhooks', formatWebhooks(bundle, operation)],
  ] as const;
  const links = sections.flatMap(([title, text]) => (text ? [`[${title}](${operation.id}.md#${slug(title)})`] : []));
  return joined([
    fenced('http', `${operation.method.toUpperCase()} ${operation.path}`),
    described(bundle, operation),
    joined([`Operation: \`${operation.id}\`.`, authentication(bundle, operation), methods(bundle, operation)], ' '),
    // The pages of the gateway's own APIs have many operations with the same titles.
    level === 2 && `On this page: ${links.join(' · ')}`,
    section('Samples', formatSamples(bundle, operation, succeeding, level + 1), level),
    ...sections.map(([title, text]) => section(title, text, level)),
  ]);
}

export function webhookPage(bundle: Bundle, webhook: Operation): Page {
  const body = webhook.request;
  return {
    name: webhook.id,
    title: webhook.summary,
    summary: firstLine(webhook.description),
    markdown: joined([
      fenced('http', 'POST {callback_url}'),
      described(bundle, webhook),
      ...listTags(bundle, webhook),
      `Event: \`${webhook.id}\`. [Verify its signature](webhooks.md#verify-the-signature) first, then [store it, respond, and process it](webhooks.md#respond-to-webhooks).`,
      section(
        'Samples',
        joined(
          (body?.examples ?? []).map(({ summary, value }) => joined([`### ${summary}`, fenced('json', pretty(value))])),
        ),
      ),
      section('Headers', formatParameters(bundle, webhook, 'received')),
      section('Body', body && formatBody(bundle, body.schema, 'received')),
      section(
        'Your response',
        table(
          ['Status', 'Meaning'],
          webhook.responses.map(({ status, description }) => [status, description]),
        ),
      ),
      section('Decline codes', formatDeclines(bundle, [{ body } as Response])),
    ]),
  };
}

/** The description, and the mark of its basis. */
function described(bundle: Bundle, operation: Operation): string {
  const raw = findRawOperation(bundle, operation);
  const text = operation.description.trim();
  return withPageLinks(`${text}${raw ? ` ${basisMark(raw)}` : ''}`.trim());
}

/** Statements about all webhooks of a kind. */
function listTags({ tags }: Bundle, webhook: Operation): string[] {
  return tags
    .filter(({ name }) => webhook.tags.includes(name))
    .map((tag) => `${tag.description?.trim()} ${basisMark(tag)}`.trim());
}

function findRawOperation(bundle: Bundle, { path, method, id }: Operation): RawOperation | undefined {
  return bundle.paths[path]?.[method] ?? bundle.webhooks[id]?.post;
}

/** The gateway's own APIs name the callers of each operation; their introductions describe the keys. */
function authentication(bundle: Bundle, operation: Operation): string {
  type Secured = { security?: Readonly<Record<string, readonly string[]>>[] };
  const raw = findRawOperation(bundle, operation) as (RawOperation & Secured) | undefined;
  const security = raw?.security ?? (bundle as Secured).security ?? [];
  if (security.length === 0) return 'Authentication: none.';
  if (!('x-assumptions' in bundle)) return `Callers: ${security.flatMap(nameCallers).join(', ')}.`;
  return 'Authentication: your API key, in the header `Authorization: Bearer <key>` ([test and live keys](authentication-and-keys.md)).';
}

function nameCallers({ apiKey, operatorKey }: Readonly<Record<string, readonly string[]>>): string[] {
  return [
    ...(apiKey ? [`merchants${apiKey.includes('test') ? ' with a test key' : ''}`] : []),
    ...(operatorKey ? [`operators with the role \`${operatorKey.join('`, `')}\``] : []),
  ];
}

/** Operations with a method. */
function methods(bundle: Bundle, { request }: Operation): string {
  const names = request && 'x-assumptions' in bundle ? listFields(bundle, request.schema).map(({ name }) => name) : [];
  return names.includes('payment_method_type')
    ? `See [Payment methods](${METHODS_PAGE}.md) for the data, limits and test customers of each method, and [Flows](flows.md) for host-to-host (H2H) and redirect.`
    : '';
}

function formatParameters(bundle: Bundle, { parameters, exactlyOneOf, path }: Operation, direction: Direction): string {
  const fields = parameters.map(({ name, in: place, required = false, description, schema, ...rest }): Field => {
    const always = rest['x-sender']?.required ?? required;
    const [field] = listFields(bundle, { properties: { [name]: schema }, required: always ? [name] : [] }) as [Field];
    return {
      ...field,
      type: path ? `${field.type}, in the ${place}` : field.type,
      text: description || field.text,
      basis: basisMark(rest) || field.basis,
    };
  });
  const choice =
    exactlyOneOf.length > 0 && `Send exactly one of ${exactlyOneOf.map((name) => `\`${name}\``).join(', ')}.`;
  return fields.length > 0 ? joined([choice, fieldList(fields, direction)]) : '';
}

function responseText(bundle: Bundle, { description, body, headers }: Response): string {
  return joined([
    description,
    body && formatBody(bundle, body.schema, 'received'),
    headers.length > 0 && `Headers: ${headers.map((name) => `\`${name}\``).join(', ')}.`,
  ]);
}

/** Each request as a program with its response, and the errors. The site shows the programs as tabs. */
function formatSamples(bundle: Bundle, operation: Operation, responses: readonly Response[], level: number): string {
  const requests = requestExamples(operation);
  const isOne = hasOneRequest(operation);
  const all = [...operation.parameters, operation.request, ...responses.map(({ body }) => body)].flatMap(
    (part): Example[] => part?.examples ?? [],
  );
  const examples = [...new Set(all.map(({ name }) => name))].map((name) => {
    const request = requests.find((one) => one.name === name);
    return joined([
      `${'#'.repeat(level)} ${all.find((example) => example.name === name)?.summary}`,
      request &&
        !isOne &&
        formatRequest(bundle, operation, request, request === requests[0] ? pageSamples : operationSamples),
      ...responses.flatMap(({ status, body }) => {
        const example = findExample(body, name);
        return example ? fenced('json', pretty(example.value), `Response ${status}`) : [];
      }),
    ]);
  });
  const errors = errorRows(operation).flatMap(({ status, example }) =>
    example === undefined ? [] : fenced('json', pretty(example), status),
  );
  return joined([
    isOne && requests[0] && formatRequest(bundle, operation, requests[0], pageSamples),
    ...examples,
    errors.length > 0 && joined([`${'#'.repeat(level)} Error responses`, ...errors]),
  ]);
}

/**
 * The requests of an operation after the first, in every language, by their titles. The site loads them when a reader chooses
 * one, because they would make the page twice as heavy.
 */
export function furtherRequests(bundle: Bundle, operation: Operation): Record<string, string> {
  if (hasOneRequest(operation)) return {};
  const parts = [...operation.parameters, operation.request].flatMap((part): Example[] => part?.examples ?? []);
  const titles = new Map(parts.map(({ name, summary }) => [name, summary]));
  const [, ...further] = requestExamples(operation);
  return Object.fromEntries(
    further.map((one) => [titles.get(one.name) ?? one.name, formatRequest(bundle, operation, one, pageSamples)]),
  );
}

/** Whether every example of the operation sends the same. */
function hasOneRequest(operation: Operation): boolean {
  return !operation.request && requestExamples(operation).every(({ query }) => Object.keys(query).length === 0);
}

/** Only the contract says enough for programs. */
function formatRequest(
  bundle: Bundle,
  operation: Operation,
  request: RequestExample,
  write: typeof pageSamples,
): string {
  if ('x-assumptions' in bundle) {
    const language = (lang: string) => (lang === 'Shell' ? 'sh' : lang.toLowerCase());
    return joined(
      write(bundle, operation, request).map(({ lang, label, source }) => fenced(language(lang), source, label)),
    );
  }
  if (request.body !== undefined) return fenced('json', pretty(request.body), 'Request');
  const path = operation.path.replace(/\{(\w+)\}/g, (whole, parameter: string) => request.path[parameter] ?? whole);
  const query = new URLSearchParams(request.query).toString();
  return fenced('http', `${operation.method.toUpperCase()} ${path}${query && `?${query}`}`, 'Request');
}

function formatErrors(bundle: Bundle, operation: Operation): string {
  const rows = errorRows(operation);
  if (rows.length === 0) return '';
  const link = 'x-assumptions' in bundle ? problemLink : (type: string) => `\`${type}\``;
  const hasTypes = rows.some(({ type }) => type);
  return table(
    ['Status', ...(hasTypes ? ['Type'] : []), 'Meaning'],
    rows.map(({ status, type, meaning }) => [status, ...(hasTypes ? [type && link(type)] : []), meaning.trim()]),
  );
}

/** The codes by which what the operation returns can be declined. */
function formatDeclines(bundle: Bundle, responses: readonly Response[]): string {
  if (!('x-assumptions' in bundle)) return '';
  const text = JSON.stringify(responses.map(({ body }) => body && listFields(bundle, body.schema)));
  return declineTables(bundle)
    .filter(({ schema }) => text.includes(`${schema}.md`))
    .map(({ schema, heading, all }) => {
      const codes = Object.keys(all).map((code) => `[\`${code}\`](${schema}.md#${code.toLowerCase()})`);
      return `\`decline_reason\` is one of the [${heading.toLowerCase()}](${schema}.md): ${codes.join(', ')}. Other codes can occur.`;
    })
    .join('\n\n');
}

function formatWebhooks(bundle: Bundle, { callbacks }: Operation): string {
  const all = webhooks(bundle);
  return callbacks.map((id) => `- [${all.find((each) => each.id === id)?.summary ?? id}](${id}.md)`).join('\n');
}

/** The operations by tag, in the order of the document. */
export function operationsByTag(bundle: Bundle): [tag: string, operations: Operation[]][] {
  const found = operations(bundle);
  const all = Object.entries(bundle.paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => found.filter((one) => one.path === path && one.method === method)),
  );
  return bundle.tags.flatMap(({ name }): [string, Operation[]][] => {
    const own = all.filter(({ tags }) => tags.includes(name));
    return own.length > 0 ? [[name, own]] : [];
  });
}

function pretty(value: Json): string {
  return JSON.stringify(value, null, 2);
}
