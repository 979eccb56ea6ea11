/** Addresses of the reference: names of pages, anchors of headings, and where the addresses of the document's own links are. */
import { type Bundle, operations, webhooks } from '../../contract/src/model.ts';
import { declineTables } from './declines.ts';

/** The start page, whose address is the folder's. */
export const START = 'index';

/** Former chapter names, kept for existing links. */
export const RENAMED: Readonly<Record<string, string>> = {
  overview: START,
  authorization: 'authentication-and-keys',
};

/** The anchor of a heading, and the name of a chapter's page. Codes keep their underscores. */
export function slug(title: string): string {
  return title
    .replace(/`/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/**
 * The place of an address within the document's descriptions, such as `#section/Webhooks/Verify-the-signature`, as a page
 * with an anchor, such as `webhooks.md#verify-the-signature`. Undefined for other addresses.
 */
export function resolveAnchor(anchor: string): string | undefined {
  const [, kind, first = '', second = '', third = ''] =
    /^#(operation|section|tag)\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(anchor) ?? [];
  if (kind === 'operation') return `${first}.md`;
  if (kind !== 'section') return undefined;
  const [, decline] = /^(payment|payout)-decline-reasons$/i.exec(second) ?? [];
  const table = decline && `${decline.charAt(0).toUpperCase()}${decline.slice(1).toLowerCase()}DeclineReason.md`;
  if (table) return third ? `${table}#${slug(third)}` : table;
  const page = RENAMED[slug(first)] ?? slug(first);
  return second ? `${page}.md#${slug(second)}` : `${page}.md`;
}

/** Markdown with the links of the document turned into links between pages. */
export function withPageLinks(markdown: string): string {
  return markdown.replace(/\]\((#[^)\s]+)\)/g, (link, anchor: string) => {
    const place = resolveAnchor(anchor);
    return place ? `](${place})` : link;
  });
}

/**
 * Anchors of the former single page, by which others link to the reference, with their pages. Letters are small, since
 * that page took both.
 */
export function formerAnchors(bundle: Bundle): Record<string, string> {
  const all = [...operations(bundle), ...webhooks(bundle)];
  const named = all.map(({ id }) => `operation/${id}`);
  const sections = [...headingsOf(bundle.info.description)].map(
    (path) => `section/${path.join('/').replaceAll(' ', '-')}`,
  );
  const declines = declineTables(bundle).flatMap(({ heading, reasons }) =>
    Object.keys(reasons).map((code) => `section/Decline-reasons/${heading.replaceAll(' ', '-')}/${code}`),
  );
  const former = Object.keys(RENAMED).map((name) => `section/${name}`);
  const places = [...named, ...sections, ...declines, ...former].map(
    (anchor) => [anchor.toLowerCase(), (resolveAnchor(`#${anchor}`) ?? '').replace('.md', '')] as const,
  );
  const tagged = all.flatMap(({ id, tags }) => tags.map((tag) => [`${slug(tag)}/${id}`.toLowerCase(), id] as const));
  return Object.fromEntries([...tagged, ...places]);
}

/** The titles of each chapter and section, from the chapter's on. */
function* headingsOf(introduction: string): Generator<string[]> {
  let chapter = '';
  for (const [, marks, title = ''] of introduction.matchAll(/^(#{1,2}) (.*)$/gm)) {
    if (marks === '#') chapter = title;
    yield marks === '#' ? [title] : [chapter, title];
  }
}
