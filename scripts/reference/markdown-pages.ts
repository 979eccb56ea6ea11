/** The reference as Markdown for readers without a browser: llms.txt, and a page for each operation, webhook and chapter. */
import { table } from '../../contract/src/markdown.ts';
import {
  type Bundle,
  type CodeSample,
  type Example,
  type Operation,
  operations,
  webhooks,
} from '../../contract/src/model.ts';
import { basisLine } from './annotate.ts';
import { declineTables, withDeclineLinks } from './declines.ts';
import { errorRows } from './errors.ts';
import { type Field, fieldsOf } from './markdown-fields.ts';

/** The index of the pages, which is served at the root of the site as well. */
export const INDEX = 'llms.txt';

interface Page {
  /** Without the extension. */
  name: string;
  title: string;
  /** One line for the index. */
  summary: string;
  markdown: string;
}

/** Every file by its name. All of them are in one folder, so that each can name the others. */
export function markdownPages(document: Bundle): Record<string, string> {
  const groups = pageGroups(document);
  const files = groups.flatMap(([, pages]) =>
    pages.map(({ name, title, markdown }) => [`${name}.md`, `# ${title}\n\n${markdown.trim()}\n`] as const),
  );
  return { [INDEX]: index(document, groups), ...Object.fromEntries(files) };
}

/** The pages in groups, in the order of the index. */
export function pageGroups(document: Bundle): [string, Page[]][] {
  const bundle = withDeclineLinks(document);
  return [
    ['Chapters', chapterPages(bundle)],
    ['Operations', operations(bundle).map((operation) => operationPage(bundle, operation))],
    ['Webhooks', webhooks(bundle).map((webhook) => webhookPage(bundle, webhook))],
    ['Decline reasons', declinePages(document)],
  ];
}

function index(bundle: Bundle, groups: [string, Page[]][]): string {
  const line = ({ name, title, summary }: Page) => `- [${title}](/docs/${name}.md)${summary ? `: ${summary}` : ''}`;
  return [
    `# ${bundle.info.title}`,
    `> ${bundle.info['summary']}. Version ${bundle.info.version}.`,
    'The whole contract as one OpenAPI document: [/openapi.json](/openapi.json).',
    ...groups.flatMap(([group, pages]) => [`## ${group}`, pages.map(line).join('\n')]),
    '',
  ].join('\n\n');
}

function chapterPages(bundle: Bundle): Page[] {
  const [overview = '', ...chapters] = bundle.info.description.split(/^# /m);
  return [`Overview\n${overview}`, ...chapters].map((chapter) => {
    const [title = ''] = chapter.split('\n', 1);
    return { name: slug(title), title, summary: '', markdown: plain(chapter.slice(title.length)) };
  });
}

function operationPage(bundle: Bundle, operation: Operation): Page {
  const parameters = operation.parameters.map(({ name, in: place, required = false, description = '', schema }) => ({
    ...(fieldsOf(bundle, { properties: { [name]: schema }, required: required ? [name] : [] })[0] as Field),
    ...(description && { text: description }),
    path: `${name} (${place})`,
  }));
  const bodies = operation.responses.filter(({ status }) => status.startsWith('2'));
  return {
    name: operation.id,
    title: operation.summary,
    summary: firstLine(operation.description),
    markdown: joined([
      `\`${operation.method.toUpperCase()} ${operation.path}\` (\`${operation.id}\`)`,
      described(bundle, operation),
      section('Parameters', parameters.length > 0 && fieldTable(parameters)),
      section('Request', operation.request && fieldTable(fieldsOf(bundle, operation.request.schema))),
      ...bodies.map(({ status, description, body }) =>
        section(
          `Response ${status}`,
          joined([
            description,
            body && fieldTable(fieldsOf(bundle, body.schema)),
            list('Headers', headersOf(operation, status)),
          ]),
        ),
      ),
      section(
        'Errors',
        table(
          ['Status', 'Type', 'Meaning'],
          errorRows(operation).map(({ status, type, meaning }) => [status, type && `\`${type}\``, meaning]),
        ),
      ),
      ...samplesOf(bundle, operation).map(({ label, lang, source }) =>
        section(`Example with ${label}`, fenced(lang === 'Shell' ? 'sh' : lang.toLowerCase(), source)),
      ),
      section('Example requests', operation.request && examples(operation.request.examples)),
      section('Example responses', examples(bodies.flatMap(({ body }) => body?.examples ?? []))),
      section('Webhooks', operation.callbacks.map((id) => `- [${id}](${id}.md)`).join('\n')),
    ]),
  };
}

function webhookPage(bundle: Bundle, webhook: Operation): Page {
  const headers = webhook.parameters.map(({ name, required = false, description = '', schema }) => ({
    ...(fieldsOf(bundle, { properties: { [name]: schema }, required: required ? [name] : [] })[0] as Field),
    ...(description && { text: description }),
  }));
  return {
    name: webhook.id,
    title: webhook.summary,
    summary: firstLine(webhook.description),
    markdown: joined([
      `Webhook \`${webhook.id}\`: \`POST\` to the \`callback_url\` of the transaction.`,
      described(bundle, webhook),
      'How to verify, respond to and order webhooks: [Webhooks](webhooks.md).',
      section('Headers', fieldTable(headers)),
      section('Body', webhook.request && fieldTable(fieldsOf(bundle, webhook.request.schema))),
      section(
        'Your response',
        table(
          ['Status', 'Meaning'],
          webhook.responses.map(({ status, description }) => [status, description]),
        ),
      ),
      section('Examples', examples(webhook.request?.examples ?? [])),
    ]),
  };
}

function declinePages(bundle: Bundle): Page[] {
  return declineTables(bundle).map(({ schema, heading, reasons }) => ({
    name: schema,
    title: heading,
    summary: Object.keys(reasons).join(', '),
    markdown: joined([
      bundle.components.schemas[schema]?.description,
      ...Object.entries(reasons).map(
        ([code, { meaning, likely_cause, suggested_action }]) =>
          `## ${code}\n\n- Meaning: ${meaning}\n- Likely cause: ${likely_cause}\n- Suggested action: ${suggested_action}`,
      ),
    ]),
  }));
}

function samplesOf(bundle: Bundle, { path, method }: Operation): CodeSample[] {
  return bundle.paths[path]?.[method]?.['x-codeSamples'] ?? [];
}

/** The description, and what it rests on. */
function described(bundle: Bundle, operation: Operation): string {
  const raw = bundle.paths[operation.path]?.[operation.method] ?? bundle.webhooks[operation.id]?.post;
  return joined([operation.description.trim(), raw && plain(basisLine(raw as never))]);
}

function fieldTable(fields: Field[]): string {
  return table(
    ['Field', 'Type', 'Required', 'Description', 'Basis'],
    fields.map(({ path, type, required, text, basis }) => [
      `\`${path}\``,
      type,
      required ? 'yes' : 'no',
      plain(text.trim().replaceAll(/\s*\n/g, ' ')),
      plain(basis),
    ]),
  );
}

function headersOf(operation: Operation, status: string): string[] {
  return operation.responses.find((response) => response.status === status)?.headers ?? [];
}

function examples(all: Example[]): string {
  return joined(
    all.map(({ name, summary, value }) =>
      joined([`### ${name}`, summary !== name && summary, fenced('json', JSON.stringify(value, null, 2))]),
    ),
  );
}

function section(title: string, content: string | false | undefined): string {
  return content ? `## ${title}\n\n${content}` : '';
}

function list(title: string, names: string[]): string {
  return names.length > 0 ? `${title}: ${names.map((name) => `\`${name}\``).join(', ')}.` : '';
}

function fenced(language: string, source: string): string {
  return `\`\`\`${language}\n${source.trimEnd()}\n\`\`\``;
}

function joined(parts: (string | false | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function slug(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** Replaces elements of the page with text, and links to its anchors with addresses of these files. */
function plain(markdown: string): string {
  return markdown
    .replace(/<figure[\s\S]*?<\/figure>\s*/g, '')
    .replace(/<sup>(.*?)<\/sup>/g, '($1)')
    .replace(/<\/?small>/g, '')
    .replace(/<span id="[^"]*">(.*?)<\/span>/g, '$1')
    .replace(/\]\(#section\/Decline-reasons\/(\w+)-decline-reasons(?:\/(\w+))?\)/g, (_, kind: string, code = '') => {
      const anchor = code && `#${code.toLowerCase()}`;
      return `](${kind}DeclineReason.md${anchor})`;
    })
    .replace(/\]\(#operation\/(\w+)\)/g, ']($1.md)')
    .replace(/\]\(#section\/([^/)]+)(?:\/([^)]+))?\)/g, (_, chapter: string, part?: string) => {
      const anchor = part ? `#${slug(part)}` : '';
      return `](${slug(chapter)}.md${anchor})`;
    });
}
