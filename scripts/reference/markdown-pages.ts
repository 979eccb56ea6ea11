/** The reference as Markdown: a page for each chapter, operation, webhook and table of decline codes, and the index llms.txt. */
import { type Bundle, webhooks } from '../../contract/src/model.ts';
import { slug, withPageLinks } from './addresses.ts';
import { type Chapters, createChapters } from './chapters.ts';
import { declinePages } from './declines.ts';
import { downloadsPage } from './downloads.ts';
import { operationPage, operationsByTag, operationText, webhookPage } from './operation-pages.ts';
import type { Group, Page } from './page.ts';
import { methodsPage } from './payment-methods.ts';
import { joined } from './pieces.ts';
import { skillPage } from './skill.ts';

/** The index of the pages, which is served at the root of the site as well. */
export const INDEX = 'llms.txt';

/** Chapters that readers look something up in. They are the last of the menu. */
const APPENDIX = ['versions', 'changelog', 'assumptions'];

/** The API whose pages tell more about tests, and the words that lead there. */
const SANDBOX = 'sandbox';

/** The API of operators, and the name of its first page. */
export const MANAGEMENT = 'management';

/** The chapter before the payment methods. */
const BEFORE_METHODS = 'flows';
const SANDBOX_POINTER =
  'This is the reference of such a gateway: see its [test data](sandbox.md#test-data), its [clock](sandbox-clock.md) and its other [sandbox operations](sandbox.md).';

/** An API of the gateway itself, whose pages are part of the gateway's reference. */
export interface OwnApi {
  /** The beginning of its pages' names, and the name of its first page. */
  name: string;
  title: string;
  document: Bundle;
  /** Markdown before its operations. */
  chapter?: string;
}

/** Whether the pages are for a gateway with real money, which has its own APIs without a sandbox. */
export function isLive(apis: readonly OwnApi[] = []): boolean {
  return apis.length > 0 && !apis.some(({ name }) => name === SANDBOX);
}

/** The pages in groups, in the order of the menu, and the drawings that they name. */
export interface Reference {
  groups: Group[];
  drawings: Chapters['drawings'];
}

/** Every page of the document, and of further APIs. */
export function createReference(bundle: Bundle, apis: readonly OwnApi[] = []): Reference {
  const live = isLive(apis);
  const hasManagement = apis.some(({ name }) => name === MANAGEMENT);
  const { pages: chapters, drawings } = createChapters(bundle, { hasManagement, isLive: live });
  const pages = chapters.flatMap((page) => (page.name === BEFORE_METHODS ? [page, methodsPage(live)] : page));
  const isAppendix = ({ name }: Page) => APPENDIX.includes(name);
  const groups = [
    { title: 'Guide', pages: [...pages.filter((page) => !isAppendix(page)), skillPage(), downloadsPage()] },
    ...operationsByTag(bundle).map(([title, all]) => ({
      title,
      pages: all.map((operation) => operationPage(bundle, operation)),
    })),
    { title: 'Webhook events', pages: webhooks(bundle).map((webhook) => webhookPage(bundle, webhook)) },
    { title: 'Decline codes', pages: declinePages(bundle, live) },
    ...apis.map((api) => ({ title: api.title, pages: apiPages(api) })),
    { title: 'Appendix', pages: pages.filter(isAppendix) },
  ];
  const hasSandbox = apis.some(({ name }) => name === SANDBOX);
  const finished = (page: Page) => {
    const more = hasSandbox && page.name === 'testing' && SANDBOX_POINTER;
    return { ...page, markdown: withPageLinks(joined([page.markdown.trim(), more])) };
  };
  return { groups: groups.map((group) => ({ ...group, pages: group.pages.map(finished) })), drawings };
}

/** Every file by its name. All of them are in one folder, so that each can name the others. */
export function markdownPages(bundle: Bundle, { groups, drawings }: Reference): Record<string, string> {
  const pages = groups.flatMap((group) => group.pages);
  const files = pages.map(({ name, title, markdown }) => [`${name}.md`, `# ${title}\n\n${markdown.trim()}\n`] as const);
  return { [INDEX]: index(bundle, groups), ...Object.fromEntries(files), ...drawings };
}

function index({ info }: Bundle, groups: readonly Group[]): string {
  const line = ({ name, title, summary }: Page) => `- [${title}](/docs/${name}.md)${summary ? `: ${summary}` : ''}`;
  return [
    `# ${info.title}`,
    `> ${info['summary']}. Version ${info.version}.`,
    'The whole contract as one OpenAPI document: [/openapi.json](/openapi.json). The webhooks as an AsyncAPI document: [/docs/asyncapi.json](/docs/asyncapi.json).',
    ...groups.flatMap(({ title, pages }) => [`## ${title}`, pages.map(line).join('\n')]),
    '',
  ].join('\n\n');
}

/** The first page introduces the API and lists its operations; another one for each tag describes them. */
function apiPages({ name, title, document, chapter }: OwnApi): Page[] {
  const contents: string[] = [];
  const tags = operationsByTag(document).map(([tag, operations]): Page => {
    const page = `${name}-${slug(tag)}`;
    const links = operations.map(({ summary }) => `- [${summary}](${page}.md#${slug(summary)})`);
    contents.push(`### [${tag}](${page}.md)`, links.join('\n'));
    const description = document.tags.find((each) => each.name === tag)?.description?.trim();
    const sections = operations.map((operation) =>
      joined([`## ${operation.summary}`, operationText(document, operation, 3)]),
    );
    return {
      name: page,
      title: `${title}: ${tag}`,
      summary: operations.map(({ summary }) => summary).join(', '),
      markdown: joined([description, ...sections]),
    };
  });
  const markdown = joined([
    document.info.description.replaceAll('](/docs)', '](index.md)'),
    '## Operations',
    ...contents,
    chapter,
  ]);
  return [{ name, title, summary: String(document.info['summary'] ?? ''), markdown }, ...tags];
}
