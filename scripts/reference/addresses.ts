/** Addresses of the reference: names of pages, anchors of headings, and where the addresses of the document's own links are. */
/** The start page, whose address is the folder's. */
export const START = 'index';

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
  const page = slug(first);
  return second ? `${page}.md#${slug(second)}` : `${page}.md`;
}

/** Markdown with the links of the document turned into links between pages. */
export function withPageLinks(markdown: string): string {
  return markdown.replace(/\]\((#[^)\s]+)\)/g, (link, anchor: string) => {
    const place = resolveAnchor(anchor);
    return place ? `](${place})` : link;
  });
}
